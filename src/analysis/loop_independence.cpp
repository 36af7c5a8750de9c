#include "analysis/loop_independence.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace fathom {

namespace {

using AccessKind = Access::Kind;

bool changes(const Access& access) {
  return access.kind != AccessKind::read;
}

bool share_a_base(const Access& a, const Access& b) {
  return a.variable == b.variable && a.local == b.local;
}

bool is_equal(const AccessStep& a, const AccessStep& b) {
  return a.kind == b.kind && a.number == b.number && a.kind != AccessStep::Kind::other;
}

// Whether the two places lie apart whatever the indices are.
bool are_disjoint(const Access& a, const Access& b) {
  const std::size_t common = std::min(a.path.size(), b.path.size());
  for (std::size_t k = 0; k < common; ++k) {
    const AccessStep& x = a.path[k];
    const AccessStep& y = b.path[k];
    const bool fixed = x.kind == AccessStep::Kind::field || x.kind == AccessStep::Kind::constant;
    if (fixed && x.kind == y.kind && x.number != y.number) return true;
  }
  return false;
}

// Whether the places lie apart when they belong to different iterations.
bool are_separated(const Access& a, const Access& b) {
  const std::size_t common = std::min(a.path.size(), b.path.size());
  for (std::size_t k = 0; k < common; ++k) {
    if (a.path[k].kind == AccessStep::Kind::loop_variable && b.path[k].kind == AccessStep::Kind::loop_variable)
      return true;
  }
  return are_disjoint(a, b);
}

bool write_the_same(const Access& a, const Access& b) {
  const ir::Stmt& x = *a.statement;
  const ir::Stmt& y = *b.statement;
  if (&x == &y && a.call == b.call) return true;
  if (x.kind != y.kind) return false;
  if (x.kind != ir::Stmt::Kind::assign) return x.kind == ir::Stmt::Kind::undefine || x.kind == ir::Stmt::Kind::clear;
  return x.value->kind == y.value->kind &&
         (x.value->kind == ir::Expr::Kind::undefined_value ||
          (x.value->kind == ir::Expr::Kind::constant && x.value->value == y.value->value));
}

bool commute(const Access& a, const Access& b) {
  if (a.kind != b.kind || a.kind == AccessKind::read || a.kind == AccessKind::write) return false;
  return a.kind != AccessKind::same_value || write_the_same(a, b);
}

bool covers(const Access& whole, const Access& part) {
  return whole.path.size() <= part.path.size() &&
         std::equal(whole.path.begin(), whole.path.end(), part.path.begin(), is_equal);
}

bool lies_in(SourceRange inner, SourceRange outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

// A local of the routine serves one iteration at a time when each iteration writes what it reads, and nobody reads it
// after the loop.
class PrivateLocals {
 public:
  PrivateLocals(const ir::Stmt& loop, const LoopEffects& effects, const LocalUses& uses)
      : loop_(loop), effects_(effects), uses_(uses) {}

  [[nodiscard]] bool contains(const ir::Local* local) const {
    return !is_read_outside(*local) && is_written_first(*local);
  }

 private:
  [[nodiscard]] bool is_read_outside(const ir::Local& local) const {
    const auto found = uses_.reads.find(&local);
    return found != uses_.reads.end() && std::ranges::any_of(found->second, [&](const ir::Place* place) {
             return !lies_in(place->range, loop_.range);
           });
  }

  // Whatever a read may find of the loop's own writes has been written on the way to it, in the same iteration.
  [[nodiscard]] bool is_written_first(const ir::Local& local) const {
    for (auto read = effects_.accesses.begin(); read != effects_.accesses.end(); ++read) {
      if (read->local == &local && !is_overwrite(*read) && !is_settled(*read, {effects_.accesses.begin(), read}))
        return false;
    }
    return true;
  }

  static bool is_overwrite(const Access& access) {
    return access.kind == AccessKind::write || access.kind == AccessKind::same_value;
  }

  [[nodiscard]] bool is_settled(const Access& read, std::span<const Access> earlier) const {
    return std::ranges::all_of(effects_.accesses, [&](const Access& change) {
      if (!changes(change) || !share_a_base(change, read) || are_disjoint(change, read)) return true;
      return std::ranges::any_of(earlier, [&](const Access& before) {
        return is_overwrite(before) && share_a_base(before, change) && covers(before, change) &&
               effects_.encloses(before.block, read.block);
      });
    });
  }

  const ir::Stmt& loop_;
  const LoopEffects& effects_;
  const LocalUses& uses_;
};

std::optional<OrderDependence> between_accesses(const std::vector<Access>& accesses) {
  for (auto a = accesses.begin(); a != accesses.end(); ++a) {
    if (!changes(*a)) continue;
    for (auto b = accesses.begin(); b != accesses.end(); ++b) {
      if (!share_a_base(*a, *b) || are_separated(*a, *b) || commute(*a, *b)) continue;
      if (a == b) return OrderDependence{{{a->range, "the last iteration that writes this decides"}}};
      const char* const effect = changes(*b) ? "and another one writes it too" : "and another one reads it";
      return OrderDependence{{{a->range, "one iteration writes this"}, {b->range, effect}}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<OrderDependence> order_dependence(const ir::Stmt& loop, Environment& environment, const LocalUses& uses) {
  const LoopEffects effects = effects_of(loop, environment, uses);
  if (effects.unknown) return OrderDependence{{{loop.range, "the calls in its body could not be followed"}}};
  const PrivateLocals privates{loop, effects, uses};
  std::vector<Access> shared;
  std::ranges::copy_if(effects.accesses, std::back_inserter(shared), [&](const Access& access) {
    return access.local == nullptr || !privates.contains(access.local);
  });
  if (!effects.returns.empty() && (effects.returns_vary || std::ranges::any_of(shared, changes))) {
    return OrderDependence{{{effects.returns.front()->range, "the iteration that comes first returns"}}};
  }
  return between_accesses(shared);
}

}  // namespace fathom
