// The product of a model and the automaton of its bad runs, as a graph whose nodes are pairs of a stored state and a
// state of the automaton. States of the model are stored once, whatever the automaton remembers of the way there; a
// node is a number, so that a search keeps what it knows of nodes in plain arrays.
//
// A state is expanded once for each node it is part of, and once more by a second search. Where it turns out that this
// happens often, it is kept where the steps of a state led, as long as there is memory for that: to repeat the steps
// takes several times as long.
//
// In a node the automaton reads the atoms of the state and moves, then the model moves. A state in which the model
// cannot move stays as it is for ever, where the claim reads finite runs that way.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "property/doubtful_moves.hpp"
#include "property/fairness.hpp"
#include "property/ltl/translate.hpp"
#include "property/reduced_graph.hpp"
#include "search/search.hpp"
#include "store/indexed_store.hpp"
#include "support/growing_bytes.hpp"
#include "support/plain_list.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

using Node = std::uint64_t;

// The step of an edge that stands for staying in a final state.
inline constexpr InstanceId stuttering_step{UINT64_MAX};

struct ProductEdge {
  Node target = 0;
  InstanceId step{};
  std::uint32_t marks = 0;  // number of a set of fairness marks
  bool progress = false;    // of the step, where steps make progress and not states
};

// What there is to know about a node once it was expanded.
struct Expansion {
  bool accepting = false;
  bool complete = true;                    // false: memory is used up
  std::optional<Violation> violation;      // something went wrong in this node or in a step from it
  std::optional<InstanceId> failing_step;  // in this one
};

// `Store` is an IndexedStore or what several threads have of one.
template <Model M, class Store = IndexedStore>
class Product {
 public:
  // `acceptance`: the number of an atom; states in which it holds are accepting whatever the automaton says.
  Product(M& model, Store& store, std::uint32_t claim, const ir::Automaton& automaton,
          std::optional<std::uint32_t> acceptance, bool stutters, Fairness* fairness, const RunRules& rules = {})
      : model_(model),
        store_(store),
        acceptance_(acceptance),
        number_(claim),
        automaton_(automaton),
        place_bits_(static_cast<int>(std::bit_width(std::max<std::size_t>(1, automaton.states.size()) - 1))),
        place_mask_((Node{1} << place_bits_) - 1),
        stutters_(stutters),
        fairness_(fairness),
        rules_(rules),
        parts_(parts_of(automaton, acceptance.has_value())) {}

  // Whether the table of the store may grow by so many bytes, beside all that a search keeps; null: it may.
  std::function<bool(std::uint64_t)> may_grow;

