// Colour for a terminal. It is never the only carrier of meaning: without it every output says the same.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

enum class ColourChoice { automatic, always, never };

// Whether output to this file descriptor is coloured: NO_COLOR and CLICOLOR_FORCE are honoured.
bool wants_colour(ColourChoice choice, int descriptor);

class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}

  [[nodiscard]] std::string strong(std::string_view text) const { return wrap(text, "1"); }
  [[nodiscard]] std::string good(std::string_view text) const { return wrap(text, "1;32"); }
  [[nodiscard]] std::string bad(std::string_view text) const { return wrap(text, "1;31"); }
  [[nodiscard]] std::string doubtful(std::string_view text) const { return wrap(text, "1;33"); }
  [[nodiscard]] std::string faint(std::string_view text) const { return wrap(text, "2"); }

 private:
  [[nodiscard]] std::string wrap(std::string_view text, const char* code) const;

  bool colour_;
};

}  // namespace fathom
