// Random small models as text, in both languages: a few processes that share variables and channels, with assertions
// and conditions that now and then fail. The same seed gives the same text.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

namespace fathom {

class RandomText {
 public:
  explicit RandomText(std::uint64_t seed) : random_(seed) {}

 protected:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }
  std::string pick(const std::vector<std::string>& choices) { return choices[below(unsigned(choices.size()))]; }

 private:
  std::mt19937_64 random_;
};

class RandomPromela : RandomText {
 public:
  enum class Processes { stay, come_and_go };
  explicit RandomPromela(std::uint64_t seed, Processes processes = Processes::stay)
      : RandomText(seed), come_and_go_(processes == Processes::come_and_go) {}

  std::string text() {
    channels_ = below(4);
    meetings_ = below(2);
    std::string out = "byte x, y, z;\nbyte a[3];\n";
    for (unsigned k = 0; k < channels_; ++k) out += fmt::format("chan c{} = [{}] of {{ byte }};\n", k, 1 + below(2));
    if (meetings_ > 0) out += "chan r = [0] of { byte };\n";
    const bool passed = channels_ > 1 && one_in(3);
    const bool coming = come_and_go_ && !passed;
    if (passed) out += passing_processes();
    if (coming) out += coming_processes();
    const unsigned processes = coming ? 1 : 2 + below(passed ? 1 : 2);
    for (unsigned k = 0; k < processes; ++k) {
      own_ = 'A' + static_cast<char>(k);
      out += fmt::format("active proctype {}() {{\n  {};\n{}{}}}\n", own_, pick({"byte i", "unsigned i : 2"}),
                         one_in(4) ? "end:\n" : "", sequence(1 + below(4), 2));
    }
    return out;
  }

 private:
  // Processes that are given their channels when they are created.
  std::string passing_processes() {
    std::string out = "proctype G(chan in; chan out) {\n  byte i;\n";
    out += pick({"  in?i; out!i;\n", "  do :: in?i -> out!i :: i < 2 -> i++; out!i :: i == 2 -> break od;\n"});
    out += "  if :: x == 1 -> y = 1 :: else fi\n}\n";
    const std::string body = "run G(c0, c1); run G(c1, c0)";
    return out + (one_in(2) ? "init { atomic { " + body + " } }\n" : "init { " + body + "; c0!1 }\n");
  }

  // Processes that come and go, some with channels of their own that they give to others. Now and then one looks at its
  // number.
  std::string coming_processes() {
    const std::string kind = std::to_string(below(2));
    std::string out = "proctype K(byte i) {\n";
    if (one_in(4)) out += pick({"  x = _pid;\n", "  assert(_pid != 3);\n", "  assert(_nr_pr < 4);\n"});
    out += (one_in(2) ? sequence(1, 0) : "") + "  if :: i > 0 -> run K(i - 1) :: else fi;\n";
    out += (one_in(2) ? sequence(1, 0) : "") + "}\nproctype W(chan up; byte i) {\n";
    out += "  chan me = [" + kind + "] of { byte };\n  if :: i > 0 -> run W(me, i - 1); me?i; up!i";
    out += pick({"", "; run W(me, 0); me?i"}) + " :: else -> up!1 fi";
    out += (one_in(2) ? ";\n" + sequence(1, 0) : "") + "}\n";
    out += "init {\n  chan me = [" + kind + "] of { byte }; byte i;\n";
    std::vector<std::string> parts{"run K(1)",           "run K(0)", "run W(me, 1); me?i",
                                   "run W(me, 0); me?i", simple(),   "i = run K(0); assert(i != 3)"};
    for (unsigned k = 2 + below(2); k > 0; --k) out += "  " + pick(parts) + ";\n";
    return out + "}\n";
  }

  std::string variable() {
    return pick({"x", "y", "z", "a[0]", "a[1]", "a[2]", "i", one_in(3) ? "a[i % 3]" : one_in(6) ? "a[i]" : "x"});
  }
  std::string value() { return std::to_string(below(3)); }

  std::string condition() {
    std::vector<std::string> all{
        fmt::format("{} == {}", variable(), value()),
        fmt::format("{} != {}", variable(), value()),
        fmt::format("{} < {}", variable(), value()),
        fmt::format("{} == {}", variable(), variable()),
        fmt::format("{} == {} && {} != {}", variable(), value(), variable(), value()),
        fmt::format("({} == {} || {} > {})", variable(), value(), variable(), value()),
    };
    if (channels_ > 0 && one_in(3)) all.push_back(fmt::format("len(c{}) == {}", below(channels_), value()));
    if (one_in(8)) all.push_back(fmt::format("_nr_pr == {}", 1 + below(3)));
    return pick(all);
  }

