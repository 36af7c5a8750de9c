// Exact store for many states of at most 128 bits in a table of quotients (quotient_store.hpp). While there is plenty
// of memory it holds the states as they are, which is faster; when the table is to take more it becomes one of their
// codes (state_code.hpp), which are half as long or shorter. It can say whether a state is there, and no more.
//
// A value that a column of the code has not had before may need a bit that the entries of the table do not have. Such
// states are kept aside until the table gets it (reserve), which should be soon: is_cramped() says so.
#pragma once

#include <memory>

#include "store/quotient_store.hpp"
#include "store/state_code.hpp"

namespace fathom {

class CodedStore {
 public:
  static constexpr bool exact = true;
  static constexpr bool keeps_states = false;
  static constexpr bool known_ids = false;
  using Code = StateCode::Code;

  // For states of so many bits; `alone`: one thread has the store to itself. With `codes_early` memory counts more than
  // time.
  CodedStore(std::uint32_t state_bits, std::uint64_t memory_limit, bool alone, bool codes_early = false);

  // States go into the table as they are or, when it has a code, as pairs of words. Who has many of them makes these
  // first, and inserts them through a view for codes.
  [[nodiscard]] bool has_code() const { return code_ != nullptr; }
  [[nodiscard]] const StateCode& code() const { return *code_; }
  [[nodiscard, gnu::always_inline]] Hash hash_of(const Code& code) const { return table_->hash(code); }
  [[nodiscard, gnu::always_inline]] Hash hash(StateView state) const {
    return has_code() ? hash_of(code_->code(state.data())) : table_->hash(state);
  }
  [[gnu::always_inline]] void prefetch(Hash hash) const { table_->prefetch(hash); }

  // After this hashes may be others.
  [[nodiscard]] bool reserve(std::uint64_t extra, Team* team = nullptr);
  [[nodiscard]] bool is_cramped() const { return beyond_bits() > table_->beyond_bits(); }
  // What is taken beside the table when so many more states need room; 0 if there is room for them.
  [[nodiscard]] std::uint64_t growth_for(std::uint64_t extra, Team* team = nullptr);
  [[nodiscard]] std::uint64_t room() const { return table_->room(); }
  Inserted insert(StateView state, Hash hash) {
    return insert(state, hash, [this] { return next_index(); });
  }
  template <class NextIndex>
  Inserted insert(StateView state, Hash hash, NextIndex next_index) {
    return has_code() ? table_->insert(code_->code(state.data()), hash, next_index)
                      : table_->insert(state, hash, next_index);
  }
  [[nodiscard]] bool is_alone() const { return table_->is_alone(); }
  template <std::uint32_t words, bool alone>
  class View;
  template <bool alone>
  class CodeView;
  static constexpr std::uint32_t most_words = 2;
  std::uint64_t next_index() { return table_->next_index(); }
  void move(StateId, StateId) {}  // nothing here knows a number
  void set_size(std::uint64_t count) { table_->set_size(count); }
  [[nodiscard]] std::uint64_t size() const { return table_->size(); }
  [[nodiscard]] std::uint64_t bytes() const { return table_->bytes(); }
  // An empty one for such states, for one thread.
  [[nodiscard]] std::unique_ptr<CodedStore> another() const;
  // It is not of use any more.
  void give_up() { table_->give_up(); }
  void save(SealedWriter& out) const;
  // Into a new one for such states; false at the memory limit.
  [[nodiscard]] bool load(SealedReader& in);

  // ---- What a search keeps of a state that waits (search/origin_rows.hpp), and the state again.
  [[nodiscard]] std::uint32_t key_bits() const { return state_bits_; }
  [[nodiscard]] static const std::uint64_t* key_of(StateView state, const Hash&) { return state.data(); }
  [[nodiscard]] StateView state_at(StateId, const std::uint64_t* key) const { return {key, words()}; }

 private:
  [[nodiscard]] std::uint32_t words() const { return state_bits_ > 64 ? 2 : 1; }
  [[nodiscard]] std::uint32_t beyond_bits() const {
    return code_ != nullptr ? code_->beyond_bits() : table_->beyond_bits();
  }
  [[nodiscard]] bool wants_code(std::uint64_t extra) const;
  [[nodiscard]] std::uint64_t parts_with(std::uint64_t states) const;
  [[nodiscard]] std::shared_ptr<const StateCode> new_code(Team* team) const;
  [[nodiscard]] std::unique_ptr<QuotientStore> table_for(const StateCode& code, bool alone) const;
  void mix_for_this_memory(StateCode& code);
  void look_for_code(std::uint64_t extra, Team* team);
  void encode(std::shared_ptr<const StateCode> code, Team* team);

  const std::uint32_t state_bits_;
  const std::uint64_t memory_limit_;
  const bool codes_early_;
  std::unique_ptr<QuotientStore> table_;
  std::shared_ptr<const StateCode> code_;
  std::shared_ptr<const StateCode> next_code_;  // that the table is to have when it grows
  bool is_without_ = false;                     // a code would not save enough
};

// The store as a search sees it that inserts many states in a row: states as they are, or their codes.
template <std::uint32_t words, bool alone>
class CodedStore::View : public QuotientStore::View<words, alone> {
 public:
  explicit View(CodedStore& store) : QuotientStore::View<words, alone>(*store.table_) {}
};
template <bool alone>
class CodedStore::CodeView : public QuotientStore::View<most_words, alone, true> {
 public:
  explicit CodeView(CodedStore& store) : QuotientStore::View<most_words, alone, true>(*store.table_) {}
};

}  // namespace fathom
