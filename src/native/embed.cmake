# Embeds the C files that generated models begin with into the program, as an array of bytes.
#
# The file has two lives. Included by a CMakeLists.txt it adds the build rule; run as a script (cmake -P) it is the
# command of that rule. Includes between the embedded files are dropped, because they follow one another in one text.

if(CMAKE_SCRIPT_MODE_FILE)
  set(bytes "")
  foreach(input IN LISTS INPUTS)
    file(READ "${input}" text)
    string(REGEX REPLACE "#include \"[^\n]*\n" "" text "${text}")
    string(HEX "${text}" hex)
    string(APPEND bytes "${hex}")
  endforeach()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  file(WRITE "${OUTPUT}"
"#include \"native/runtime_text.hpp\"
namespace fathom {
namespace {
constexpr char bytes[] = {${bytes}};
}
const std::string_view runtime_text{bytes, sizeof bytes};
}
")
  return()
endif()

set(runtime_inputs
    ${PROJECT_SOURCE_DIR}/src/support/natural.h ${PROJECT_SOURCE_DIR}/src/state/bits.h
    ${PROJECT_SOURCE_DIR}/src/state/multiset.h ${PROJECT_SOURCE_DIR}/src/model/model_abi.h
    ${CMAKE_CURRENT_LIST_DIR}/runtime/runtime.h)
set(runtime_output ${CMAKE_CURRENT_BINARY_DIR}/runtime_text.cpp)
add_custom_command(
  OUTPUT ${runtime_output}
  COMMAND ${CMAKE_COMMAND} "-DINPUTS=${runtime_inputs}" -DOUTPUT=${runtime_output}
          -P ${CMAKE_CURRENT_LIST_DIR}/embed.cmake
  DEPENDS ${runtime_inputs} ${CMAKE_CURRENT_LIST_DIR}/embed.cmake
  VERBATIM)
# The library lives in another folder, and a rule is only seen in its own: the target carries the dependency over.
add_custom_target(fathom_runtime_text DEPENDS ${runtime_output})
add_dependencies(fathom_outer fathom_runtime_text)
set_source_files_properties(${runtime_output} PROPERTIES GENERATED TRUE)
target_sources(fathom_outer PRIVATE ${runtime_output})
