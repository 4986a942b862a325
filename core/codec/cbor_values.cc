// Uses an explicit stack, since values may nest deeply. Tested by tests/core/codec/cbor_test.cc,
// tests/fuzz/cbor_fuzz.cc.
#include "codec/cbor_values.h"

#include <limits>
#include <span>

#include "base/algorithm/sort.h"
#include "codec/cbor_time.h"

namespace tabernetes::codec::cbor {
namespace {

using json::Value;

constexpr std::uint64_t kLargestValue = std::numeric_limits<std::int64_t>::max();

class ValueReader {
 public:
  explicit ValueReader(Items& items) : items_(items) {}

  bool read(Value& out) {
    Step step = item(0, out);
    while (step == Step::kOpened || !open_.empty()) {
      if (step != Step::kOpened) add(out, step == Step::kRead);
      step = next(out);
    }
    return step == Step::kRead;
  }

 private:
  enum class Step { kRead, kFailed, kOpened };

  struct Open {
    bool map;
    bool indefinite;
    bool errors_before;
    bool failed;
    std::uint32_t index;
    std::uint64_t left;
    std::uint64_t later;
    std::size_t first;  // index of its first entry
    std::string_view key;
  };

  Step scalar(Value value, Value& out) {
    out = value;
    return Step::kRead;
  }

  Step item(std::uint64_t later, Value& out) {
    if (!items_.tags(later, Items::Times::kStop)) return Step::kFailed;
    switch (items_.next()) {
      case Major::kUnsigned:
      case Major::kNegative:
        return integer(items_.head(), out);
      case Major::kBytes:
      case Major::kText: {
        std::string_view text;
        if (!items_.string("string", later, text)) return Step::kFailed;
        return scalar(Value::string(text), out);
      }
      case Major::kTag:
        return time(out);
      case Major::kPrimitive:
        return primitive(items_.head(), out);
      default:
        return open(later);
    }
  }

  Step integer(const Head& head, Value& out) {
    if (head.value > kLargestValue) {
      const std::string detail = std::to_string(head.value) + " overflows Go's int64";
      items_.number_mismatch(head, "int64", detail);
      return Step::kFailed;
    }
    const auto value = static_cast<std::int64_t>(head.value);
    return scalar(Value::integer(head.major == Major::kNegative ? -1 - value : value), out);
  }

  Step primitive(const Head& head, Value& out) {
    if (head.info == kTrue || head.info == kFalse) {
      return scalar(Value::boolean(head.info == kTrue), out);
    }
    if (head.info == kNull) return scalar(Value::null(), out);
    if (head.info >= kHalf) {
      return scalar(Value::number(items_.arena(), head.real), out);
    }
    items_.number_mismatch(head, {});
    return Step::kFailed;
  }

  Step time(Value& out) {
    TimeText time;
    if (items_.head().value == kTimeText) {
      std::string_view text;
      if (!items_.bytes(text)) return Step::kFailed;
      time = time_of_text(text);
    } else {
      time = time_of_epoch(items_.head());
    }
    if (time.error.empty()) return scalar(Value::string(items_.arena().copy(time.text)), out);
    items_.errors().note(std::move(time.error));
    return Step::kFailed;
  }

  Step open(std::uint64_t later) {
    const Head head = items_.head();
    open_.push_back({head.major == Major::kMap,
                     head.indefinite(),
                     items_.errors().any(),
                     false,
                     0,
                     head.value,
                     later,
                     entries_.size(),
                     {}});
    return Step::kOpened;
  }

  // Adds the result of an item to the innermost open container.
  void add(const Value& value, bool read) {
    Open& open = open_.back();
    if (read) entries_.push_back({open.key, open.index, value});
    open.failed = open.failed || !read;
    ++open.index;
  }

  // Reads the next item of the innermost open container or, at its end, closes it.
  Step next(Value& out) {
    Open& open = open_.back();
    while (true) {
      if (open.indefinite ? items_.take_break() : open.index == open.left) return close(out);
      if (!open.map || items_.string("string", open.later, open.key)) return item(open.later, out);
      items_.skip();
      open.failed = true;
      ++open.index;
    }
  }

  Step close(Value& out) {
    const Open open = open_.back();
    open_.pop_back();
    if (!open.map) {
      out = close_array(entries_, open.first, items_.arena());
    } else if (!close_map(entries_, open.first, open.errors_before, items_, out)) {
      return Step::kFailed;
    }
    return open.failed ? Step::kFailed : Step::kRead;
  }

  Items& items_;
  std::vector<Open> open_;
  std::vector<Entry> entries_;
};

bool in_order(const Entry* entries, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    if (entries[i - 1].key >= entries[i].key) return false;
  }
  return true;
}

// Returns the first entry whose key is a duplicate, or null. REQUIRES: sorted, equal keys by index.
const Entry* first_repeated(const Entry* entries, std::size_t count) {
  const Entry* found = nullptr;
  for (std::size_t i = 1; i < count; ++i) {
    if (entries[i - 1].key != entries[i].key) continue;
    if (found == nullptr || entries[i].index < found->index) found = &entries[i];
  }
  return found;
}

}  // namespace

bool read_value(Items& items, Value& out) { return ValueReader(items).read(out); }

bool close_map(std::vector<Entry>& entries, std::size_t first, bool errors_before, Items& items,
               Value& out) {
  Entry* const mine = entries.data() + first;
  const std::size_t count = entries.size() - first;
  bool unique = true;
  if (!in_order(mine, count)) {
    sort_stable(std::span(mine, count), [](const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key < b.key : a.index < b.index;
    });
    if (const Entry* repeated = first_repeated(mine, count)) {
      items.errors().replace(errors_before, duplicate_key(repeated->key, repeated->index));
      unique = false;
    }
  }
  if (unique) {
    out = Value::uninitialized_object(items.arena(), static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      new (&out.members()[i]) json::Member{mine[i].key, mine[i].value};
    }
    out.index_members(items.arena());
  }
  entries.resize(first);
  return unique;
}

Value close_array(std::vector<Entry>& entries, std::size_t first, json::Arena& arena) {
  const std::size_t count = entries.size() - first;
  Value out = Value::uninitialized_array(arena, static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) new (&out.items()[i]) Value(entries[first + i].value);
  entries.resize(first);
  return out;
}

}  // namespace tabernetes::codec::cbor