  std::string message() {
    const std::string channel = meetings_ > 0 && one_in(3) ? "r" : fmt::format("c{}", below(channels_));
    const bool meeting = channel == "r";
    std::vector<std::string> all{channel + "!" + value(), channel + "!" + variable(), channel + "?" + variable(),
                                 channel + "?" + value(), channel + "?_"};
    if (!meeting) {
      all.push_back(channel + "??" + value());
      all.push_back(channel + "?<" + variable() + ">");
      if (one_in(3)) all.push_back(channel + "!!" + value());
      if (one_in(3)) all.push_back(channel + "?[" + value() + "]");
    }
    return pick(all);
  }

  std::string simple() {
    if (channels_ > 0 && one_in(2)) return message();
    if (channels_ == 0 && meetings_ > 0 && one_in(4)) return pick({"r!" + value(), "r?" + variable()});
    std::vector<std::string> all{
        fmt::format("{} = {}", variable(), value()),
        fmt::format("{} = {}", variable(), value()),
        fmt::format("{} = ({} + 1) % 3", variable(), variable()),
        condition(),
        condition(),
        one_in(2) ? fmt::format("assert({})", condition()) : "skip",
    };
    if (one_in(12)) all.push_back("timeout");
    if (one_in(15)) all.push_back("x = a[x + y]");
    return pick(all);
  }

  // A step that asks first whether it can go through, for all or for a part of what it does with channels.
  std::string relay() {
    const std::string from = fmt::format("c{}", below(channels_)), to = fmt::format("c{}", below(channels_));
    const std::string asks = pick({fmt::format("nempty({}) && nfull({})", from, to), fmt::format("nempty({})", from),
                                   fmt::format("nfull({})", to), fmt::format("len({}) > 0 && len({}) < 1", from, to)});
    const std::string takes = from + pick({"?i", "?i", "?_", "?" + value()});
    const std::string sends = to + pick({"!i", "!" + value()});
    return fmt::format("atomic {{ {} -> {} }}", asks,
                       pick({takes + "; " + sends, sends + "; " + takes, sends, takes + "; " + variable() + " = i",
                             fmt::format("do :: {} :: break od", sends), fmt::format("if :: {} :: {} fi", takes, sends),
                             takes + "; " + takes, fmt::format("if :: {} -> {} :: else fi", condition(), takes)}));
  }

  std::string sequence(unsigned length, unsigned depth) {
    std::string out;
    for (unsigned k = 0; k < length; ++k) out += "  " + statement(depth) + ";\n";
    return out;
  }

  std::string options(unsigned depth, bool leave) {
    std::string out;
    const unsigned count = 1 + below(2);
    for (unsigned k = 0; k < count; ++k)
      out += ":: " + simple() + (one_in(2) ? " -> " + statement(depth - 1) : "") + " ";
    if (leave) out += ":: " + condition() + " -> break ";
    if (one_in(3)) out += ":: else" + (leave || one_in(2) ? std::string(" -> break ") : " -> " + simple() + " ");
    return out;
  }

  std::string statement(unsigned depth) {
    if (depth == 0 || one_in(2)) return simple();
    if (channels_ > 0 && one_in(4)) return relay();
    switch (below(6)) {
      case 0: {
        std::string all = options(depth, false);
        for (std::size_t at; (at = all.find("break")) != std::string::npos;) all.replace(at, 5, "skip");
        return "if " + all + "fi";
      }
      case 1:
        return "do " + options(depth, true) + "od";
      case 2:
        return "atomic { " + simple() + "; " + simple() + (one_in(2) ? "; " + simple() : "") + " }";
      case 3:
        return fmt::format("d_step {{ {}; {} = {} }}", condition(), variable(), value());
      case 4:
        return "{ " + simple() + "; " + simple() + " } unless { " + condition() + " }";
      default:
        return simple();
    }
  }

  bool come_and_go_;
  unsigned channels_ = 0;
  unsigned meetings_ = 0;
  char own_ = 'A';
};

class RandomMurphi : RandomText {
 public:
  explicit RandomMurphi(std::uint64_t seed) : RandomText(seed) {}

