// The tokens of the Hanoi omega-automata format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "property/ltl/hoa.hpp"

namespace fathom::ltl {

struct HoaToken {
  enum class Kind : std::uint8_t { end, header, identifier, alias, number, string, body, finish, abort, sign };
  Kind kind = Kind::end;
  std::string text;  // without quotes, `@` and the colon of a header
  std::uint32_t number = 0;
  Position position;
};

class HoaLexer {
 public:
  explicit HoaLexer(std::string_view text) : text_(text) {}
  HoaToken next();

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void advance();
  void skip_space_and_comments();
  void skip_comment();
  HoaToken marker(HoaToken token);
  HoaToken word(HoaToken token);
  HoaToken string(HoaToken token);
  HoaToken number(HoaToken token);

  std::string_view text_;
  std::size_t at_ = 0;
  Position position_;
};

}  // namespace fathom::ltl