  // A bound on the numbers of nodes so far.
  [[nodiscard]] std::uint64_t size() const { return nodes_below(store_.size()); }
  [[nodiscard]] Node nodes_below(std::uint64_t states) const { return states << place_bits_; }
  [[nodiscard]] StateView state(Node node) const { return store_.state(id_of(node)); }
  // Where the automaton is in a node.
  [[nodiscard]] std::size_t place(Node node) const { return node & place_mask_; }
  // A cycle stays in one part of the automaton.
  [[nodiscard]] std::uint32_t part(Node node) const { return part_of(node).number; }
  // Whether a cycle through the node may have accepting nodes.
  [[nodiscard]] bool may_accept(Node node) const { return part_of(node).may_accept; }
  // Whether a cycle through the node has accepting nodes, and no others.
  [[nodiscard]] bool surely_accepts(Node node) const { return part_of(node).may_accept && part_of(node).all_accept; }
  // Whether it may have both.
  [[nodiscard]] bool is_mixed(Node node) const { return part_of(node).may_accept && !part_of(node).all_accept; }
  [[nodiscard]] std::uint64_t bytes() const {
    return store_.bytes() + links_.capacity() * sizeof(Link) + links_of_.capacity() * sizeof(links_of_[0]) +
           expanded_.size();
  }
  // Gives up what is only kept to save time.
  void spare_memory() {
    keeps_links_ = false;
    links_ = {};
    links_of_ = {};
  }
  [[nodiscard]] Marks all_marks() const { return fairness_ == nullptr ? Marks(1) : fairness_->all(); }
  [[nodiscard]] Marks marks(const ProductEdge& edge) const { return mark_sets_[edge.marks]; }
  // Every state keeps only the steps that were settled on.
  void restrict_to(ReducedGraph<M>& graph) { reduced_ = &graph; }
  // Only the first so many states of the store are part of the graph.
  void restrict_to_first(std::uint64_t states) { limit_ = states; }
  // Whether a step led out of them.
  [[nodiscard]] bool left_out() const { return left_out_; }
  [[nodiscard]] std::vector<StrongPair> strong_pairs() const {
    return fairness_ == nullptr ? std::vector<StrongPair>() : fairness_->strong_pairs();
  }
  // Another search begins. That it expands what the one before did is no sign that steps are repeated often.
  void begin_anew() { expansions_ = 0; }
  // Whether every step of every state was looked at: the automaton may have no interest in some states.
  [[nodiscard]] bool covers_model() const { return expanded_states_ == store_.states(); }
  // Counts in what another product of the same store has expanded.
  template <class Other>
  void add_expanded(const Other& other) {
    room_ = 0;  // the other one may have used it up
    other.each_expanded([this](StateId id) { note_expanded(id); });
  }
  template <class Visit>
  void each_expanded(const Visit& visit) const {
    for (std::uint64_t id = 0; id < expanded_.size(); ++id)
      if (expanded_[id]) visit(StateId{id});
  }
  // For a checkpoint: what it knows of the whole model. Where steps led is found again when it is asked for.
  void save(SealedWriter& out) const {
    store_.save(out);
    out.byte_list({expanded_.data(), expanded_.size()});
    out.list({expansions_, left_out_});
    out.number(mark_sets_.size());
    for (const Marks& marks : mark_sets_) out.text(marks.to_string());
  }
  // Into a product whose store is empty. False at the memory limit.
  [[nodiscard]] bool load(SealedReader& in) {
    if (!store_.load(in)) return false;
    const std::vector<std::uint8_t> expanded = in.byte_list();
    for (std::uint64_t id = 0; id < expanded.size(); ++id)
      if (expanded[id] != 0) note_expanded(StateId{id});
    const std::vector<std::uint64_t> numbers = in.list();
    expansions_ = numbers.at(0);
    left_out_ = numbers.at(1) != 0;
    mark_sets_.clear();
    for (std::uint64_t k = in.number(); k > 0; --k) mark_sets_.emplace_back(in.text());
    return true;
  }
  // Whether some states or steps of the model are not part of the graph.
  [[nodiscard]] bool is_restricted() const { return reduced_ != nullptr || limit_ != UINT64_MAX; }
  [[nodiscard]] Store& store() { return store_; }
  // Of the node expanded last: the marks of those who cannot move there, and of the automaton if it accepts.
  [[nodiscard]] const Marks& node_marks() const { return node_marks_; }

  // The nodes of the start states. A fault in a start state is the first thing such an expansion tells.
  Expansion starts(std::vector<Node>& out) {
    Expansion result;
    batch_.clear();
    model_.initial(batch_);
    result.complete = has_room();
    if (!result.complete) return result;
    for (std::uint32_t k = 0; k < batch_.size(); ++k) {
      if (batch_.outcome(k).is_fault() && !result.violation) {
        result.violation = Violation{Violation::Kind::fault, 0, batch_.outcome(k).site()};
        result.failing_step = batch_.instance(k);
      }
      if (!batch_.outcome(k).ok()) continue;
      const StateId id = insert(k);
      if (index_of(id) < limit_)
        out.push_back(node(id, automaton_.initial));
      else
        left_out_ = true;
    }
    return result;
  }

  // Gives the edges of a node to out.push_back(). `fire` is called for each step of the model; `assertions`: whether a
  // failed assertion after which a step goes on counts.
  template <class Edges, class Fire>
  Expansion expand(Node node, bool assertions, Edges& out, const Fire& fire) {
    Member member{node};
    node_marks_.reset();
    move_automaton(member);
    if (!member.moves || add_known_steps(member, out, fire)) return member.found;
    batch_.clear();
    model_.successors(state(node), batch_);
    member.found.complete = has_room();
    if (!member.found.complete) return member.found;
    note_marks(member.found.accepting);
    if (reduced_ != nullptr && reduced_->select(id_of(node), state(node), batch_, chosen_))
      batch_.keep(0, chosen_, model_.state_words());
    insert_successors();
    if constexpr (requires { out.prefetch(Node()); }) prefetch_targets(targets_.front(), out);
    add_steps(member, batch_.size(), assertions, out, fire);
    return member.found;
  }

