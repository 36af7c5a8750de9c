#include "reduction/symmetry_layout.hpp"

#include <algorithm>

#include "support/hash.hpp"

namespace fathom {

namespace {

using Kind = ir::Type::Kind;

constexpr unsigned word_bits = 64;

// Walks the variables of a program and fills the tables.
class Builder {
 public:
  explicit Builder(SymmetryLayout& layout) : layout_(layout) {}

  void add_set(const ir::Type& type) {
    const auto size = static_cast<std::uint32_t>(type.cardinality());
    layout_.sets.push_back({.lo = type.lo, .first = layout_.elements, .size = size});
    layout_.elements += size;
  }

  void add_variables(const ir::Program& program, const ir::Type* companion) {
    std::uint64_t number = 0;
    for (const ir::Variable& variable : program.variables) {
      visit(*variable.type, variable.offset, step(1, number++));
    }
    if (companion != nullptr) visit(*companion, program.state_bits, step(1, number));
    choose_multipliers();
  }

 private:
  // Where the walk stands: the elements that index the place, and the slot it lies in.
  struct Row {
    std::uint32_t set;
    std::uint32_t element;
    std::uint32_t stride;
  };

  static std::uint64_t step(std::uint64_t path, std::uint64_t detail) { return mix_bijective(path * 31 + detail + 1); }

  [[nodiscard]] std::uint32_t set_of(const ir::Type& type) const {
    if (type.kind != Kind::scalarset) return SymmetryLayout::none;
    for (std::uint32_t k = 0; k < layout_.sets.size(); ++k) {
      if (layout_.sets[k].lo == type.lo) return k;
    }
    return SymmetryLayout::none;
  }

  [[nodiscard]] static std::vector<const ir::Type*> parts(const ir::Type& scalar) {
    return scalar.kind == Kind::unite ? scalar.members : std::vector<const ir::Type*>{&scalar};
  }

  [[nodiscard]] bool has_elements(const ir::Type& scalar) const {
    return std::ranges::any_of(parts(scalar),
                               [&](const ir::Type* part) { return set_of(*part) != SymmetryLayout::none; });
  }

  // Whether a permutation can change a value of this type.
  [[nodiscard]] bool is_symmetric(const ir::Type& type) const {
    switch (type.kind) {
      case Kind::array:
        return has_elements(*type.index) || is_symmetric(*type.element);
      case Kind::multiset:
        return is_symmetric(*type.element);
      case Kind::record:
        return std::ranges::any_of(type.fields, [&](const ir::Field& field) { return is_symmetric(*field.type); });
      default:
        return has_elements(type);
    }
  }

  void visit(const ir::Type& type, std::uint32_t offset, std::uint64_t path) {
    if (!is_symmetric(type)) return add_plain(offset, type.bits, path);
    switch (type.kind) {
      case Kind::array:
        return visit_array(type, offset, path);
      case Kind::record:
        return visit_record(type, offset, path);
      case Kind::multiset:
        return visit_multiset(type, offset, path);
      default:
        return add_value(type, offset, path);
    }
  }

  void visit_array(const ir::Type& type, std::uint32_t offset, std::uint64_t path) {
    std::uint64_t position = 0;
    for (const ir::Type* part : parts(*type.index)) {
      const std::uint32_t set = set_of(*part);
      if (set != SymmetryLayout::none && type.stride > 0) layout_.arrays.push_back({set, offset, type.stride});
      for (std::uint64_t k = 0; k < part->cardinality(); ++k, ++position, offset += type.stride) {
        if (set == SymmetryLayout::none) {
          visit(*type.element, offset, step(path, position));
        } else {
          visit_row({set, layout_.sets[set].first + static_cast<std::uint32_t>(k), type.stride}, *type.element, offset,
                    step(path, position - k));
        }
      }
    }
  }

  void visit_row(Row row, const ir::Type& element, std::uint32_t offset, std::uint64_t path) {
    // A second index of the same set makes a diagonal, which no permutation maps to the rest.
    std::uint64_t diagonal = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (rows_[k].set == row.set) layout_.sets[row.set].local = false;
      if (rows_[k].element == row.element) diagonal |= std::uint64_t{1} << (k % word_bits);
    }
    if (in_slot_) layout_.sets[row.set].local = false;
    rows_.push_back(row);
    visit(element, offset, diagonal == 0 ? path : step(path, diagonal));
    rows_.pop_back();
  }

  // Neighbouring plain fields are taken together.
  void visit_record(const ir::Type& type, std::uint32_t offset, std::uint64_t path) {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint64_t number = 0;
    for (const ir::Field& field : type.fields) {
      ++number;
      if (!is_symmetric(*field.type)) {
        end = field.offset + field.type->bits;
        continue;
      }
      add_plain(offset + begin, end - begin, step(path, number + type.fields.size()));
      visit(*field.type, offset + field.offset, step(path, number));
      begin = end = field.offset + field.type->bits;
    }
    add_plain(offset + begin, end - begin, step(path, 0));
  }

