// The scalar leaves of a program's packed state: their names as a user would write them, their printed values, and the
// difference of two states leaf by leaf. A slot of a multiset is written `net{0}` and exists only while it is filled.
// This is for reports and traces, where clarity matters and speed does not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.hpp"

namespace fathom {

struct Leaf {
  std::string name;  // "Chan2[NODE_1].Cmd"
  const ir::Type* type = nullptr;
  std::uint32_t offset = 0;              // in bits, in the packed state
  std::vector<std::uint32_t> occupancy;  // bits of the multiset slots around it: all must be set
};

// A leaf that differs between two states. A missing side means that its multiset slot is empty there.
struct LeafChange {
  std::string variable;
  std::optional<std::string> before;
  std::optional<std::string> after;

  bool operator==(const LeafChange&) const = default;
};

class Leaves {
 public:
  using State = std::span<const std::uint64_t>;
  using Values = std::vector<std::pair<std::string, std::string>>;

  explicit Leaves(const ir::Program& program);

  [[nodiscard]] const std::vector<Leaf>& all() const { return leaves_; }
  // Nothing for a leaf in an empty slot of a multiset, and "Undefined" for one without a value.
  [[nodiscard]] static std::optional<std::string> show(const Leaf& leaf, State state);

  // Every leaf that exists in the state, undefined ones included.
  [[nodiscard]] Values values(State state) const;
  // Puts a value, as show() gives it, into the leaf of this name. False: there is no such leaf or value.
  bool write(const std::string& name, const std::string& value, std::span<std::uint64_t> state) const;
  [[nodiscard]] std::vector<LeafChange> diff(State before, State after) const;

 private:
  void add(std::string name, const ir::Type& type, std::uint32_t offset, std::vector<std::uint32_t> occupancy);
  void add_elements(const std::string& name, const ir::Type& type, std::uint32_t offset,
                    const std::vector<std::uint32_t>& occupancy);
  void add_slots(const std::string& name, const ir::Type& type, std::uint32_t offset,
                 const std::vector<std::uint32_t>& occupancy);

  std::vector<Leaf> leaves_;
};

}  // namespace fathom
