#include "lang/murphi/load_conditions.hpp"

#include "lang/murphi/fragment.hpp"
#include "lang/murphi/parser.hpp"

namespace fathom::murphi {

namespace {

// Puts rules with the conditions behind the rules they are about.
class Insertion {
 public:
  Insertion(const Sources& sources, Dialect dialect, std::span<const RuleCondition> conditions,
            Diagnostics& diagnostics)
      : sources_(sources), dialect_(dialect), conditions_(conditions), diagnostics_(diagnostics) {
    edges_.resize(conditions.size());
  }

  void insert_into(File& file) {
    std::vector<Item> items;
    for (Item& item : file.items) {
      std::vector<std::unique_ptr<RuleItem>> added;
      if (item.kind == Item::Kind::rule) added = look_at(*item.rule);
      items.push_back(std::move(item));
      for (auto& rule : added) {
        items.emplace_back().kind = Item::Kind::rule;
        items.back().rule = std::move(rule);
      }
    }
    file.items = std::move(items);
  }

  std::vector<std::uint32_t> take_edges() { return std::move(edges_); }

 private:
  // Counts the rules as the model numbers its edges. Returns what belongs behind this item.
  std::vector<std::unique_ptr<RuleItem>> look_at(RuleItem& item) {
    if (item.kind == RuleItem::Kind::simple) return rules_for(item);
    std::vector<std::unique_ptr<RuleItem>> items;
    for (auto& inner : item.items) {
      auto added = look_at(*inner);
      items.push_back(std::move(inner));
      for (auto& rule : added) items.push_back(std::move(rule));
    }
    item.items = std::move(items);
    return {};
  }

  std::vector<std::unique_ptr<RuleItem>> rules_for(const RuleItem& item) {
    const std::uint32_t edge = rules_++;
    ++edges_so_far_;
    std::vector<std::unique_ptr<RuleItem>> added;
    for (std::size_t k = 0; k < conditions_.size(); ++k) {
      if (conditions_[k].edge != edge) continue;
      edges_[k] = edges_so_far_++;
      auto rule = std::make_unique<RuleItem>();
      rule->range = item.range;
      rule->guard = parse_fragment(sources_, conditions_[k].text, dialect_, diagnostics_);
      added.push_back(std::move(rule));
    }
    return added;
  }

  const Sources& sources_;
  Dialect dialect_;
  std::span<const RuleCondition> conditions_;
  Diagnostics& diagnostics_;
  std::uint32_t rules_ = 0;         // of the model
  std::uint32_t edges_so_far_ = 0;  // of the program with the conditions
  std::vector<std::uint32_t> edges_;
};

}  // namespace

LoadedConditions load_conditions(const Sources& sources, FileId model, const Options& options,
                                 std::span<const RuleCondition> conditions, Diagnostics& diagnostics) {
  LoadedConditions result;
  File syntax = parse(sources, model, options.dialect, diagnostics);
  Insertion insertion(sources, options.dialect, conditions, diagnostics);
  insertion.insert_into(syntax);
  if (diagnostics.failed()) return result;
  result.program = lower(syntax, sources, model, options, diagnostics);
  result.edges = insertion.take_edges();
  return result;
}

}  // namespace fathom::murphi
