// Networks of components built by hand, for tests of what no small model text can say: synchronisation and locations.
// Every variable that is not given a value at the start is undefined.
#pragma once

#include <gtest/gtest.h>

#include "ir/builder.hpp"
#include "ir/validate.hpp"

namespace fathom {

struct HandBuiltNetwork {
  Sources sources;
  ir::Program program;
  ir::Builder build{program};
  SourceRange here{sources.add("network", "network\n"), 0, 7};

  HandBuiltNetwork() {
    program.sources = &sources;
    auto start = std::make_unique<ir::Edge>();
    start->name = "start";
    start->range = here;
    program.starts.push_back(std::move(start));
  }
  HandBuiltNetwork(const HandBuiltNetwork&) = delete;
  HandBuiltNetwork& operator=(const HandBuiltNetwork&) = delete;

  const ir::Variable* variable(const std::string& name) { return build.variable(name, build.range(0, 9), here); }
  const ir::Variable* variable(const std::string& name, std::int64_t value) {
    const ir::Variable* const variable = this->variable(name);
    assign(*program.starts[0], place(variable), number(value));
    return variable;
  }

  ir::Component& component(const std::string& name, std::uint32_t locations = 1) {
    ir::Component& component = program.components.emplace_back();
    component.name = name;
    for (std::uint32_t k = 0; k < locations; ++k) component.locations.push_back("at " + std::to_string(k));
    if (locations > 1) component.location = build.variable(name, build.range(0, locations - 1), here);
    return component;
  }
  ir::Edge& edge(ir::Component& component, const std::string& name, std::uint32_t source = 0,
                 std::uint32_t target = 0) {
    ir::Edge& edge = *component.edges.emplace_back(std::make_unique<ir::Edge>());
    edge.name = name;
    edge.range = here;
    edge.source = source;
    edge.target = target;
    return edge;
  }
  ir::Edge& offers(ir::Edge& edge, const ir::Expr* port, std::vector<const ir::Expr*> values = {}) {
    edge.synchronisation = {ir::Synchronisation::Side::offers, port, std::move(values)};
    return edge;
  }
  ir::Edge& accepts(ir::Edge& edge, const ir::Expr* port, std::vector<const ir::Local*> received = {}) {
    edge.synchronisation = {ir::Synchronisation::Side::accepts, port, {}, std::move(received)};
    return edge;
  }
  const ir::Local* local(ir::Edge& edge, const std::string& name, const ir::Type* type) {
    return &ir::Builder::local(edge.routine, name, type, ir::Local::Storage::in_register, here);
  }
  const ir::Local* parameter(ir::Edge& edge, const std::string& name, std::int64_t last) {
    const ir::Type* const type = build.range(0, last);
    const ir::Local* const local = this->local(edge, name, type);
    edge.parameters.push_back({local, ir::domain_of(*type)});
    return local;
  }

  const ir::Place* place(const ir::Variable* variable) {
    ir::Place place;
    place.variable = variable;
    place.type = variable->type;
    return build.place(place);
  }
  const ir::Place* place(const ir::Local* local) {
    ir::Place place;
    place.local = local;
    place.type = local->type;
    return build.place(place);
  }
  const ir::Expr* number(std::int64_t value) { return build.constant(value, &ir::integer(), here); }
  // The fault of reading an undefined variable carries its name.
  template <class Name>
  const ir::Expr* read(const Name* name) {
    ir::Expr& read = build.expr(ir::Expr::Kind::read, name->type, here);
    read.place = place(name);
    read.site = build.site(ir::FaultKind::undefined_read, here, name->name);
    return &read;
  }
  const ir::Expr* binary(ir::Expr::Kind kind, const ir::Expr* a, const ir::Expr* b) {
    ir::Expr& expr = build.expr(kind, kind == ir::Expr::Kind::add ? &ir::integer() : build.boolean(), here);
    expr.a = a;
    expr.b = b;
    expr.site = build.site(ir::FaultKind::overflow, here, "overflow");
    return &expr;
  }
  const ir::Expr* equal(const ir::Expr* a, const ir::Expr* b) { return binary(ir::Expr::Kind::equal, a, b); }
  const ir::Expr* add(const ir::Expr* a, const ir::Expr* b) { return binary(ir::Expr::Kind::add, a, b); }

  void assign(ir::Edge& edge, const ir::Place* place, const ir::Expr* value) {
    ir::Stmt& assign = build.stmt(ir::Stmt::Kind::assign, here);
    assign.place = place;
    assign.value = value;
    assign.site = build.site(ir::FaultKind::out_of_range, here, "out of range");
    edge.routine.body.push_back(&assign);
  }

  // To be called once, when everything is there.
  void finish() {
    for (const auto& start : program.starts) ir::Builder::lay_out(start->routine);
    for (ir::Component& component : program.components)
      for (const auto& edge : component.edges) ir::Builder::lay_out(edge->routine);
    EXPECT_EQ(ir::validate(program), std::vector<std::string>{});
  }
};

}  // namespace fathom
