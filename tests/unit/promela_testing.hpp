// What the tests of the Promela front end share: parse a text, and look at what was said of it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "lang/promela/parse.hpp"
#include "lang/promela/print.hpp"
#include "support/diagnostics.hpp"

namespace fathom::promela {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<ParsedModel> model;

  explicit Parsed(const std::string& text, const Options& options = {}) {
    const FileId file = sources.add("model.pml", text);
    model = parse(sources, file, options, diagnostics);
  }
  // "F420:3", code and line of every diagnostic.
  [[nodiscard]] std::vector<std::string> complaints() const {
    std::vector<std::string> result;
    for (const Diagnostic& diagnostic : diagnostics.all())
      result.push_back(diagnostic.code + ":" +
                       std::to_string(sources.position(diagnostic.range.file, diagnostic.range.begin).line));
    return result;
  }
  [[nodiscard]] std::string text() const {
    return model ? print(*model) : "rejected: " + (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
  }
};

using Complaints = std::vector<std::string>;

// The printed body of a process `P` with these statements, one line each.
inline std::string body(const std::string& statements, const std::string& globals = "") {
  const Parsed parsed(globals + "active proctype P() {" + statements + "}");
  const std::string text = parsed.text();
  const std::string head = "process P() active 1\n";
  const std::size_t at = text.find(head);
  return at == std::string::npos ? text : text.substr(at + head.size());
}

}  // namespace fathom::promela
