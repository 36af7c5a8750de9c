// Lowering: the values that quantifiers run through.
#include <algorithm>

#include <fmt/format.h>

#include "lang/murphi/lowering.hpp"

namespace fathom::murphi {

// A register that only its quantifier sets. A null type (the domain was wrong) makes its uses silent.
const ir::Local& Lowering::counter(const Name& name, const ir::Type* type) {
  const ir::Local& local =
      ir::Builder::local(*context_.routine, name.text, type, ir::Local::Storage::in_register, name.range);
  counters_.insert(&local);
  Symbol symbol;
  symbol.kind = Symbol::Kind::place;
  symbol.type = type;
  symbol.place = place_of(local);
  declare(name, symbol);
  return local;
}

// `type` receives the type of the counter, or null after a mistake.
std::optional<ir::Domain> Lowering::domain(const Quantifier& syntax, const ir::Type*& type) {
  if (syntax.from != nullptr) return stepped_domain(syntax, type);
  if (syntax.type == nullptr) {
    error("F106", syntax.range, fmt::format("`{}` is not a type", quote(syntax.set->range)));
    return std::nullopt;
  }
  type = scalar_type(*syntax.type, "what a quantifier runs through");
  if (type == nullptr) return std::nullopt;
  ir::Domain domain;
  domain.type = type;
  return domain;
}

std::optional<ir::Domain> Lowering::stepped_domain(const Quantifier& syntax, const ir::Type*& type) {
  ir::Domain domain;
  domain.from = number(*syntax.from, "the first value");
  domain.to = number(*syntax.to, "the last value");
  domain.step = syntax.step == nullptr ? nullptr : step(*syntax.step);
  if (domain.from == nullptr || domain.to == nullptr || (syntax.step != nullptr && domain.step == nullptr))
    return std::nullopt;
  if (!check_step(syntax, domain)) return std::nullopt;
  if (domain.step != nullptr && !is_constant(domain.step))
    domain.site = build_.site(ir::FaultKind::bad_step, syntax.step->range, quote(syntax.step->range));
  type = build_.number();
  // Constant ends tell more: an index by this counter may then need no check.
  if (is_constant(domain.from) && is_constant(domain.to)) {
    const auto [low, high] = std::minmax(domain.from->value, domain.to->value);
    type = build_.range(low, high);
  }
  return domain;
}

// A step is a distance: a plain number also where those of the model are held in another way.
const ir::Expr* Lowering::step(const Expr& syntax) {
  if (!unsigned_numbers()) return number(syntax, "the step");
  const auto distance = plain_number(syntax, "a step in a model with numbers above 9223372036854775807");
  return distance ? build_.constant(*distance, &ir::integer(), syntax.range) : nullptr;
}

bool Lowering::check_step(const Quantifier& syntax, const ir::Domain& domain) {
  const bool known = domain.step == nullptr || is_constant(domain.step);
  if (!known) return true;
  const std::int64_t step = domain.step == nullptr ? 1 : domain.step->value;
  if (step == 0) {
    error("F150", syntax.step->range, "with step 0 the loop would never end");
    return false;
  }
  if (!rumur() || !is_constant(domain.from) || !is_constant(domain.to)) return true;
  const std::int64_t from = domain.from->value;
  const std::int64_t to = domain.to->value;
  if (step > 0 ? from <= to : from >= to) return true;
  error("F151", syntax.range,
        fmt::format("steps of {} never lead from {} to {}", step, show(*domain.from->type, from),
                    show(*domain.to->type, to)));
  return false;
}

}  // namespace fathom::murphi