  // Expands several nodes, so that the look-ups of all their successors are under way together. next() gives the nodes,
  // as long as there are any. out.prepare(bound) is called before the first edge; then out.push_back() gets the edges
  // of each node, and out.opened(node, expansion) what else there is to know of it. False: memory is used up.
  template <class Next, class Edges, class Fire>
  bool expand_together(const Next& next, bool assertions, Edges& out, const Fire& fire) {
    gather(next);
    if (!has_room()) return false;
    insert_successors();
    out.prepare(size());
    prefetch_targets(0, out);
    const bool in_runs = endings_ == 0 && has_plain_edges() && !keeping_links_;
    for (std::size_t k = 0; k < members_;) {
      const std::size_t end = in_runs ? end_of_run(k) : k + 1;
      if (group_[k].moves) add_steps_of_run(group_[k], end, assertions, out, fire);
      for (; k < end; ++k) out.opened(group_[k].node, group_[k].found);
    }
    return true;
  }

 private:
  struct Link {
    StateId target;
    InstanceId step;
  };
  using Links = std::span<const Link>;

  // A node that is being expanded, perhaps in a group with others.
  struct Member {
    Node node = 0;
    std::uint32_t first = 0;  // of its steps in the batch
    std::uint64_t atoms = 0;  // that hold in its state
    bool moves = false;       // the automaton can go on from there
    bool has_steps = false;   // in the batch
    bool alike = false;       // the automaton goes on as from the member before; in a group, both have steps there
    Expansion found = {};
  };
  static constexpr std::uint32_t enough_steps = 96;  // of a group: see StepGroup

  [[nodiscard]] Node node(StateId state, std::uint32_t place) const { return index_of(state) << place_bits_ | place; }
  [[nodiscard]] StateId id_of(Node node) const { return StateId{node >> place_bits_}; }
  [[nodiscard]] const ir::Automaton::State& place_of(Node node) const { return automaton_.states[place(node)]; }
  [[nodiscard]] const ltl::Part& part_of(Node node) const { return parts_[place(node)]; }
  StateId insert(std::uint32_t k) { return store_.insert(batch_.state(k), store_.hash(batch_.state(k))).id; }

  [[nodiscard]] bool is_accepting(Node node, std::uint64_t atoms) const {
    return place_of(node).accepting || (acceptance_ && (atoms >> *acceptance_ & 1) != 0);
  }

  // For the successors in the batch. Those of a node that was expanded before need none.
  [[gnu::always_inline]] bool has_room() { return make_room(batch_.size()) || all_known(); }

  [[gnu::noinline]] bool all_known() {
    if constexpr (requires { store_.contains(StateView(), Hash()); }) {
      for (std::uint32_t k = 0; k < batch_.size(); ++k)
        if (batch_.outcome(k).has_successor() && !store_.contains(batch_.state(k), store_.hash(batch_.state(k))))
          return false;
      return true;
    } else {
      return false;
    }
  }

  [[nodiscard]] bool table_may_grow(std::uint64_t states) const {
    if constexpr (requires { store_.growth_for(states); })
      if (const std::uint64_t growth = store_.growth_for(states); growth > 0 && may_grow) return may_grow(growth);
    return true;
  }

  // The store is asked only when what it had room for may be used up.
  [[gnu::always_inline]] bool make_room(std::uint64_t states) {
    if constexpr (requires { store_.room(); }) {
      if (room_ < states) {
        if (!table_may_grow(states) || !store_.reserve(states)) return false;
        room_ = std::max(store_.room(), states);
      }
      room_ -= states;
      return true;
    } else {
      return store_.reserve(states);
    }
  }

  [[gnu::always_inline]] void note_expanded(StateId id) {
    ++expansions_;
    expanded_.cover(index_of(id) + 1);
    std::uint8_t& known = expanded_[index_of(id)];
    expanded_states_ += known == 0 ? 1 : 0;
    known = 1;
  }

  static std::vector<ltl::Part> parts_of(const ir::Automaton& automaton, bool accepts_anywhere) {
    std::vector<ltl::Part> parts = ltl::parts_of(automaton);
    if (accepts_anywhere)
      for (ltl::Part& part : parts) part = {part.number, true, false};
    return parts;
  }

