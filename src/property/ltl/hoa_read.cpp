#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "property/ltl/cubes.hpp"
#include "property/ltl/hoa_lexer.hpp"
#include "property/ltl/translate.hpp"

namespace fathom::ltl {
namespace {

constexpr std::uint32_t max_hoa_states = 1'000'000;
constexpr std::size_t max_cubes = 1024;           // of one label
constexpr std::uint32_t max_label_nesting = 500;  // of one label
constexpr std::uint32_t max_implicit_atoms = 12;  // a state with implicit labels has an edge for each letter

using Cubes = std::vector<Cube>;
using HoaKind = HoaToken::Kind;

class HoaReader {
 public:
  explicit HoaReader(std::string_view text) : lexer_(text) { take(); }

  HoaAutomaton run() {
    header();
    body();
    return {result(), std::move(atoms_)};
  }

 private:
  struct Alias {
    HoaLexer definition;             // where it begins
    std::optional<Cubes> values[2];  // of the alias and of its negation, once known
  };

  [[noreturn]] void fail(const std::string& message) const { throw HoaError(token_.position, message); }

  HoaToken take() {
    HoaToken taken = std::move(token_);
    token_ = lexer_.next();
    return taken;
  }
  [[nodiscard]] bool is_sign(char c) const { return token_.kind == HoaKind::sign && token_.text[0] == c; }
  bool take_sign(char c) {
    if (!is_sign(c)) return false;
    take();
    return true;
  }
  void expect_sign(char c) {
    if (!take_sign(c)) fail(std::string("`") + c + "` is expected here");
  }
  std::uint32_t expect_number(const char* what) {
    if (token_.kind != HoaKind::number) fail(std::string("the number of ") + what + " is expected here");
    return take().number;
  }
  [[nodiscard]] bool header_goes_on() const {
    return token_.kind != HoaKind::header && token_.kind != HoaKind::body && token_.kind != HoaKind::end;
  }

  // --- header

  void header() {
    if (token_.kind != HoaKind::header || token_.text != "HOA") fail("`HOA: v1` is expected at the beginning");
    take();
    if (token_.kind != HoaKind::identifier || token_.text != "v1") fail("only version v1 of the format is known");
    take();
    while (token_.kind == HoaKind::header) header_item();
    if (token_.kind != HoaKind::body) fail("a header or --BODY-- is expected here");
    if (!has_acceptance_) fail("the header has no `Acceptance:`");
    take();
  }

  void header_item() {
    const HoaToken name = take();
    if (name.text == "States") return states();
    if (name.text == "Start") return start();
    if (name.text == "AP") return propositions();
    if (name.text == "Alias") return alias();
    if (name.text == "Acceptance") return acceptance();
    if (name.text == "acc-name") return acceptance_name();
    if (std::isupper(static_cast<unsigned char>(name.text[0])) != 0)
      throw HoaError(name.position, "the header `" + name.text + ":` is not known, and it may change what is meant");
    while (header_goes_on()) take();
  }

  void states() {
    const Position position = token_.position;
    const std::uint32_t count = expect_number("states");
    if (count > max_hoa_states) throw HoaError(position, "the automaton has too many states");
    declared_states_ = count;
    if (count > 0) ensure_state(count - 1, position);
  }

  void start() {
    const Position position = token_.position;
    starts_.emplace_back(expect_number("a state"), position);
    if (is_sign('&')) fail("several states at once: alternating automata cannot be read");
  }

  void propositions() {
    if (!atoms_.empty()) fail("a second `AP:`");
    const Position position = token_.position;
    const std::uint32_t count = expect_number("atomic propositions");
    if (count > ir::max_atoms) throw HoaError(position, "the automaton has more than 64 atomic propositions");
    while (atoms_.size() < count) {
      if (token_.kind != HoaKind::string) fail("the name of an atomic proposition is expected here, in quotes");
      if (std::find(atoms_.begin(), atoms_.end(), token_.text) != atoms_.end())
        fail("the atomic proposition \"" + token_.text + "\" is there twice");
      atoms_.push_back(take().text);
    }
  }

