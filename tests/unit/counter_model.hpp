// A model small enough to know by heart, for tests of traces and reports: x counts from 0 in steps of one or two (the
// parameter of the rule) up to 3, and an assertion in the rule says that x is never 3 before a step of one.
#pragma once

#include "ir/builder.hpp"

namespace fathom {

struct CounterModel {
  Sources sources;
  ir::Program program;
  ir::SiteId too_large{};
  ir::SiteId failed_assertion{};

  CounterModel(const CounterModel&) = delete;
  CounterModel& operator=(const CounterModel&) = delete;

  CounterModel() {
    const FileId file = sources.add("counter.m", "x < 3\n");
    here_ = {file, 0, 5};
    program.name = "counter.m";
    program.language = "murphi";
    program.sources = &sources;
    ir::Builder builder(program);
    x_ = builder.variable("x", builder.range(0, 3), here_);
    too_large = builder.site(ir::FaultKind::out_of_range, here_, "x + by");
    failed_assertion = builder.site(ir::FaultKind::assertion, here_, "x is small");
    add_start(builder);
    add_rule(builder);
    add_invariant(builder);
  }

 private:
  const ir::Place* x(ir::Builder& builder) const {
    ir::Place place;
    place.variable = x_;
    place.type = x_->type;
    place.range = here_;
    return builder.place(place);
  }

  const ir::Expr* read(ir::Builder& builder, const ir::Place* place) const {
    ir::Expr& expr = builder.expr(ir::Expr::Kind::read, place->type, here_);
    expr.place = place;
    return &expr;
  }

  const ir::Expr* binary(ir::Builder& builder, ir::Expr::Kind kind, const ir::Expr* a, const ir::Expr* b) const {
    ir::Expr& expr = builder.expr(kind, kind == ir::Expr::Kind::add ? &ir::integer() : builder.boolean(), here_);
    expr.a = a;
    expr.b = b;
    return &expr;
  }

  const ir::Expr* x_below_3(ir::Builder& builder) const {
    return binary(builder, ir::Expr::Kind::less, read(builder, x(builder)), builder.constant(3, &ir::integer(), here_));
  }

  void add_start(ir::Builder& builder) {
    auto edge = std::make_unique<ir::Edge>();
    edge->name = "zero";
    edge->range = here_;
    ir::Stmt& assign = builder.stmt(ir::Stmt::Kind::assign, here_);
    assign.place = x(builder);
    assign.value = builder.constant(0, &ir::integer(), here_);
    assign.site = too_large;
    edge->routine.body.push_back(&assign);
    ir::Builder::lay_out(edge->routine);
    program.starts.push_back(std::move(edge));
  }

  void add_rule(ir::Builder& builder) {
    auto edge = std::make_unique<ir::Edge>();
    edge->name = "count";
    edge->range = here_;
    const ir::Type* steps = builder.range(1, 2);
    ir::Local& by = ir::Builder::local(edge->routine, "by", steps, ir::Local::Storage::in_register, here_);
    edge->parameters.push_back({&by, ir::domain_of(*steps)});
    ir::Place by_place;
    by_place.local = &by;
    by_place.type = steps;
    by_place.range = here_;

    ir::Stmt& check = builder.stmt(ir::Stmt::Kind::check, here_);
    check.value = x_below_3(builder);
    check.site = failed_assertion;
    ir::Stmt& assign = builder.stmt(ir::Stmt::Kind::assign, here_);
    assign.place = x(builder);
    assign.value =
        binary(builder, ir::Expr::Kind::add, read(builder, x(builder)), read(builder, builder.place(by_place)));
    assign.site = too_large;
    edge->routine.body = {&check, &assign};
    ir::Builder::lay_out(edge->routine);
    program.components.emplace_back();
    program.components.back().locations.emplace_back();
    program.components.back().edges.push_back(std::move(edge));
  }

  void add_invariant(ir::Builder& builder) {
    auto property = std::make_unique<ir::Property>();
    property->name = "small";
    property->range = here_;
    property->condition = x_below_3(builder);
    ir::Builder::lay_out(property->routine);
    program.properties.push_back(std::move(property));
  }

  SourceRange here_;
  const ir::Variable* x_ = nullptr;
};

}  // namespace fathom
