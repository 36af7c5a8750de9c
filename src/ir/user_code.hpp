// C code that a model brings along (Promela's c_code and c_expr). To the ir a piece of it is a function without a body
// that may read and write the whole state; here is what it takes to compile and to call such functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/type.hpp"

namespace fathom::ir {

// A part of the state and the C object that holds it while user code runs.
struct UserObject {
  // value: the object has the shape of the type, member by member. bytes: the type is an array of bytes, which are
  // those of the object, whatever it is. constant: as value, but changes of it are dropped.
  enum class Form : std::uint8_t { value, bytes, constant };
  Form form = Form::value;
  std::string text;  // an lvalue, or for bytes a pointer, which may be null
  const Type* type = nullptr;
  std::uint32_t offset = 0;  // in the packed state
};

// A C function. Its texts begin with #line directives, so that a compiler speaks of the user's own lines.
struct UserBlock {
  enum class Kind : std::uint8_t {
    statements,
    value,  // the body is an expression, and changes nothing
    start,  // statements that complete the initial state; the tracked objects have their first values
  };
  Kind kind = Kind::statements;
  std::string condition;  // an expression that must hold when it is called; "" for none
  std::string body;
  std::string process_type;  // what the block knows of its process: a struct ...
  std::string process_name;  // ... and how it calls a pointer to it; "" where it has no process
};

// A block as one process executes it: the function of the ir that calls it has its number.
struct UserUse {
  std::uint32_t block = 0;
  std::string setup;                // statements that prepare `fathom_process`, the struct of its process
  std::vector<UserObject> process;  // lvalues below it
};

struct UserCode {
  // Called with the words of a state, which it changes in place, and room for a value. 0, or 1 where the condition of
  // the block does not hold. What the code prints goes to `print`, or nowhere where that is null.
  using Print = void (*)(void* listener, const char* text);
  using Run = std::uint32_t (*)(std::uint32_t use, std::uint64_t* state, std::int64_t* value, Print print,
                                void* listener);

  std::string declarations;         // everything the blocks rest on
  std::vector<UserObject> globals;  // in a `start` all but the tracked ones
  std::vector<UserObject> tracked;  // of form bytes
  std::vector<UserBlock> blocks;
  std::vector<UserUse> uses;

  Run run = nullptr;             // once it has been compiled
  std::shared_ptr<void> object;  // what keeps it loaded
};

}  // namespace fathom::ir