  void alias() {
    if (token_.kind != HoaKind::alias) fail("the name of an alias is expected here, such as @a");
    const HoaLexer definition = lexer_;
    const HoaToken name = take();
    Alias value{definition, {disjunction(false, 0), std::nullopt}};
    if (!aliases_.emplace(name.text, std::move(value)).second)
      throw HoaError(name.position, "the alias @" + name.text + " is there twice");
  }

  void acceptance_name() {
    while (header_goes_on()) acceptance_name_ += (acceptance_name_.empty() ? "" : " ") + take().text;
  }

  // Only `t` and conjunctions of Inf(n) are taken; parentheses do not matter then.
  void acceptance() {
    if (has_acceptance_) fail("a second `Acceptance:`");
    has_acceptance_ = true;
    declared_sets_ = expect_number("acceptance sets");
    std::size_t open = 0;
    do {
      while (take_sign('(')) ++open;
      acceptance_atom();
      while (open > 0 && take_sign(')')) --open;
    } while (take_sign('&'));
    if (is_sign('|')) refuse_acceptance("`|`");
    if (open > 0) fail("`)` is expected here");
    if (header_goes_on()) fail("the acceptance condition should have an end here");
  }

  void acceptance_atom() {
    if (token_.kind != HoaKind::identifier) fail("an acceptance condition is expected here, such as Inf(0)");
    if (token_.text == "t") return void(take());
    if (token_.text != "Inf") refuse_acceptance("`" + token_.text + "`");
    take();
    expect_sign('(');
    if (is_sign('!')) refuse_acceptance("the complement of a set");
    const Position position = token_.position;
    const std::uint32_t set = expect_number("an acceptance set");
    if (set >= declared_sets_) throw HoaError(position, "there is no acceptance set " + std::to_string(set));
    expect_sign(')');
    if (marks_.count(set) != 0) return;
    if (marks_.size() == max_marks) throw HoaError(position, "the automaton has more than 64 acceptance sets");
    const auto mark = static_cast<std::uint32_t>(marks_.size());
    marks_.emplace(set, mark);
  }

  [[noreturn]] void refuse_acceptance(const std::string& found) const {
    const std::string named = acceptance_name_.empty() ? "" : " (acc-name: " + acceptance_name_ + ")";
    fail("the acceptance condition has " + found + named + "; only Büchi and generalised Büchi automata can be read");
  }

  // --- labels

  // Labels become disjunctive normal forms as they are read; under a negation, that of their negation.
  Cubes disjunction(bool negated, std::uint32_t depth) {
    Cubes left = conjunction(negated, depth);
    while (take_sign('|')) {
      const Cubes right = conjunction(negated, depth);
      left = negated ? product(left, right) : sum(std::move(left), right);
    }
    return left;
  }

  Cubes conjunction(bool negated, std::uint32_t depth) {
    Cubes left = factor(negated, depth);
    while (take_sign('&')) {
      const Cubes right = factor(negated, depth);
      left = negated ? sum(std::move(left), right) : product(left, right);
    }
    return left;
  }

  Cubes factor(bool negated, std::uint32_t depth) {
    if (depth > max_label_nesting) fail("the label is nested too deeply");
    if (take_sign('!')) return factor(!negated, depth + 1);
    if (take_sign('(')) {
      Cubes inner = disjunction(negated, depth + 1);
      expect_sign(')');
      return inner;
    }
    return leaf(negated, depth);
  }

