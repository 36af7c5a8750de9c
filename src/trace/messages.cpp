#include "trace/messages.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace fathom {

namespace {

// A message as its fields in order; they are few.
using Fields = std::vector<std::string>;

struct Carried {
  Fields fields;
  std::optional<std::size_t> sender;
};

// What one container holds. A queue keeps its order, a multiset does not.
struct Container {
  bool is_queue = false;
  std::map<std::string, std::string> leaves;  // by the path inside the container
  std::vector<Carried> contents;
};

// "q[0].message[1].0" is the leaf "message[1].0" of the queue "q[0]"; "net{2}.src" is "{2}.src" of the multiset "net".
struct Address {
  std::string container;
  std::string path;
  bool is_queue = false;
};

std::optional<Address> address_of(const std::string& leaf) {
  if (const std::size_t slot = leaf.find('{'); slot != std::string::npos)
    return Address{leaf.substr(0, slot), leaf.substr(slot), false};
  if (leaf.ends_with(".length")) return Address{leaf.substr(0, leaf.size() - 7), "length", true};
  if (const std::size_t message = leaf.rfind(".message["); message != std::string::npos)
    return Address{leaf.substr(0, message), leaf.substr(message + 1), true};
  return std::nullopt;
}

std::size_t number_in(const std::string& text, std::size_t at) {
  std::size_t number = 0;
  std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), number);
  return number;
}

// The messages that the leaves of a container spell, by position or slot.
std::map<std::size_t, Fields> spelled(const Container& container) {
  std::map<std::size_t, Fields> messages;
  const auto length = container.leaves.find("length");
  const std::size_t count = length == container.leaves.end() ? 0 : number_in(length->second, 0);
  for (const auto& [path, value] : container.leaves) {
    if (path == "length") continue;
    const std::size_t position = number_in(path, container.is_queue ? std::string_view("message[").size() : 1);
    if (container.is_queue && position >= count) continue;
    messages[position].push_back(value);
  }
  return messages;
}

std::string text_of(const Fields& fields) {
  std::string text;
  for (const std::string& field : fields) text += (text.empty() ? "" : ",") + field;
  return text;
}

class Tracker {
 public:
  explicit Tracker(const Trace& trace) {
    for (const auto& [leaf, value] : trace.start.state) set(leaf, value);
    for (auto& [name, container] : containers_) update(name, container, std::nullopt);
    changed_.clear();
  }

  std::vector<MessageEvent> step(std::size_t number, const TraceStep& step) {
    events_.clear();
    changed_.clear();
    for (const LeafChange& change : step.changes) set(change.variable, change.after);
    for (const std::string& name : changed_) update(name, containers_.at(name), number);
    return std::move(events_);
  }

 private:
  void set(const std::string& leaf, const std::optional<std::string>& value) {
    const std::optional<Address> address = address_of(leaf);
    if (!address) return;
    Container& container = containers_[address->container];
    container.is_queue = address->is_queue;
    if (value) {
      container.leaves[address->path] = *value;
    } else {
      container.leaves.erase(address->path);
    }
    if (std::ranges::count(changed_, address->container) == 0) changed_.push_back(address->container);
  }

  // One message more or less is a message sent or received; anything else is just another content.
  void update(const std::string& name, Container& container, std::optional<std::size_t> number) {
    std::vector<Fields> now;
    for (auto& [position, fields] : spelled(container)) now.push_back(std::move(fields));
    std::vector<Carried>& before = container.contents;
    if (number && now.size() == before.size() + 1) {
      add(name, container, now, *number);
    } else if (number && now.size() + 1 == before.size()) {
      remove(name, container, now);
    } else if (now.size() != before.size() || !number) {
      before.clear();
      for (Fields& fields : now) before.push_back({std::move(fields), std::nullopt});
    }
  }

  void add(const std::string& name, Container& container, const std::vector<Fields>& now, std::size_t number) {
    const auto is_known = [](const Carried& carried, const Fields& fields) { return carried.fields == fields; };
    std::vector<Carried>& before = container.contents;
    std::size_t at = 0;
    if (container.is_queue) {
      while (at < before.size() && is_known(before[at], now[at])) ++at;
    } else {
      while (at + 1 < now.size() && count(before, now[at]) >= std::ranges::count(now, now[at])) ++at;
    }
    events_.push_back({MessageEvent::Kind::sent, name, text_of(now[at]), std::nullopt});
    before.insert(before.begin() + static_cast<std::ptrdiff_t>(std::min(at, before.size())), {now[at], number});
  }

  void remove(const std::string& name, Container& container, const std::vector<Fields>& now) {
    std::vector<Carried>& before = container.contents;
    std::size_t at = 0;
    if (container.is_queue) {
      while (at < now.size() && before[at].fields == now[at]) ++at;
    } else {
      while (at + 1 < before.size() && count(before, before[at].fields) <= std::ranges::count(now, before[at].fields))
        ++at;
    }
    events_.push_back({MessageEvent::Kind::received, name, text_of(before[at].fields), before[at].sender});
    before.erase(before.begin() + static_cast<std::ptrdiff_t>(at));
  }

  static std::ptrdiff_t count(const std::vector<Carried>& all, const Fields& fields) {
    return std::ranges::count(all, fields, &Carried::fields);
  }

  std::map<std::string, Container> containers_;
  std::vector<std::string> changed_;
  std::vector<MessageEvent> events_;
};

}  // namespace

std::vector<std::vector<MessageEvent>> messages_of(const Trace& trace) {
  Tracker tracker(trace);
  std::vector<std::vector<MessageEvent>> all;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) all.push_back(tracker.step(k, trace.steps[k]));
  return all;
}

}  // namespace fathom
