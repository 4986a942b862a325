#include "backend.h"

#include <cstring>
#include <utility>

#include "input.h"
#include "values.h"

namespace tabernetes::wasm {
namespace {

using emscripten::val;

// Numbers of a change: its revision, the one that it replaces, its time, and whether it has a
// value. All are 64 bits wide, little-endian as everything in the WebAssembly.
constexpr std::size_t kNumbers = 4;

// The size of a value that is not there, in a packed change.
constexpr std::uint32_t kNoValue = 0xFFFF'FFFF;

std::vector<store::StoredChange> given;

template <typename Number>
Number take_number(InputReader& input) {
  Number number;
  std::memcpy(&number, input.take(sizeof number).data(), sizeof number);
  return number;
}

val text_of(std::uint64_t number) { return val(std::to_string(number)); }

std::uint64_t number_of(const val& decimal) { return parse_number(decimal.as<std::string>()); }

std::int64_t signed_of(const val& decimal) {
  const std::string text = decimal.as<std::string>();
  const bool negative = text.starts_with('-');
  const auto size = static_cast<std::int64_t>(parse_number(text.substr(negative ? 1 : 0)));
  return negative ? -size : size;
}

}  // namespace

std::optional<store::Stored> HostBackend::take_stored() {
  return std::exchange(stored_, std::nullopt);
}

void HostBackend::propose(store::Batch batch, Done done) {
  batch_ = std::move(batch);
  done_ = std::move(done);
  proposed_ = true;
}

bool HostBackend::take_proposed() { return std::exchange(proposed_, false); }

void HostBackend::locate(Places& places) {
  numbers_.clear();
  values_.clear();
  numbers_.reserve(kNumbers * batch_.changes.size());
  for (const store::Change& change : batch_.changes) {
    numbers_.insert(numbers_.end(), {change.revision, change.replaces,
                                     static_cast<std::uint64_t>(change.time.unix_nanoseconds),
                                     std::uint64_t{change.value ? 1U : 0U}});
    values_.push_back(change.value ? change.value->flatten() : std::string());
  }
  places.add(
      {reinterpret_cast<const char*>(numbers_.data()), numbers_.size() * sizeof(std::uint64_t)});
  for (std::size_t i = 0; i < values_.size(); ++i) {
    places.add(batch_.changes[i].key);
    places.add(values_[i]);
  }
}

val HostBackend::facts() const {
  return object_of({{"changes", val(static_cast<unsigned>(batch_.changes.size()))},
                    {"whole", val(batch_.whole)},
                    {"revision", text_of(batch_.revision)},
                    {"oldest", text_of(batch_.oldest)},
                    {"clock", val(std::to_string(batch_.clock.unix_nanoseconds))},
                    {"random", batch_.random ? text_of(*batch_.random) : val::undefined()}});
}

void HostBackend::finish(store::Outcome outcome) {
  batch_ = {};
  numbers_ = {};
  values_ = {};
  const Done done = std::exchange(done_, nullptr);
  if (done) done(std::move(outcome));
}

void give_changes(unsigned size) {
  InputReader input;
  while (size > 0) {
    store::StoredChange& change = given.emplace_back();
    change.revision = take_number<std::uint64_t>(input);
    change.time.unix_nanoseconds = take_number<std::int64_t>(input);
    const auto key = take_number<std::uint32_t>(input);
    const auto value = take_number<std::uint32_t>(input);
    const std::uint32_t bytes = value == kNoValue ? 0 : value;
    change.key = input.take(key);
    if (value != kNoValue) change.value.emplace(input.take(bytes));
    size -= 2 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t) + key + bytes;
  }
}

std::vector<store::StoredChange> take_given_changes() { return std::exchange(given, {}); }

std::optional<store::Stored> stored_of(const val& facts) {
  if (facts.isUndefined()) return std::nullopt;
  store::Stored stored;
  stored.changes = take_given_changes();
  stored.revision = number_of(facts["revision"]);
  stored.oldest = number_of(facts["oldest"]);
  stored.clock.unix_nanoseconds = signed_of(facts["clock"]);
  if (!facts["random"].isUndefined()) stored.random = number_of(facts["random"]);
  return stored;
}

store::Outcome outcome_of(std::string_view kind, const std::string& fault) {
  using Kind = store::Outcome::Kind;
  store::Outcome outcome;
  if (kind == "conflict") {
    outcome.kind = Kind::kConflict;
    outcome.others = take_given_changes();
  } else if (kind == "failed") {
    outcome = {.kind = Kind::kFailed, .fault = {fault}, .others = {}};
  }
  return outcome;
}

}  // namespace tabernetes::wasm
