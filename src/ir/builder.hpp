// Builds a Program: owns the numbering of enumeration values, the packed layout of types and variables, and the slots
// of a routine's locals. A front end decides what to build; everything it builds passes through here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.hpp"

namespace fathom::ir {

class Builder {
 public:
  // States and frames beyond this size are a mistake in the model rather than a model.
  static constexpr std::uint64_t max_bits = std::uint64_t{1} << 28;

  // `numbers` says how the program holds its numbers: integer() or natural().
  explicit Builder(Program& program, const Type& numbers = integer());

  // Types. Sizes are the caller's to check before: see array_bits and friends.
  [[nodiscard]] const Type* boolean() const { return boolean_; }
  [[nodiscard]] const Type* number() const { return number_; }
  const Type* range(std::int64_t lo, std::int64_t hi);
  const Type* enumeration(std::vector<std::string> values);
  const Type* scalarset(std::uint64_t size);
  // One object per width and signedness where there are no names.
  const Type* machine(std::uint32_t bits, bool is_signed, std::vector<std::string> value_names = {},
                      std::string name = {});
  // A scalar type of its own, equal to the given one: what is found out about its values holds for nothing else.
  const Type* separate(const Type* scalar);
  const Type* unite(const std::vector<const Type*>& members);
  // Null when the type would be larger than max_bits.
  const Type* array(const Type* index, const Type* element);
  const Type* record(std::vector<Field> fields);
  const Type* multiset(std::uint32_t capacity, const Type* element);
  // The numbers of the slots of a multiset: 0..capacity-1. One type object per multiset type.
  const Type* slots_of(const Type* multiset);
  [[nodiscard]] bool is_slot_type(const Type* type) const;
  // The type under a declared name. A type that has a name already keeps it and is shared.
  const Type* named(const Type* type, const std::string& name);

  // Storage. A variable that does not fit any more is refused with null.
  const Variable* variable(std::string name, const Type* type, SourceRange range);
  static Local& local(Routine& routine, std::string name, const Type* type, Local::Storage storage, SourceRange range);
  // Numbers registers and references and lays out the frame, once all locals are known. False: the frame is too large.
  static bool lay_out(Routine& routine);

  // Nodes.
  SiteId site(FaultKind kind, SourceRange range, std::string text);
  Expr& expr(Expr::Kind kind, const Type* type, SourceRange range);
  const Expr* constant(std::int64_t value, const Type* type, SourceRange range);
  Stmt& stmt(Stmt::Kind kind, SourceRange range);
  const Place* place(Place place);
  const Binding* binding(const Local* local, const Domain& domain);
  const Call* call(Call call);
  Routine& draft() { return program_.drafts.emplace_back(); }

 private:
  Type& add(Type::Kind kind);
  const Type* finish_scalar(Type& type);

  Program& program_;
  const Type* number_;
  const Type* boolean_ = nullptr;
  std::int64_t next_value_ = 2;  // after the numbers of false and true
  std::map<std::pair<std::int64_t, std::int64_t>, const Type*> ranges_;
  std::map<const Type*, const Type*> slots_;
  std::map<std::pair<std::uint32_t, bool>, const Type*> machines_;
};

// All values of a scalar type, one segment per member of a union.
ParameterDomain domain_of(const Type& type);

}  // namespace fathom::ir
