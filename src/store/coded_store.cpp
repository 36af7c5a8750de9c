#include "store/coded_store.hpp"

#include "store/code_choice.hpp"
#include "support/sealed_file.hpp"

namespace fathom {

namespace {

// Puts many codes into a table, each when the memory for it has arrived.
class CodeFeeder {
 public:
  CodeFeeder(const StateCode& code, QuotientStore& table) : code_(code), table_(table) {}
  CodeFeeder(const CodeFeeder&) = delete;
  CodeFeeder& operator=(const CodeFeeder&) = delete;
  ~CodeFeeder() {
    for (std::uint64_t k = count_ < ahead ? 0 : count_ - ahead; k < count_; ++k) insert(waiting_[k % ahead]);
  }

  void operator()(const StateCode::Code& state) {
    Waiting& here = waiting_[count_ % ahead];
    if (count_++ >= ahead) insert(here);
    here.code = code_.code(state.data());
    here.hash = table_.hash(here.code);
    table_.prefetch(here.hash);
  }

 private:
  static constexpr std::uint64_t ahead = 32;
  struct Waiting {
    StateCode::Code code;
    Hash hash;
  };
  void insert(const Waiting& each) {
    table_.insert(each.code, each.hash, [] { return std::uint64_t{0}; });
  }

  const StateCode& code_;
  QuotientStore& table_;
  Waiting waiting_[ahead];
  std::uint64_t count_ = 0;
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
  if (codes_early_) table->grow_by_less();
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
  if (in.number() != 0) {
    code_ = StateCode::loaded(in);
    table_ = table_for(*code_, is_alone());
  }
  return table_->load(in);
}

// There must be states that tell enough, and memory for two tables.
bool CodedStore::wants_code(std::uint64_t extra) const {
  constexpr std::uint64_t least_states = 1 << 10;
  if (code_ != nullptr || is_without_ || size() < least_states || state_bits_ > StateCode::most_state_bits)
    return false;
  const std::uint64_t growth = table_->growth_for(extra), bytes = table_->bytes();
  if (growth == 0 || bytes > memory_limit_ / 4) return false;
  return codes_early_ || bytes + growth > memory_limit_ / 16;
}

// While it becomes one of codes there are two tables, of which the second is not larger than the first.
std::uint64_t CodedStore::growth_for(std::uint64_t extra) const {
  const std::uint64_t growth = table_->growth_for(extra, beyond_bits());
  return wants_code(extra) ? std::max(growth, table_->bytes()) : growth;
}

bool CodedStore::reserve(std::uint64_t extra, Team* team) {
  if (wants_code(extra)) is_without_ = !encode(extra, team);
  return table_->reserve(extra, beyond_bits(), team);
}

// By some of the states that are there.
std::shared_ptr<const StateCode> CodedStore::new_code() const {
  constexpr std::uint64_t most_in_sample = 1 << 12, most_to_learn = 1 << 20;
  constexpr std::uint32_t least_saved = 8;
  const auto each_of_about = [this](std::uint64_t states, const auto& body) {
    const std::uint64_t parts = table_->parts(), some = std::max<std::uint64_t>(1, parts * states / size());
    const std::uint64_t distance = std::max<std::uint64_t>(1, parts / some);
    for (std::uint64_t part = 0; part < parts; part += distance) table_->for_each(part, part + 1, body);
  };
  // The states of a part are those of an interval of mixed words, which is as good as any choice.
  StateSample sample(words());
  std::uint64_t seen = 0;
  const std::uint64_t distance = std::max<std::uint64_t>(1, std::min(size(), most_to_learn) / most_in_sample);
  each_of_about(most_to_learn, [&](const Code& state) {
    if (seen++ % distance == 0) sample.add({state.data(), words()});
  });
  auto code = std::make_shared<StateCode>(words(), choose_columns(sample, state_bits_));
  each_of_about(most_to_learn, [&](const Code& state) { code->learn(state.data()); });
  if (!code->decide(QuotientShape::bits_for_table(memory_limit_))) return nullptr;
  return code->mixed_bits() + least_saved <= state_bits_ ? code : nullptr;
}

// False: it stays as it is.
bool CodedStore::encode(std::uint64_t extra, Team* team) {
  const std::shared_ptr<const StateCode> code = new_code();
  if (code == nullptr) return false;
  std::unique_ptr<QuotientStore> table = table_for(*code, is_alone());
  if (!table->reserve(size() + extra)) return false;
  // Bits that turn out to be missing are added soon, so that not much is kept aside.
  constexpr std::uint64_t parts_at_once = 32;
  for (std::uint64_t first = 0; first < table_->parts(); first += parts_at_once) {
    const std::uint64_t count = std::min(parts_at_once, table_->parts() - first);
    in_slices(team, count, [&](std::uint64_t from, std::uint64_t to) {
      CodeFeeder feed(*code, *table);
      table_->for_each(first + from, first + to, feed);
    });
    if (!table->reserve(size() + extra, code->beyond_bits(), team)) return false;
  }
  table_->for_each_aside(CodeFeeder(*code, *table));
  table->set_size(size());
  table_ = std::move(table);
  code_ = code;
  return true;
}

}  // namespace fathom
