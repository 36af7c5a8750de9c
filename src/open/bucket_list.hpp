// Entries in the order of their ranks, lowest first. Among entries of one rank either the one that came first leaves
// first or the one that came last, so that the order of a search follows from its input alone.
//
// There is one queue for each rank that occurs. Ranks are few and the next entry mostly has one of the last two, so
// pushing and popping cost a few instructions; a binary heap costs a cache miss for each of its levels, and does not
// keep the order of equal ranks. Ranks need not be small: an estimate may be any number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include "support/plain_list.hpp"

namespace fathom {

enum class Equals : std::uint8_t { oldest_first, newest_first };

template <class Entry, class RankType = std::uint64_t, class Less = std::less<RankType>>
class BucketList {
 public:
  using Rank = RankType;

  explicit BucketList(Equals equals = Equals::oldest_first, Less less = {}) : equals_(equals), buckets_(less) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const { return entries_ * sizeof(Entry) + buckets_.size() * node_bytes; }

  void push(const Rank& rank, Entry entry) {
    bucket_of(rank).entries.push_back(entry);
    ++size_;
    ++entries_;
  }

  Entry pop() {
    const auto lowest = buckets_.begin();
    Bucket& bucket = lowest->second;
    --size_;
    Entry entry;
    if (equals_ == Equals::newest_first) {
      entry = bucket.entries.back();
      bucket.entries.pop_back();
      --entries_;
    } else {
      entry = bucket.entries[bucket.taken++];
      if (wasteful(bucket)) drop_taken(bucket);
    }
    if (bucket.entries.empty()) remove(lowest);
    return entry;
  }

 private:
  // The first `taken` entries have left.
  struct Bucket {
    PlainList<Entry> entries;
    std::size_t taken = 0;
  };
  using Buckets = std::map<Rank, Bucket, Less>;

  static constexpr std::size_t few = 1024;
  static constexpr std::uint64_t node_bytes = sizeof(Rank) + sizeof(Bucket) + 4 * sizeof(void*);

  Bucket& bucket_of(const Rank& rank) {
    const Less& less = buckets_.key_comp();
    if (last_ == nullptr || less(last_->first, rank) || less(rank, last_->first))
      last_ = &*buckets_.try_emplace(rank).first;
    return last_->second;
  }

  void remove(typename Buckets::iterator bucket) {
    if (last_ == &*bucket) last_ = nullptr;
    buckets_.erase(bucket);
  }

  // Entries that have left are dropped when they are most of a long queue, or all of it: each entry is moved at most
  // once for each one that leaves.
  static bool wasteful(const Bucket& bucket) {
    return bucket.taken == bucket.entries.size() || (bucket.taken > few && bucket.taken > bucket.entries.size() / 2);
  }

  void drop_taken(Bucket& bucket) {
    entries_ -= bucket.taken;
    bucket.entries.drop_front(bucket.taken);
    bucket.taken = 0;
    if (bucket.entries.capacity() > few && bucket.entries.size() < bucket.entries.capacity() / 4)
      bucket.entries.shrink_to_fit();
  }

  Equals equals_;
  Buckets buckets_;
  typename Buckets::value_type* last_ = nullptr;  // that was pushed to
  std::uint64_t size_ = 0;
  std::uint64_t entries_ = 0;  // those that have left but still take room included
};

}  // namespace fathom
