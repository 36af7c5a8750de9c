// The stack of a depth-first search of a product, and the edges of the nodes on it, which stand in one array. Both can
// be long, so no copy is made of them where they are written to a checkpoint.
#pragma once

#include <array>

#include "property/product.hpp"
#include "support/plain_list.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

struct StackFrame {
  Node node;
  std::size_t first_edge;  // its edges are at the end of the array, from here on ...
  std::size_t next_edge;   // ... and this one is taken next
  bool accepting;
};
using SearchStack = PlainList<StackFrame>;
using StackedEdges = PlainList<ProductEdge>;

using StackRow = std::array<std::uint64_t, 4>;
template <class Item, class ToRow>
void write_rows(const PlainList<Item>& items, SealedWriter& out, const ToRow& to_row) {
  out.number(items.size());
  for (const Item& item : items) out.words(to_row(item));
}
template <class Item, class FromRow>
void read_rows(PlainList<Item>& items, SealedReader& in, const FromRow& from_row) {
  StackRow row;
  for (std::uint64_t left = in.number(); left > 0; --left) {
    in.words(row);
    items.push_back(from_row(row));
  }
}

inline void write_stack(const SearchStack& stack, SealedWriter& out) {
  write_rows(stack, out, [](const StackFrame& frame) {
    return StackRow{frame.node, frame.first_edge, frame.next_edge, frame.accepting};
  });
}
inline void read_stack(SearchStack& stack, SealedReader& in) {
  read_rows(stack, in, [](const StackRow& row) { return StackFrame{row[0], row[1], row[2], row[3] != 0}; });
}

inline void write_edges(const StackedEdges& edges, SealedWriter& out) {
  write_rows(edges, out, [](const ProductEdge& edge) {
    return StackRow{edge.target, static_cast<std::uint64_t>(edge.step), edge.marks, edge.progress};
  });
}
inline void read_edges(StackedEdges& edges, SealedReader& in) {
  read_rows(edges, in, [](const StackRow& row) {
    return ProductEdge{row[0], InstanceId{row[1]}, static_cast<std::uint32_t>(row[2]), row[3] != 0};
  });
}

}  // namespace fathom