  // Slots are exchanged freely, so their number is not part of the path. A multiset inside a slot is described
  // together with that slot.
  void visit_multiset(const ir::Type& type, std::uint32_t offset, std::uint64_t path) {
    const bool outermost = !in_slot_;
    in_slot_ = true;
    for (std::uint32_t slot = 0; slot < type.capacity; ++slot) {
      const std::uint32_t at = offset + slot * type.stride;
      const auto first = static_cast<std::uint32_t>(layout_.facts.size());
      add_plain(at, 1, step(path, 0));
      visit(*type.element, at + 1, step(path, 1));
      if (outermost) layout_.groups.push_back({first, static_cast<std::uint32_t>(layout_.facts.size()), at});
    }
    in_slot_ = !outermost;
    layout_.multisets.push_back({offset, type.stride, type.capacity});
  }

  void add_plain(std::uint32_t offset, std::uint32_t bits, std::uint64_t path) {
    const bool in_one_row = rows_.size() == 1 && !in_slot_;
    if (rows_.empty() && !in_slot_) return;
    for (std::uint32_t done = 0; done < bits; done += word_bits) {
      const std::uint32_t width = std::min(word_bits, bits - done);
      if (!in_one_row) {
        add_fact(SymmetryLayout::none, offset + done, width, step(path, done));
      } else if (rows_[0].element == layout_.sets[rows_[0].set].first) {
        layout_.runs.push_back({rows_[0].set, offset + done, rows_[0].stride, width, 0});
      }
    }
  }

  void add_value(const ir::Type& type, std::uint32_t offset, std::uint64_t path) {
    const std::uint32_t number = class_of(type);
    layout_.classes[number].offsets.push_back(offset);
    if (rows_.empty() && !in_slot_) {
      layout_.pointers.push_back({number, offset, path});
      return;
    }
    for (const auto& segment : layout_.classes[number].segments) layout_.sets[segment.set].local = false;
    add_fact(number, offset, type.bits, path);
  }

  void add_fact(std::uint32_t value_class, std::uint32_t offset, std::uint32_t width, std::uint64_t path) {
    const auto number = static_cast<std::uint32_t>(layout_.facts.size());
    const auto first_index = static_cast<std::uint32_t>(layout_.fact_indices.size());
    for (const Row& row : rows_) layout_.fact_indices.push_back(row.element);
    layout_.facts.push_back({value_class, offset, width, first_index, static_cast<std::uint32_t>(rows_.size()), path});
    if (!in_slot_) layout_.groups.push_back({number, number + 1, SymmetryLayout::none});
  }

  std::uint32_t class_of(const ir::Type& type) {
    auto& classes = layout_.classes;
    const auto found = std::ranges::find(classes, &type, &SymmetryLayout::ValueClass::type);
    if (found != classes.end()) return static_cast<std::uint32_t>(found - classes.begin());
    SymmetryLayout::ValueClass made{&type, type.bits, {}, std::vector<std::uint32_t>(1, SymmetryLayout::none), {}};
    for (const ir::Type* part : parts(type)) {
      const std::uint32_t set = set_of(*part);
      const auto code = static_cast<std::uint32_t>(made.element_of_code.size());
      if (set != SymmetryLayout::none) made.segments.push_back({set, code});
      for (std::uint32_t k = 0; k < part->cardinality(); ++k) {
        made.element_of_code.push_back(set == SymmetryLayout::none ? set : layout_.sets[set].first + k);
      }
    }
    classes.push_back(std::move(made));
    return static_cast<std::uint32_t>(classes.size() - 1);
  }

  // Where the runs of a set fit one word, the key is their concatenation; otherwise it is a hash.
  void choose_multipliers() {
    for (std::uint32_t set = 0; set < layout_.sets.size(); ++set) {
      std::uint64_t total = 0;
      for (const auto& run : layout_.runs) total += run.set == set ? run.width : 0;
      for (auto& run : layout_.runs) {
        if (run.set != set) continue;
        run.multiplier = total < word_bits ? std::uint64_t{1} << run.width : mix_bijective(run.offset + 1) | 1;
      }
    }
  }

  SymmetryLayout& layout_;
  std::vector<Row> rows_;
  bool in_slot_ = false;
};

}  // namespace

SymmetryLayout::SymmetryLayout(const ir::Program& program, const std::vector<const ir::Type*>& permuted,
                               const ir::Type* companion)
    : words(std::max(1U,
                     (program.state_bits + (companion == nullptr ? 0 : companion->bits) + word_bits - 1) / word_bits)) {
  Builder builder{*this};
  for (const ir::Type* type : permuted) builder.add_set(*type);
  builder.add_variables(program, companion);
}

}  // namespace fathom
