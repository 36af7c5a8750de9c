// Automata in the Hanoi omega-automata format, version 1 (http://adl.github.io/hoaf/), so that automata can come from
// and go to other tools.
//
// Read are Büchi and generalised Büchi automata, and those that accept every infinite run, with acceptance on states or
// edges, explicit or implicit labels, aliases, and one or several start states. What means something else is refused
// with its place: other acceptance conditions, alternation (`Start: 0&1`, `1&2`), and headers with a capital letter
// that we do not know. Other headers and all properties are passed over. Only the first automaton of a text is read.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ir/claim.hpp"
#include "support/source.hpp"

namespace fathom::ltl {

struct HoaError : std::runtime_error {
  // The text of the error begins with its place: "3:7: …".
  HoaError(Position at, const std::string& message)
      : std::runtime_error(std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + message), position(at) {}
  Position position;
};

struct HoaAutomaton {
  ir::Automaton automaton;
  std::vector<std::string> atoms;  // names of the atomic propositions, by number
};

// A Büchi automaton with acceptance on states keeps its states and their names; others are turned into one and reduced.
HoaAutomaton read_hoa(std::string_view text);

// Ends of never claims are written as states that accept everything; assertions cannot be expressed and are left out.
std::string write_hoa(const ir::Automaton& automaton, const std::vector<std::string>& atoms,
                      std::string_view name = "");

}  // namespace fathom::ltl
