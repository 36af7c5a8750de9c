#include "store/coded_store.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "store/code_choice.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

namespace {

// Puts the codes of many states into a table, a group at a time, each when the memory for it has arrived.
class CodeFeeder {
 public:
  CodeFeeder(const StateCode& code, QuotientStore& table) : code_(code), table_(table) {}
  CodeFeeder(const CodeFeeder&) = delete;
  CodeFeeder& operator=(const CodeFeeder&) = delete;
  ~CodeFeeder() {
    ask();
    insert();
  }

  void operator()(const StateCode::Code& state) {
    states_[count_++] = state;
    if (count_ == group) ask();
  }
  [[nodiscard]] std::uint64_t count() const { return before_ + count_; }

 private:
  static constexpr std::uint32_t group = 64;

  // For those of this group, when those of the last one are there.
  void ask() {
    insert();
    const auto state_of = [this](std::uint32_t k) { return states_[k].data(); };
    code_.codes(count_, state_of, codes_.data());
    for (std::uint32_t k = 0; k < count_; ++k) {
      if (!StateCode::is_known(codes_[k])) codes_[k] = code_.code(state_of(k));
      hashes_[k] = table_.hash(codes_[k]);
      table_.prefetch(hashes_[k]);
    }
    before_ += count_;
    asked_ = std::exchange(count_, 0);
  }
  void insert() {
    for (std::uint32_t k = 0; k < asked_; ++k) table_.insert(codes_[k], hashes_[k], [] { return std::uint64_t{0}; });
    asked_ = 0;
  }

  const StateCode& code_;
  QuotientStore& table_;
  std::array<StateCode::Code, group> states_, codes_;
  std::array<Hash, group> hashes_;
  std::uint32_t count_ = 0, asked_ = 0;  // of states, and of codes that are to be inserted
  std::uint64_t before_ = 0;             // states before these
};

}  // namespace

static_assert(SharedStore<CodedStore> && ViewedStore<CodedStore>);

CodedStore::CodedStore(std::uint32_t state_bits, std::uint64_t memory_limit, bool alone, bool codes_early)
    : state_bits_(state_bits),
      memory_limit_(memory_limit),
      codes_early_(codes_early),
      table_(std::make_unique<QuotientStore>(state_bits, memory_limit, alone)) {}

std::unique_ptr<QuotientStore> CodedStore::table_for(const StateCode& code, bool alone) const {
  auto table = std::make_unique<QuotientStore>(QuotientShape::Bits{code.mixed_bits(), 0}, memory_limit_, alone);
  table->set_thrift(codes_early_ ? QuotientStore::Thrift::much : QuotientStore::Thrift::some);
  return table;
}

std::unique_ptr<CodedStore> CodedStore::another() const {
  auto store = std::make_unique<CodedStore>(state_bits_, memory_limit_, true, codes_early_);
  store->code_ = code_;
  if (code_ != nullptr) store->table_ = table_for(*code_, true);
  return store;
}

void CodedStore::save(SealedWriter& out) const {
  out.number(is_without_ ? 1 : 0);
  out.number(has_code() ? 1 : 0);
  if (has_code()) code_->save(out);
  table_->save(out);
}

bool CodedStore::load(SealedReader& in) {
  is_without_ = in.number() != 0;
  if (in.number() == 0) return table_->load(in);
  const std::shared_ptr<StateCode> code = StateCode::loaded(in);
  table_ = table_for(*code, is_alone());
  if (!table_->load(in)) return false;
  mix_for_this_memory(*code);
  code_ = code;
  return true;
}

// A code is made for tables as large as the memory that there is. When there is more, further bits are mixed, which
// are zero in all codes, if there is room for both tables: a table can grow only so far as it has bits that are mixed.
void CodedStore::mix_for_this_memory(StateCode& code) {
  const std::uint32_t as_saved = code.mixed_bits();
  const std::uint32_t wanted = std::min(QuotientShape::bits_for_table(memory_limit_), StateCode::most_mixed_bits);
  if (wanted <= as_saved) return;
  code.mix(wanted);
  std::unique_ptr<QuotientStore> table = table_for(code, is_alone());
  const std::uint64_t both = table_->bytes() + table->bytes() + table->growth_for(size(), code.beyond_bits());
  if (both > memory_limit_ || !table->reserve(size(), code.beyond_bits(), nullptr)) return code.mix(as_saved);
  const auto enter = [&](const Code& state) {
    table->insert(state, table->hash(state), [] { return std::uint64_t{0}; });
  };
  table_->for_each(0, table_->parts(), enter);
  table_->for_each_aside(enter);
  table->set_size(size());
  table_ = std::move(table);
}