  Cubes leaf(bool negated, std::uint32_t depth) {
    if (token_.kind == HoaKind::number) {
      if (token_.number >= atoms_.size()) fail("there is no atomic proposition " + token_.text);
      const std::uint64_t atom = std::uint64_t{1} << take().number;
      return {negated ? Cube{0, atom} : Cube{atom, 0}};
    }
    if (token_.kind == HoaKind::alias) return alias_value(negated, depth);
    const bool constant = token_.kind == HoaKind::identifier && (token_.text == "t" || token_.text == "f");
    if (!constant) fail("a label is expected here: t, f, a number, an alias, or an expression of these");
    return (take().text == "t") != negated ? Cubes{Cube{}} : Cubes{};
  }

  // An alias is read again from its definition for either sign, once. Aliases refer to earlier ones only, so this ends.
  Cubes alias_value(bool negated, std::uint32_t depth) {
    const auto found = aliases_.find(token_.text);
    if (found == aliases_.end()) fail("the alias @" + token_.text + " is not defined");
    take();
    std::optional<Cubes>& value = found->second.values[negated ? 1 : 0];
    if (value) return *value;
    HoaLexer lexer = found->second.definition;
    std::swap(lexer, lexer_);
    HoaToken token = std::exchange(token_, lexer_.next());
    Cubes cubes = disjunction(negated, depth + 1);
    value = cubes;
    lexer_ = lexer;
    token_ = std::move(token);
    return cubes;
  }

  Cubes sum(Cubes left, const Cubes& right) {
    for (const Cube& cube : right) add(left, cube);
    return left;
  }

  Cubes product(const Cubes& left, const Cubes& right) {
    Cubes result;
    for (const Cube& a : left)
      for (const Cube& b : right)
        if (const std::optional<Cube> both = intersection(a, b)) add(result, *both);
    return result;
  }

  void add(Cubes& cubes, const Cube& cube) {
    for (const Cube& other : cubes)
      if (covers(other, cube)) return;
    std::erase_if(cubes, [&](const Cube& other) { return covers(cube, other); });
    cubes.push_back(cube);
    if (cubes.size() > max_cubes) fail("the label is too complicated");
  }

  // --- body

  void body() {
    while (token_.kind == HoaKind::header) state();
    if (token_.kind == HoaKind::abort) fail("the automaton was given up by whoever wrote it");
    if (token_.kind != HoaKind::finish) fail("`State:`, an edge or --END-- is expected here");
  }

  void state() {
    if (token_.text != "State") fail("`State:` is expected here");
    take();
    std::optional<Cubes> state_label = bracketed_label();
    const Position position = token_.position;
    const std::uint32_t number = expect_number("a state");
    ensure_state(number, position);
    if (defined_[number]) throw HoaError(position, "the state " + std::to_string(number) + " is there twice");
    defined_[number] = true;
    if (token_.kind == HoaKind::string) names_[number] = take().text;
    const Marks marks = mark_set();
    std::uint64_t implicit = 0;
    while (token_.kind == HoaKind::number || is_sign('[')) edge(number, state_label, marks, implicit);
    if (implicit != 0 && implicit != std::uint64_t{1} << atoms_.size())
      fail("the state " + std::to_string(number) + " has implicit labels, but not an edge for each letter");
  }

  void edge(std::uint32_t from, const std::optional<Cubes>& state_label, Marks marks, std::uint64_t& implicit) {
    std::optional<Cubes> own = bracketed_label();
    if (own && (state_label || implicit != 0)) fail("a label here as well: the state has labels of another kind");
    const Cubes cubes = own ? *own : state_label ? *state_label : Cubes{implicit_label(implicit)};
    const Position position = token_.position;
    const std::uint32_t target = expect_number("a state");
    if (is_sign('&')) fail("several states at once: alternating automata cannot be read");
    ensure_state(target, position);
    const Marks all = marks | mark_set();
    for (const Cube& cube : cubes) automaton_.edges[from].push_back({target, cube, all});
  }

