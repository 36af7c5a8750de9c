#include <algorithm>
#include <cstdlib>
#include <new>

#include "model/model.hpp"

namespace fathom {

namespace {

// realloc keeps the entries and, for large buffers, moves pages instead of bytes. Both element types are plain data.
template <class T>
void resize(T*& data, std::size_t count) {
  void* const fresh = std::realloc(data, count * sizeof(T));
  if (fresh == nullptr) throw std::bad_alloc();
  data = static_cast<T*>(fresh);
}

// At least double what there is. Counts and offsets are 32-bit, so a batch that would pass them is out of memory.
std::uint32_t enlarged(std::uint32_t capacity, std::uint64_t needed) {
  if (needed > UINT32_MAX) throw std::bad_alloc();
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::uint64_t{capacity} * 2, needed, UINT32_MAX));
}

}  // namespace

Batch::~Batch() {
  std::free(raw_.words);
  std::free(raw_.steps);
}

void Batch::grow(fathom_batch& batch, std::uint32_t words) {
  constexpr std::uint32_t first_steps = 64;
  constexpr std::uint32_t first_words = 512;
  if (batch.count == batch.step_capacity) {
    const std::uint32_t capacity =
        enlarged(std::max(batch.step_capacity, first_steps / 2), batch.count + std::uint64_t{1});
    resize(batch.steps, capacity);
    batch.step_capacity = capacity;
  }
  const std::uint64_t needed = std::uint64_t{batch.used} + words;
  if (needed > batch.word_capacity) {
    const std::uint32_t capacity = enlarged(std::max(batch.word_capacity, first_words / 2), needed);
    resize(batch.words, capacity);
    batch.word_capacity = capacity;
  }
}

void Batch::append(const Batch& other, std::uint32_t first, std::uint32_t words) {
  for (std::uint32_t k = first; k < other.size(); ++k) {
    std::copy_n(other.raw_.words + other.raw_.steps[k].offset, words, spare(words));
    push(other.instance(k), other.outcome(k), words);
  }
}

void Batch::keep(std::uint32_t first, const std::vector<std::uint32_t>& kept, std::uint32_t words) {
  std::uint32_t count = first;
  std::uint32_t used = first < raw_.count ? raw_.steps[first].offset : raw_.used;
  for (const std::uint32_t k : kept) {
    fathom_step step = raw_.steps[k];
    std::copy_n(raw_.words + step.offset, words, raw_.words + used);
    step.offset = used;
    raw_.steps[count++] = step;
    used += words;
  }
  raw_.count = count;
  raw_.used = used;
}

}  // namespace fathom