  std::string text() {
    const bool symmetric = one_in(3);
    apart_ = one_in(2);
    std::string out = symmetric ? "type P: scalarset(2); V: 0..2;\n" : "type P: 0..1; V: 0..2;\n";
    out += "var pc: array [P] of V; a: array [P] of V; w: array [V] of V; x, y, u: V; b: boolean;\n";
    const unsigned rules = 2 + below(4);
    for (unsigned k = 0; k < rules; ++k) out += one_in(4) ? plain_rule(k) : rule_of_process(k);
    out += "startstate begin x := 0; y := 0; b := false; " + std::string(one_in(3) ? "" : "u := 0; ") +
           "for i: P do pc[i] := 0; a[i] := 0; end; for v: V do w[v] := 0; end; end;\n";
    const unsigned invariants = below(3);
    for (unsigned k = 0; k < invariants; ++k) out += fmt::format("invariant \"{}\" {};\n", k, invariant());
    if (one_in(3)) out += "cover \"c\" " + global_condition() + ";\n";
    return out;
  }

 private:
  std::string value() { return std::to_string(below(3)); }
  // Which element is meant may depend on another variable.
  std::string global() { return pick({"x", "y", "x", "y", "u", "w[0]", "w[x]", one_in(3) ? "w[u]" : "w[y]"}); }
  std::string global_condition() {
    return pick({fmt::format("{} = {}", global(), value()), fmt::format("{} != {}", global(), value()),
                 fmt::format("{} > {}", global(), value()), "b", "!b",
                 fmt::format("({} = {} & {} = {})", global(), value(), global(), value()),
                 fmt::format("({} = {} | b)", global(), value()),
                 fmt::format("forall j: P do pc[j] != {} end", value()),
                 fmt::format("exists j: P do a[j] = {} end", value())});
  }
  std::string own_condition() {
    if (apart_) return fmt::format("a[i] {} {}", pick({"=", "!="}), value());
    return pick({fmt::format("a[i] = {}", value()), fmt::format("a[i] != {}", value()), global_condition(),
                 fmt::format("forall j: P do j = i | a[j] = {} end", value())});
  }
  std::string assignment(bool own) {
    std::vector<std::string> all{fmt::format("{} := {};", global(), value()),
                                 fmt::format("{} := ({} + 1) % 3;", pick({"x", "y"}), pick({"x", "y"})),
                                 fmt::format("b := {};", global_condition())};
    if (own && apart_) return fmt::format("a[i] := {};", value());
    if (own) {
      all.push_back(fmt::format("a[i] := {};", value()));
      all.push_back(fmt::format("a[i] := {};", value()));
      all.push_back("x := a[i];");
      all.push_back(pick({"a[i] := x;", "a[i] := pc[i];", "w[a[i]] := a[i];"}));
    }
    if (one_in(4)) all.push_back(pick({"y := x;", "x := w[y];", "w[x] := w[y];", "y := u;"}));
    if (one_in(4))
      all.push_back(pick({"for j: P do a[j] := pc[j]; end;", "for j: P do if a[j] = 1 then a[j] := x; end; end;",
                          "for v: V do w[v] := x; x := v; end;"}));
    if (one_in(6)) all.push_back("undefine u;");
    if (one_in(6)) all.push_back(fmt::format("assert {} \"wrong\";", global_condition()));
    if (one_in(4)) all.push_back(fmt::format("if {} then y := {}; end;", global_condition(), value()));
    return pick(all);
  }
  std::string rule_of_process(unsigned number) {
    std::string guard = "pc[i] = " + value();
    if (one_in(2)) guard += " & " + own_condition();
    return fmt::format("ruleset i: P do rule \"r{}\" {} ==> begin pc[i] := {}; {}{} end; end;\n", number, guard,
                       value(), one_in(3) ? "" : assignment(true), one_in(2) ? "" : assignment(true));
  }
  std::string plain_rule(unsigned number) {
    return fmt::format("rule \"r{}\" {} ==> begin {} {} end;\n", number, global_condition(), assignment(false),
                       one_in(2) ? "" : assignment(false));
  }
  std::string invariant() {
    return pick(
        {fmt::format("!({} & {})", global_condition(), global_condition()),
         fmt::format("x = {} -> y != {}", value(), value()),
         fmt::format("forall j: P do forall k: P do j != k -> !(pc[j] = {} & pc[k] = {}) end end", value(), value()),
         fmt::format("forall j: P do pc[j] = {} -> a[j] != {} end", value(), value()),
         fmt::format("forall j: P do forall k: P do j != k -> !(a[j] = {} & a[k] = {}) end end", value(), value())});
  }

  bool apart_ = false;  // processes touch nothing but what is their own
};

}  // namespace fathom
