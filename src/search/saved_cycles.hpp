// A search for cycles with checkpoints. Such a file says by how many threads the search was that left it, what the
// executor had seen, in which part of the model it was to stay, the product, and where the search stood in it.
#pragma once

#include <functional>
#include <optional>

#include "search/checkpoint.hpp"
#include "search/run.hpp"
#include "search/seen.hpp"

namespace fathom {

// The part of the model in which a search stays (settled_part.hpp): all of it, the states within a depth, which are the
// first so many, or a reduced graph, which may not be settled yet. Then there is no search to go on with.
enum class CyclePart : std::uint8_t { whole, within_depth, reduced, being_reduced };

// The checkpoint to begin with, as far as what the part is.
class ResumedCycles {
 public:
  explicit ResumedCycles(const SearchRequest& request) : in(*request.checkpoint->resume, checkpoint_kind) {
    check_identity(request.checkpoint->identity, *request.checkpoint->resume, in);
    threads = static_cast<unsigned>(in.number());
    Seen::load(in, request.model);
    attempt = in.number();
    part = static_cast<CyclePart>(in.number());
  }

  SealedReader in;
  unsigned threads;
  std::size_t attempt;  // of those that follow each other there
  CyclePart part;
};

// The checkpoints of a search, for those that take part in it.
class CycleCheckpoints {
 public:
  explicit CycleCheckpoints(const SearchRequest& request) : request_(request), writer_(*request.checkpoint) {
    if (request.checkpoint->resume) from.emplace(request);
  }
  CycleCheckpoints(const CycleCheckpoints&) = delete;
  CycleCheckpoints& operator=(const CycleCheckpoints&) = delete;

  // Where it is to go on, until it does.
  std::optional<ResumedCycles> from;
  // Writes what the part is, and what is known of it.
  std::function<void(SealedWriter&)> write_part;

  // From here on it is this attempt that is saved, in the whole of the model.
  void begin_attempt(std::size_t number) {
    attempt_ = number;
    write_part = [](SealedWriter& out) { out.number(static_cast<std::uint64_t>(CyclePart::whole)); };
  }

  // Makes somebody save what `write` writes behind the part, one of so many threads at present.
  template <class Saver, class Write>
  void attach_to(Saver& saver, unsigned threads, const std::function<Seen()>& seen, const Write& write) {
    if (!request_.checkpoint->write) return;
    saver.save_due = [this] { return writer_.is_due(); };
    saver.save = [this, threads, seen, write] {
      writer_.save([&](SealedWriter& out) {
        out.number(threads);
        seen().save(out);
        out.number(attempt_);
        write_part(out);
        write(out);
      });
    };
  }
  // The same for what one thread does with a product.
  template <class Saver, class Product, class Write>
  void attach_to(Saver& saver, const Product& product, const Write& write) {
    const auto seen = [this] { return Seen(request_.model, {}); };
    attach_to(saver, 1, seen, [&product, write](SealedWriter& out) {
      product.save(out);
      write(out);
    });
  }
  void complain(SearchResult& result) const { writer_.complain(result); }
  [[nodiscard]] const SearchRequest& request() const { return request_; }

 private:
  const SearchRequest& request_;
  CheckpointWriter writer_;
  std::size_t attempt_ = 0;
};

// Runs a search of the product that can write() and resume(), by one thread, from the beginning or where another one
// stood. Without checkpoints: `saved` is null.
template <class Product, class Search>
SearchResult run_saved(CycleCheckpoints* saved, Product& product, Search& search) {
  if (saved == nullptr) return search.run();
  saved->attach_to(search, product, [&search](SealedWriter& out) { search.write(out); });
  const auto resume = [&](SealedReader& in) {
    return product.load(in) ? search.resume(in) : does_not_fit(saved->request());
  };
  SearchResult result = saved->from ? resume(saved->from->in) : search.run();
  saved->complain(result);
  return result;
}

}  // namespace fathom
