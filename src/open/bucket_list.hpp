// The open list of a best-first search: entries with small whole numbers as ranks, lowest rank first. Among entries of
// one rank the one that came first leaves first, so that the order of a search follows from its input alone.
//
// There is one queue for each rank. Pushing and popping cost a few instructions, whatever the number of entries; a
// binary heap costs a cache miss for each of its levels, and does not keep the order of equal ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom {

template <class Entry>
class BucketList {
 public:
  using Rank = std::uint64_t;

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const { return entries_ * sizeof(Entry) + buckets_.size() * sizeof(Bucket); }

  void push(Rank rank, Entry entry) {
    if (rank >= buckets_.size()) buckets_.resize(rank + 1);
    lowest_ = size_ == 0 ? rank : std::min(lowest_, rank);
    buckets_[rank].entries.push_back(entry);
    ++size_;
    ++entries_;
  }

  Entry pop() {
    while (buckets_[lowest_].taken == buckets_[lowest_].entries.size()) ++lowest_;
    Bucket& bucket = buckets_[lowest_];
    const Entry entry = bucket.entries[bucket.taken++];
    --size_;
    if (wasteful(bucket)) drop_taken(bucket);
    return entry;
  }

 private:
  // The first `taken` entries have left.
  struct Bucket {
    std::vector<Entry> entries;
    std::size_t taken = 0;
  };

  static constexpr std::size_t few = 1024;

  // Entries that have left are dropped when they are most of a long queue, or all of it: each entry is moved at most
  // once for each one that leaves.
  static bool wasteful(const Bucket& bucket) {
    return bucket.taken == bucket.entries.size() || (bucket.taken > few && bucket.taken > bucket.entries.size() / 2);
  }

  void drop_taken(Bucket& bucket) {
    entries_ -= bucket.taken;
    bucket.entries.erase(bucket.entries.begin(), bucket.entries.begin() + static_cast<std::ptrdiff_t>(bucket.taken));
    bucket.taken = 0;
    if (bucket.entries.capacity() > few && bucket.entries.size() < bucket.entries.capacity() / 4)
      bucket.entries.shrink_to_fit();
  }

  std::vector<Bucket> buckets_;
  Rank lowest_ = 0;  // no entry has a lower rank
  std::uint64_t size_ = 0;
  std::uint64_t entries_ = 0;  // those that have left but still take room included
};

}  // namespace fathom
