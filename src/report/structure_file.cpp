#include "report/structure_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fathom {

namespace {

// Quotes and backslashes get a backslash before them; a line break becomes a space.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + '"';
}

std::string escaped_xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

class Aldebaran final : public StructureFile {
 public:
  explicit Aldebaran(std::FILE* out) : out_(out) {}
  void begin(const StructureHeader& header) override {
    fmt::print(out_, "des ({},{},{})\n", header.first, header.edges, header.states);
  }
  void state(std::uint64_t, std::string_view) override {}
  void edge(std::uint64_t from, std::string_view label, std::uint64_t to) override {
    fmt::print(out_, "({},{},{})\n", from, in_quotes(label), to);
  }
  void end() override {}
  [[nodiscard]] bool shows_states() const override { return false; }

 private:
  std::FILE* out_;
};

class Dot final : public StructureFile {
 public:
  explicit Dot(std::FILE* out) : out_(out) {}
  void begin(const StructureHeader& header) override {
    fmt::print(out_, "digraph {} {{\n", in_quotes(header.name));
    if (!header.remark.empty()) fmt::print(out_, "  // {}\n", header.remark);
    fmt::print(out_, "  node [shape=box];\n");
    for (const std::uint32_t state : header.initial) fmt::print(out_, "  {} [style=bold];\n", state);
  }
  void state(std::uint64_t number, std::string_view text) override {
    fmt::print(out_, "  {} [tooltip={}];\n", number, in_quotes(text));
  }
  void edge(std::uint64_t from, std::string_view label, std::uint64_t to) override {
    fmt::print(out_, "  {} -> {} [label={}];\n", from, to, in_quotes(label));
  }
  void end() override { fmt::print(out_, "}}\n"); }
  [[nodiscard]] bool shows_states() const override { return true; }

 private:
  std::FILE* out_;
};

class GraphMl final : public StructureFile {
 public:
  explicit GraphMl(std::FILE* out) : out_(out) {}
  void begin(const StructureHeader& header) override {
    initial_.assign(header.initial.begin(), header.initial.end());
    std::ranges::sort(initial_);
    fmt::print(out_,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    if (!header.remark.empty()) fmt::print(out_, "  <desc>{}</desc>\n", escaped_xml(header.remark));
    fmt::print(out_,
               "  <key id=\"label\" for=\"edge\" attr.name=\"label\" attr.type=\"string\"/>\n"
               "  <key id=\"state\" for=\"node\" attr.name=\"state\" attr.type=\"string\"/>\n"
               "  <key id=\"initial\" for=\"node\" attr.name=\"initial\" attr.type=\"boolean\">"
               "<default>false</default></key>\n"
               "  <graph id=\"{}\" edgedefault=\"directed\">\n",
               escaped_xml(header.name));
  }
  void state(std::uint64_t number, std::string_view text) override {
    const bool is_initial = std::ranges::binary_search(initial_, number);
    fmt::print(out_, "    <node id=\"n{}\"><data key=\"state\">{}</data>{}</node>\n", number, escaped_xml(text),
               is_initial ? "<data key=\"initial\">true</data>" : "");
  }
  void edge(std::uint64_t from, std::string_view label, std::uint64_t to) override {
    fmt::print(out_, "    <edge source=\"n{}\" target=\"n{}\"><data key=\"label\">{}</data></edge>\n", from, to,
               escaped_xml(label));
  }
  void end() override { fmt::print(out_, "  </graph>\n</graphml>\n"); }
  [[nodiscard]] bool shows_states() const override { return true; }

 private:
  std::FILE* out_;
  std::vector<std::uint64_t> initial_;
};

class JsonFile final : public StructureFile {
 public:
  explicit JsonFile(std::FILE* out) : out_(out) {}
  void begin(const StructureHeader& header) override {
    fmt::print(out_,
               "{{\"schema\": \"fathom-graph/1\", \"model\": {}, \"complete\": {}, \"remark\": {},\n"
               "\"initial\": [{}],\n\"states\": [",
               text_of(header.name), header.complete, text_of(header.remark), fmt::join(header.initial, ", "));
  }
  void state(std::uint64_t, std::string_view text) override {
    fmt::print(out_, "{}{}", states_++ == 0 ? "\n" : ",\n", text_of(text));
  }
  void edge(std::uint64_t from, std::string_view label, std::uint64_t to) override {
    fmt::print(out_, "{}[{}, {}, {}]", edges_++ == 0 ? "],\n\"edges\": [\n" : ",\n", from, text_of(label), to);
  }
  void end() override { fmt::print(out_, "{}]}}\n", edges_ == 0 ? "],\n\"edges\": [" : "\n"); }
  [[nodiscard]] bool shows_states() const override { return true; }

 private:
  static std::string text_of(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::FILE* out_;
  std::uint64_t states_ = 0, edges_ = 0;
};

}  // namespace

std::unique_ptr<StructureFile> make_structure_file(StructureFormat format, std::FILE* out) {
  switch (format) {
    case StructureFormat::aut:
      return std::make_unique<Aldebaran>(out);
    case StructureFormat::dot:
      return std::make_unique<Dot>(out);
    case StructureFormat::graphml:
      return std::make_unique<GraphMl>(out);
    case StructureFormat::json:
      return std::make_unique<JsonFile>(out);
  }
  return nullptr;
}

}  // namespace fathom