// There must be states that tell enough, and room for a table of codes at every moment. A table of some hundred
// megabytes is worth more time than a small one.
bool CodedStore::wants_code(std::uint64_t extra) const {
  constexpr std::uint64_t least_states = 1 << 10, small = std::uint64_t{1} << 23, large = std::uint64_t{1} << 28;
  if (code_ != nullptr || is_without_ || size() < least_states || state_bits_ > StateCode::most_state_bits)
    return false;
  const std::uint64_t growth = table_->growth_for(extra);
  const std::uint64_t bytes = table_->bytes();
  return growth != 0 && bytes <= memory_limit_ / 2 &&
         bytes + growth > std::min(memory_limit_ / 16, codes_early_ ? small : large);
}

void CodedStore::look_for_code(std::uint64_t extra, Team* team) {
  if (next_code_ != nullptr || !wants_code(extra)) return;
  next_code_ = new_code(team);
  is_without_ = next_code_ == nullptr;
}

// While it becomes one of codes the old table goes as the new one grows, by a half at a time.
std::uint64_t CodedStore::growth_for(std::uint64_t extra, Team* team) {
  look_for_code(extra, team);
  const std::uint64_t growth = table_->growth_for(extra, beyond_bits());
  return next_code_ != nullptr && growth != 0 ? table_->bytes() / 2 : growth;
}

bool CodedStore::reserve(std::uint64_t extra, Team* team) {
  look_for_code(extra, team);
  if (next_code_ != nullptr && table_->growth_for(extra) != 0) encode(std::exchange(next_code_, nullptr), team);
  return table_->reserve(extra, beyond_bits(), team);
}

// By some of the states that are there. Those of a part are those of an interval of mixed words, which is as good as
// any choice.
std::shared_ptr<const StateCode> CodedStore::new_code(Team* team) const {
  constexpr std::uint64_t most_to_learn = 1 << 20;
  const std::uint64_t most_in_sample = std::clamp<std::uint64_t>(memory_limit_ >> 16, 1 << 13, 1 << 14);
  constexpr std::uint32_t least_saved = 8;
  StateSample sample(words());
  table_->for_each(0, parts_with(most_in_sample), [&](const Code& state) {
    if (sample.size() < most_in_sample) sample.add({state.data(), words()});
  });
  auto code = std::make_shared<StateCode>(words(), choose_columns(sample, state_bits_, team));
  in_slices(team, parts_with(most_to_learn), [&](std::uint64_t first, std::uint64_t end) {
    table_->for_each(first, end, [&](const Code& state) { code->learn(state.data()); });
  });
  if (!code->decide(QuotientShape::bits_for_table(memory_limit_))) return nullptr;
  return code->mixed_bits() + least_saved <= state_bits_ ? code : nullptr;
}

// So many parts have about so many states, or all of them.
std::uint64_t CodedStore::parts_with(std::uint64_t states) const {
  return std::min(table_->parts(), table_->parts() * states / size() + 1);
}

// The table of codes grows while the other one gives its memory back, so that the two of them never take much more than
// one. It needs no more bits for a state, so there is room for it.
void CodedStore::encode(std::shared_ptr<const StateCode> code, Team* team) {
  std::unique_ptr<QuotientStore> table = table_for(*code, is_alone());
  // Bits that turn out to be missing are added soon, so that not much is kept aside.
  constexpr std::uint64_t parts_at_once = 32, parts_forgotten_at_once = 128;
  const std::uint64_t most_at_once = size() * 2 * parts_at_once / table_->parts() + 1, to_begin_with = size() / 8;
  std::atomic<std::uint64_t> moved = 0;
  for (std::uint64_t first = 0; first < table_->parts(); first += parts_at_once) {
    table->set_size(moved);
    const std::uint64_t room = std::max(most_at_once, to_begin_with > moved ? to_begin_with - moved : 0);
    if (!table->reserve(room, code->beyond_bits(), team))
      throw std::logic_error("a table of codes takes more than one of states");
    const std::uint64_t end = std::min(first + parts_at_once, table_->parts());
    in_slices(team, end - first, [&](std::uint64_t from, std::uint64_t to) {
      CodeFeeder feed(*code, *table);
      table_->for_each(first + from, first + to, feed);
      moved += feed.count();
    });
    if (end % parts_forgotten_at_once == 0) table_->forget(end - parts_forgotten_at_once, end);
  }
  table_->for_each_aside(CodeFeeder(*code, *table));
  table->set_size(size());
  table_ = std::move(table);
  code_ = std::move(code);
}

}  // namespace fathom