  // Puts nodes and their steps into the group and the batch, until they are enough.
  template <class Next>
  void gather(const Next& next) {
    batch_.clear();
    bool before = false;  // whether the member before has steps
    for (members_ = 0; members_ < group_.size() && batch_.size() < enough_steps; ++members_) {
      const std::optional<Node> node = next();
      if (!node) return;
      Member& member = group_[members_];
      member = {*node, batch_.size()};
      move_automaton(member);
      if (member.moves && links_from(id_of(*node)).empty()) model_.successors(state(*node), batch_);
      member.has_steps = batch_.size() > member.first;
      member.alike = member.alike && member.has_steps && before;
      before = member.has_steps;
    }
  }

  // Members that are alike can be done in one go, where all steps lead somewhere and no links are kept.
  [[nodiscard]] std::size_t end_of_run(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < members_ && group_[end].alike) ++end;
    return end;
  }

  // The edges of the steps of a member and of those after it, up to `end`.
  template <class Edges, class Fire>
  [[gnu::always_inline]] void add_steps_of_run(Member& member, std::size_t end, bool assertions, Edges& out,
                                               const Fire& fire) {
    find_targets(member);
    if (!member.has_steps && add_known_steps(member, out, fire)) return;
    add_steps(member, end < members_ ? group_[end].first : batch_.size(), assertions, out, fire);
  }

  // Reads the atoms of the state and finds where the automaton can go from there.
  [[gnu::always_inline]] void move_automaton(Member& member) {
    AtomValues values;
    const ir::SiteId site = model_.atoms(state(member.node), number_, values);
    if (site != ir::SiteId::none && moves_depend_on(place_of(member.node), values)) {
      member.found.violation = Violation{Violation::Kind::fault, 0, site};
      return;
    }
    member.atoms = values.holding;
    member.found.accepting = is_accepting(member.node, member.atoms);
    find_targets(member);
    member.moves = !targets_.empty();
    if (member.moves) note_expanded(id_of(member.node));
  }

  [[gnu::always_inline]] void find_targets(Member& member) {
    const ir::Automaton::State& place = place_of(member.node);
    member.alike = &place == moved_from_ && member.atoms == moved_with_;
    if (!member.alike) find_targets(place, member.atoms, member.found);
  }

  // Finds where the automaton can go, each place once.
  void find_targets(const ir::Automaton::State& place, std::uint64_t atoms, Expansion& result) {
    targets_.clear();
    for (std::uint32_t k = 0; k < place.edges.size(); ++k) {
      const ir::Automaton::Edge& edge = place.edges[k];
      if (!edge.condition.admits(atoms)) continue;
      if (edge.asserted && (atoms >> *edge.asserted & 1) == 0 && !result.violation)
        result.violation = Violation{Violation::Kind::claim_assertion, number_, ir::SiteId::none};
      if (automaton_.states[edge.target].end) {
        if (!result.violation) result.violation = Violation{Violation::Kind::claim_end, number_, ir::SiteId::none};
      } else if (std::ranges::count(targets_, edge.target) == 0) {
        targets_.push_back(edge.target);
      }
    }
    moved_from_ = result.violation ? nullptr : &place;
    moved_with_ = atoms;
  }

  // The edges of the node's steps, as far as it is known where they lead. False: it is not.
  template <class Edges, class Fire>
  [[gnu::always_inline]] bool add_known_steps(Member& member, Edges& out, const Fire& fire) {
    const Links known = links_from(id_of(member.node));
    if (known.empty()) return false;
    for (const Link& link : known) fire(link.step);
    if (has_plain_edges())
      add_plain_edges(known.size(), out, [&](std::size_t k) { return known[k]; });
    else
      for (const Link& link : known) add_edges(link.target, link.step, 0, out);
    node_marks_.set(0, member.found.accepting);
    return true;
  }

  // The edges of the node's steps, which end before `end` in the batch and have been looked up.
  template <class Edges, class Fire>
  [[gnu::always_inline]] void add_steps(Member& member, std::uint32_t end, bool assertions, Edges& out,
                                        const Fire& fire) {
    const bool plain = endings_ == 0 && has_plain_edges();
    const bool moves =
        plain ? add_plain_steps(member, end, out, fire) : add_any_steps(member, end, assertions, out, fire);
    if (!moves && stutters_ && !member.found.violation)
      for (const std::uint32_t target : targets_) out.push_back({node(id_of(member.node), target), stuttering_step, 0});
  }

  // False: the model cannot move here.
  template <class Edges, class Fire>
  bool add_any_steps(Member& member, std::uint32_t end, bool assertions, Edges& out, const Fire& fire) {
    Expansion& result = member.found;
    bool moves = false;
    bool plain = keeping_links_;
    const std::size_t first_link = links_.size();
    for (std::uint32_t k = member.first; k < end; ++k) {
      const Outcome outcome = batch_.outcome(k);
      plain = plain && outcome.ok();
      if (outcome.is_blocked()) continue;
      fire(batch_.instance(k));
      if (outcome.is_fault() && (assertions || !outcome.goes_on()) && !result.violation) {
        result.violation = Violation{Violation::Kind::fault, 0, outcome.site()};
        result.failing_step = batch_.instance(k);
      }
      if (!outcome.has_successor()) continue;
      moves = true;
      const std::uint32_t marks =
          fairness_ == nullptr ? 0 : number_of(fairness_->moving(state(member.node), batch_.instance(k)));
      if (plain) links_.push_back({successors_[k], batch_.instance(k)});
      add_edges(successors_[k], batch_.instance(k), marks, out);
    }
    keep_links(id_of(member.node), first_link, plain);
    return moves;
  }

  // The nodes of all successors in the batch, with this place.
  template <class Edges>
  [[gnu::always_inline]] void prefetch_targets(std::uint32_t place, const Edges& out) const {
    const StateId* const successors = successors_.data();
    const std::uint32_t count = batch_.size();
    for (std::uint32_t k = 0; k < count; ++k) out.prefetch(node(successors[k], place));
  }

  // Whether there is no more to say of an edge than where it leads.
  [[nodiscard]] bool has_plain_edges() const {
    return fairness_ == nullptr && limit_ == UINT64_MAX && rules_.progress.empty();
  }

  // As add_any_steps, where all steps lead somewhere: that is nearly always so, and time is spent here.
  template <class Edges, class Fire>
  [[gnu::always_inline]] bool add_plain_steps(const Member& member, std::uint32_t end, Edges& out, const Fire& fire) {
    const fathom_step* const steps = batch_.steps() + member.first;
    const StateId* const successors = successors_.data() + member.first;
    const std::uint32_t count = end - member.first;
    if constexpr (requires { fire(steps, count); })
      fire(steps, count);
    else
      for (std::uint32_t k = 0; k < count; ++k) fire(InstanceId{steps[k].instance});
    add_plain_edges(count, out, [=](std::size_t k) { return Link{successors[k], InstanceId{steps[k].instance}}; });
    if (!keeping_links_) return count != 0;
    const std::size_t first = links_.size();
    for (std::uint32_t k = 0; k < count; ++k) links_.push_back({successors[k], InstanceId{steps[k].instance}});
    keep_links(id_of(member.node), first, true);
    return count != 0;
  }

  // The edges of steps with these links: for each one for each way the automaton can go.
  template <class Edges, class LinkAt>
  [[gnu::always_inline]] void add_plain_edges(std::size_t count, Edges& out, const LinkAt& link_at) const {
    const std::uint32_t* const targets = targets_.data();
    const std::size_t ways = targets_.size();
    const std::uint32_t first = targets[0];
    const int bits = place_bits_;
    for (std::size_t k = 0; k < count; ++k) {
      const Link link = link_at(k);
      const Node lowest = index_of(link.target) << bits;
      out.push_back({lowest | first, link.step, 0, false});
      for (std::size_t j = 1; j < ways; ++j) out.push_back({lowest | targets[j], link.step, 0, false});
    }
  }

  // The edges of one step: one for each way the automaton can go.
  template <class Edges>
  void add_edges(StateId successor, InstanceId step, std::uint32_t marks, Edges& out) {
    if (index_of(successor) >= limit_) {
      left_out_ = true;
      return;
    }
    const bool progress = rules_.is_progress(edge_of(step));
    for (const std::uint32_t target : targets_)
      if (!progress || !automaton_.states[target].accepting)  // the automaton waits for the last progress
        out.push_back({node(successor, target), step, marks, progress});
  }

  // ---- Where the steps of states led.
  static constexpr unsigned count_bits = 16;

  [[nodiscard]] Links links_from(StateId id) const {
    if (index_of(id) >= links_of_.size()) return {};
    const std::uint64_t kept = links_of_[index_of(id)];
    return {links_.data() + (kept >> count_bits), kept & ((std::uint64_t{1} << count_bits) - 1)};
  }

  // Fairness and reductions have more to ask of a step than where it leads. One in four expansions must be a
  // repetition.
  [[nodiscard]] bool pays_to_keep_links() const {
    return keeps_links_ && fairness_ == nullptr && reduced_ == nullptr && expansions_ > 4096 &&
           4 * expanded_states_ < 3 * expansions_;
  }

  // Those from `first` on are the steps of a state, if they can be kept.
  void keep_links(StateId id, std::size_t first, bool plain) {
    const std::size_t count = links_.size() - first;
    if (!plain || count == 0 || count >> count_bits != 0) return links_.resize(first);
    if (index_of(id) >= links_of_.size()) links_of_.resize(store_.size());
    links_of_[index_of(id)] = first << count_bits | count;
  }

  // Look-ups of one state's successors are independent of each other, so they can be under way together.
  void insert_successors() {
    if (hashes_.size() < batch_.size()) {
      hashes_.resize(batch_.size());
      slots_.resize(batch_.size());
      successors_.resize(batch_.size());
    }
    without_loop(
        model_.state_words(),
        [this]<std::uint32_t... k>(std::integer_sequence<std::uint32_t, k...>) { insert_through<sizeof...(k)>(); },
        [this] { insert_through<0>(); });
    keeping_links_ = pays_to_keep_links();
  }

  // The loops run once per transition, so pointers are held in locals: see StepGroup.
  template <std::uint32_t known>
  void insert_through() {
    const fathom_step* const steps = batch_.steps();
    const std::uint64_t* const words = batch_.all_words();
    const std::uint32_t count = batch_.size();
    Hash* const __restrict hashes = hashes_.data();
    std::uint64_t* const __restrict slots = slots_.data();
    StateId* const __restrict successors = successors_.data();
    const auto next_index = [this] { return store_.next_index(); };
    typename Store::template OwnView<known> store(store_.whole());
    std::uint32_t endings = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      endings |= steps[k].fault;
      hashes[k] = store.hash(words + steps[k].offset);
      store.prefetch(hashes[k]);
    }
    endings_ = endings;
    for (std::uint32_t k = 0; k < count; ++k) slots[k] = store.approach(hashes[k]);
    for (std::uint32_t k = 0; k < count; ++k)
      if (Outcome{steps[k].fault}.has_successor())
        successors[k] = store.insert_or_find(slots[k], words + steps[k].offset, hashes[k], next_index).id;
  }

  void note_marks(bool accepting) {
    if (fairness_ != nullptr) node_marks_ = fairness_->of_state(batch_);
    node_marks_.set(0, accepting);
  }

  std::uint32_t number_of(const Marks& marks) {
    for (std::uint32_t k = 0; k < mark_sets_.size(); ++k)
      if (mark_sets_[k] == marks) return k;
    mark_sets_.push_back(marks);
    return static_cast<std::uint32_t>(mark_sets_.size() - 1);
  }

  M& model_;
  Store& store_;
  std::optional<std::uint32_t> acceptance_;
  std::uint32_t number_;
  const ir::Automaton& automaton_;
  const int place_bits_;  // a node is the number of a state, and in these lowest bits that of a place of the automaton
  const Node place_mask_;
  bool stutters_;
  Fairness* fairness_;
  const RunRules rules_;
  const std::vector<ltl::Part> parts_;  // by places
  Batch batch_;
  // By steps of the batch: where the look-ups of their successors are, and what they found.
  std::vector<Hash> hashes_;
  std::vector<std::uint64_t> slots_;
  std::vector<StateId> successors_;
  std::uint32_t endings_ = 0;  // 0: all steps lead somewhere
  std::array<Member, enough_steps> group_;
  std::size_t members_ = 0;            // of the group
  std::vector<std::uint32_t> chosen_;  // steps of the batch
  ReducedGraph<M>* reduced_ = nullptr;
  std::vector<std::uint32_t> targets_;
  // For which place and atoms these are the targets, with nothing to report.
  const ir::Automaton::State* moved_from_ = nullptr;
  std::uint64_t moved_with_ = 0;
  std::vector<Marks> mark_sets_ = std::vector<Marks>(1);
  Marks node_marks_;
  std::uint64_t limit_ = UINT64_MAX;
  bool left_out_ = false;
  bool keeps_links_ = true;
  bool keeping_links_ = false;  // of the steps in the batch
  PlainList<Link> links_;
  PlainList<std::uint64_t> links_of_;  // by states: the first link and how many there are, 0 where none are kept
  GrowingBytes expanded_;              // by states
  std::uint64_t expanded_states_ = 0;
  std::uint64_t room_ = 0;  // so many states can still be inserted
  std::uint64_t expansions_ = 0;
};

}  // namespace fathom
