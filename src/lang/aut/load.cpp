#include "lang/aut/load.hpp"

#include "ir/builder.hpp"
#include "lang/aut/reader.hpp"

namespace fathom::aut {

namespace {

class Lowering {
 public:
  Lowering(const Sources& sources, FileId file, const System& system) : system_(system) {
    program_->sources = &sources;
    program_->name = sources.path(file);
    program_->language = "aut";
  }

  std::unique_ptr<ir::Program> run() {
    const ir::Variable* const state = build_.variable("state", build_.range(0, system_.states - 1), system_.header);
    add_start(state);
    add_component(state);
    add_end();
    return std::move(program_);
  }

 private:
  void add_start(const ir::Variable* state) {
    auto start = std::make_unique<ir::Edge>();
    start->name = "start";
    start->range = system_.header;
    ir::Stmt& go = build_.stmt(ir::Stmt::Kind::assign, system_.header);
    ir::Place place;
    place.variable = state;
    place.type = state->type;
    place.range = system_.header;
    go.place = build_.place(std::move(place));
    go.value = build_.constant(system_.first, state->type, system_.header);
    go.site = build_.site(ir::FaultKind::out_of_range, system_.header, "state");
    start->routine.body.push_back(&go);
    program_->starts.push_back(std::move(start));
  }

  void add_component(const ir::Variable* state) {
    ir::Component& component = program_->components.emplace_back();
    component.name = "system";
    component.location = state;
    component.locations.reserve(system_.states);
    for (std::uint32_t k = 0; k < system_.states; ++k) component.locations.push_back(std::to_string(k));
    component.edges.reserve(system_.transitions.size());
    for (const Transition& transition : system_.transitions) {
      ir::Edge& edge = *component.edges.emplace_back(std::make_unique<ir::Edge>());
      edge.name = system_.labels[transition.label];
      edge.range = transition.range;
      edge.source = transition.from;
      edge.target = transition.to;
    }
  }

  // A system without an end of its own: every state without transitions is a deadlock, and no other is, whatever loops
  // it has.
  void add_end() {
    auto end = std::make_unique<ir::Property>();
    end->kind = ir::Property::Kind::valid_end;
    end->name = "end";
    end->range = system_.header;
    end->condition = build_.constant(0, build_.boolean(), system_.header);
    program_->properties.push_back(std::move(end));
  }

  const System& system_;
  std::unique_ptr<ir::Program> program_ = std::make_unique<ir::Program>();
  ir::Builder build_{*program_};
};

}  // namespace

std::unique_ptr<ir::Program> load(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  const System system = read(sources, file, diagnostics);
  if (diagnostics.failed()) return nullptr;
  return Lowering(sources, file, system).run();
}

}  // namespace fathom::aut
