#include "model/printed.hpp"

#include <fmt/format.h>

#include "model/interpreter.hpp"

namespace fathom {

namespace {

// Fills one format. Conversions are those of Promela: %c %d %e %o %u %x and %%; anything else stays as it is.
class Filling {
 public:
  Filling(const ir::Program& program, const ir::Edge& edge, const ir::Output& output, StateView before)
      : edge_(edge), output_(output), state_(before.begin(), before.end()), run_(program) {}

  std::string fill() {
    const std::string& format = output_.format;
    for (std::size_t k = 0; k < format.size(); ++k) {
      const bool last = k + 1 == format.size();
      if (format[k] == '\\' && !last) {
        escape(format[++k]);
      } else if (format[k] == '%' && !last) {
        convert(format[++k]);
      } else {
        text_ += format[k];
      }
    }
    return std::move(text_);
  }

 private:
  void escape(char c) {
    switch (c) {
      case 'n':
        text_ += '\n';
        return;
      case 't':
        text_ += '\t';
        return;
      case 'r':
        text_ += '\r';
        return;
      default:
        text_ += c;
    }
  }

  void convert(char conversion) {
    static constexpr std::string_view known = "cdeoux";
    if (conversion == '%') {
      text_ += '%';
    } else if (known.find(conversion) == std::string_view::npos || next_ == output_.arguments.size()) {
      text_ += {'%', conversion};
    } else {
      text_ += show(output_.arguments[next_++], conversion);
    }
  }

  std::string show(const ir::Output::Argument& argument, char conversion) {
    run_.enter(edge_.routine, state_.data());
    const std::int64_t value = run_.eval(*argument.value);
    if (run_.failed()) return "?";
    const auto number = static_cast<std::int32_t>(value);
    switch (conversion) {
      case 'c':
        return {static_cast<char>(number)};
      case 'e':
        return ir::show(*argument.type, value);
      case 'o':
        return fmt::format("{:o}", static_cast<std::uint32_t>(number));
      case 'x':
        return fmt::format("{:x}", static_cast<std::uint32_t>(number));
      case 'u':
        return fmt::format("{}", static_cast<std::uint32_t>(number));
      default:
        return fmt::format("{}", number);
    }
  }

  const ir::Edge& edge_;
  const ir::Output& output_;
  StateBuffer state_;
  Interpreter run_;
  std::string text_;
  std::size_t next_ = 0;
};

}  // namespace

std::string printed(const ir::Program& program, const ir::Edge& edge, const ir::Output& output, StateView before) {
  return Filling(program, edge, output, before).fill();
}

}  // namespace fathom