  Cube implicit_label(std::uint64_t& implicit) {
    if (atoms_.size() > max_implicit_atoms)
      fail("implicit labels with more than 12 atomic propositions cannot be read");
    const std::uint64_t letters = std::uint64_t{1} << atoms_.size();
    if (implicit == letters) fail("the state has more edges with implicit labels than there are letters");
    const std::uint64_t letter = implicit++;
    return {letter, ~letter & (letters - 1)};
  }

  std::optional<Cubes> bracketed_label() {
    if (!take_sign('[')) return std::nullopt;
    Cubes cubes = disjunction(false, 0);
    expect_sign(']');
    return cubes;
  }

  Marks mark_set() {
    Marks marks = 0;
    if (!take_sign('{')) return marks;
    while (!take_sign('}')) {
      const Position position = token_.position;
      const std::uint32_t set = expect_number("an acceptance set");
      if (set >= declared_sets_) throw HoaError(position, "there is no acceptance set " + std::to_string(set));
      const auto mark = marks_.find(set);
      if (mark != marks_.end()) marks |= Marks{1} << mark->second;
    }
    return marks;
  }

  void ensure_state(std::uint32_t number, Position position) {
    const std::uint32_t limit = declared_states_.value_or(max_hoa_states);
    if (number >= limit) throw HoaError(position, "there is no state " + std::to_string(number));
    if (number < automaton_.size()) return;
    automaton_.edges.resize(number + 1);
    names_.resize(number + 1);
    defined_.resize(number + 1);
  }

  // --- result

  ir::Automaton result() {
    for (const auto& [state, position] : starts_) ensure_state(state, position);
    automaton_.mark_count = static_cast<std::uint32_t>(marks_.size());
    if (starts_.size() == 1) {
      automaton_.initial = starts_[0].first;
      if (has_acceptance_on_states()) return as_it_is();
    } else {
      join_starts();
    }
    try {
      return finished(automaton_);
    } catch (const LimitError& error) {
      fail(error.what());
    }
  }

  // A state before all others that does what any of the start states can do. Nobody comes back to it, so its marks do
  // not matter. Without a start state the automaton accepts nothing.
  void join_starts() {
    std::vector<Generalised::Edge> edges;
    for (const auto& [state, position] : starts_)
      edges.insert(edges.end(), automaton_.edges[state].begin(), automaton_.edges[state].end());
    automaton_.initial = automaton_.size();
    automaton_.edges.push_back(std::move(edges));
  }

  [[nodiscard]] bool has_acceptance_on_states() const {
    if (automaton_.mark_count > 1) return false;
    return std::all_of(automaton_.edges.begin(), automaton_.edges.end(), [](const auto& edges) {
      return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) { return edge.marks == edges[0].marks; });
    });
  }

  ir::Automaton as_it_is() {
    ir::Automaton result;
    result.initial = automaton_.initial;
    tidy_edges(automaton_);
    for (std::uint32_t state = 0; state < automaton_.size(); ++state) {
      auto& into = result.states.emplace_back();
      into.name = names_[state].empty() ? "S" + std::to_string(state) : names_[state];
      for (const auto& edge : automaton_.edges[state]) {
        into.accepting = edge.marks == automaton_.all_marks();
        into.edges.push_back({.target = edge.target, .condition = edge.condition, .asserted = {}, .range = {}});
      }
    }
    return result;
  }

  HoaLexer lexer_;
  HoaToken token_;
  std::vector<std::string> atoms_;
  std::map<std::string, Alias> aliases_;
  std::string acceptance_name_;
  bool has_acceptance_ = false;
  std::uint32_t declared_sets_ = 0;
  std::optional<std::uint32_t> declared_states_;
  std::map<std::uint32_t, std::uint32_t> marks_;  // of each acceptance set that is used
  std::vector<std::pair<std::uint32_t, Position>> starts_;
  Generalised automaton_;
  std::vector<std::string> names_;
  std::vector<bool> defined_;
};

}  // namespace

HoaAutomaton read_hoa(std::string_view text) {
  return HoaReader(text).run();
}

}  // namespace fathom::ltl
