#include "model/put.hpp"

#include <string>

#include "state/bits.h"

namespace fathom {

namespace {

std::string line(const std::string& name, const ir::Type& type, std::int64_t value) {
  return name + ":" + ir::show(type, value) + "\n";
}

// Writes the lines of a place, part by part; `name` is how a user would write the part.
class PlaceWriter {
 public:
  PlaceWriter(PutSink& sink, const std::uint64_t* words) : sink_(sink), words_(words) {}

  void write(const std::string& name, const ir::Type& type, std::uint64_t bit) {
    switch (type.kind) {
      case ir::Type::Kind::array:
        return write_array(name, type, bit);
      case ir::Type::Kind::record:
        return write_record(name, type, bit);
      case ir::Type::Kind::multiset:
        return write_multiset(name, type, bit);
      default:
        return write_scalar(name, type, bit);
    }
  }

 private:
  void write_scalar(const std::string& name, const ir::Type& type, std::uint64_t bit) {
    sink_.put(line(name, type, type.decode(fathom_get(words_, bit, type.bits))));
  }

  void write_array(const std::string& name, const ir::Type& type, std::uint64_t bit) {
    const std::uint64_t count = type.index->cardinality();
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::string index = ir::show(*type.index, type.index->value(k + 1));
      write(name + "[" + index + "]", *type.element, bit + k * type.stride);
    }
  }

  void write_record(const std::string& name, const ir::Type& type, std::uint64_t bit) {
    for (const ir::Field& field : type.fields) write(name + "." + field.name, *field.type, bit + field.offset);
  }

  void write_multiset(const std::string& name, const ir::Type& type, std::uint64_t bit) {
    for (std::uint32_t k = 0; k < type.capacity; ++k) {
      const std::uint64_t slot = bit + std::uint64_t{k} * type.stride;
      if (fathom_get(words_, slot, 1) == 0) continue;
      write(name + "{" + std::to_string(k) + "}", *type.element, slot + 1);
    }
  }

  PutSink& sink_;
  const std::uint64_t* words_;
};

}  // namespace

void put_text(PutSink& sink, const ir::Stmt& stmt) {
  sink.put(stmt.text);
}

void put_value(PutSink& sink, const ir::Stmt& stmt, std::int64_t value) {
  sink.put(line(stmt.text, *stmt.value->type, value));
}

void put_place(PutSink& sink, const ir::Stmt& stmt, const std::uint64_t* words, std::uint64_t bit) {
  PlaceWriter(sink, words).write(stmt.text, *stmt.place->type, bit);
}

void put_user_text(void* sink, const char* text) {
  static_cast<PutSink*>(sink)->put(text);
}

}  // namespace fathom
