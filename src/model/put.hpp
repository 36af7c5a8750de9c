// What a `put` statement prints, in the form Murphi users know. Both executors print through these functions, so a run
// looks the same whoever executes it.
#pragma once

#include <cstdint>

#include "model/model.hpp"

namespace fathom {

// The text alone: `put "done"`.
void put_text(PutSink& sink, const ir::Stmt& stmt);

// "expression:value" and a line break.
void put_value(PutSink& sink, const ir::Stmt& stmt, std::int64_t value);

// One line for each scalar in the place, "expression.path:value". Empty slots of a multiset are left out.
void put_place(PutSink& sink, const ir::Stmt& stmt, const std::uint64_t* words, std::uint64_t bit);

// An ir::UserCode::Print whose listener is a PutSink.
void put_user_text(void* sink, const char* text);

}  // namespace fathom
