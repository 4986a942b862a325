#include "rules/rules.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>

#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "json/equality.h"
#include "rules/formats.h"
#include "rules/internal_form.h"
#include "rules/name_table.h"
#include "rules/program.h"

namespace tabernetes::registry::validation {

// Values of a list seen so far.
struct SeenValues {
  const void* by = nullptr;  // the word or path that uses this table
  std::uint32_t items = 0;   // number of items already in the table
  std::unique_ptr<NameTable> texts = nullptr;
  std::unique_ptr<SeenValues> next = nullptr;  // the next user's
};

namespace {

using json::Value;

constexpr std::uint32_t kFew = 16;  // longer lists are searched with a table

// Returns the value at a path relative to the place, or null. A leading slash starts at the whole
// object, each leading dot at the next enclosing object.
const Value* find_at(const Place& place, std::string_view path) {
  if (path.starts_with('/')) return follow(place.root, path.substr(1));
  const Place* from = &place;
  for (; path.starts_with('.'); path.remove_prefix(1)) {
    if (from->is_item) from = from->around;
    from = from->around;
  }
  return follow(from->now.value(), path);
}

bool is_unchanged(const Value* a, const Value* b) {
  return json::deep_equal(is_there(a) ? a : nullptr, is_there(b) ? b : nullptr);
}

std::size_t count_there(const Value* object, std::string_view names) {
  std::size_t count = 0;
  while (!names.empty()) {
    if (is_there(follow(object, take_part(names, ',')))) ++count;
  }
  return count;
}

bool asks(const Step& step, const RuleTables& tables, const Place& place) {
  switch (step.test) {
    case ConditionKind::kThere:
      return is_there(find_at(place, step.text));
    case ConditionKind::kFull:
      return !is_empty(find_at(place, step.text));
    case ConditionKind::kWas:
      return !is_empty(follow(place.old, step.text));
    case ConditionKind::kChanged:
      return place.old == nullptr ||
             !is_unchanged(follow(place.now.value(), step.text), follow(place.old, step.text));
    case ConditionKind::kIs:
      return has_value(find_at(place, step.text), step.detail);
    case ConditionKind::kAbove: {
      const Value* value = find_at(place, step.text);
      return value != nullptr && value->is_int() && value->as_int() > step.low;
    }
    case ConditionKind::kSeveral:
      return place.list != nullptr && place.list->size() > 1;
    case ConditionKind::kAny:
      return count_there(place.now.value(), step.text) > 0;
    case ConditionKind::kTwo:
      return count_there(place.now.value(), step.text) > 1;
    case ConditionKind::kAsk:
      return tables.predicates[step.named]->call(place);
    case ConditionKind::kGate:
      return place.now.capabilities().enabled(step.text);
    case ConditionKind::kAlways:
      break;
  }
  return true;
}

// Returns a word's number, or the number at its path.
std::int64_t limit_of(const Step& word, const Place& place) {
  if (word.text.empty()) return word.low;
  const Value* value = find_at(place, word.text);
  return value != nullptr && value->is_int() ? value->as_int() : 0;
}

// Returns the enclosing list's table for a word or path: lists may be long.
SeenValues& seen_values_for(const Place& place, const void* by) {
  SeenValues* seen = place.seen;
  while (seen->by != nullptr && seen->by != by) {
    if (seen->next == nullptr) seen->next = std::make_unique<SeenValues>();
    seen = seen->next.get();
  }
  seen->by = by;
  if (seen->texts == nullptr) seen->texts = std::make_unique<NameTable>();
  return *seen;
}

// Returns true if an earlier item has the same value at this place's member, or is the same.
bool is_repeated(const Place& place, const Step& word) {
  const bool may_be_none = word.text == "\"\"";
  if (place.list == nullptr || (!place.now.present() && !may_be_none)) return false;
  const auto items = place.list->value()->items();
  const Value* value = place.now.value();
  const bool whole = &items[place.index] == value;
  const bool is_text = may_be_none || value->is_string();
  if (is_text && place.index > kFew) {
    SeenValues& seen = seen_values_for(place, &word);
    while (seen.items < place.index) {
      const Value& item = items[seen.items++];
      seen.texts->add(text_of(whole ? &item : follow(&item, place.member)));
    }
    return seen.texts->has(text_of(value));
  }
  for (std::uint32_t i = 0; i < place.index; ++i) {
    const Value* other = whole ? &items[i] : follow(&items[i], place.member);
    if (is_text ? text_of(other) == text_of(value) && (may_be_none || other != nullptr)
                : is_unchanged(other, value)) {
      return true;
    }
  }
  return false;
}

// Returns true if the list at the word's path has an item with the same text (`list[].member`). A
// list further out is the same for all items of the enclosing list.
bool is_in(const Place& place, std::string_view path) {
  const std::size_t each = path.find("[]");
  const Value* list = find_at(place, path.substr(0, each));
  if (list == nullptr || !list->is_array()) return false;
  const std::string_view member = path.substr(std::min(each + 3, path.size()));
  const auto items = list->items();
  if (items.size() > kFew && path.starts_with("..")) {
    SeenValues& seen = seen_values_for(place, path.data());
    while (seen.items < items.size()) {
      seen.texts->add(text_of(follow(&items[seen.items++], member)));
    }
    return seen.texts->has(place.now.text());
  }
  for (const Value& item : items) {
    if (text_of(follow(&item, member)) == place.now.text()) return true;
  }
  return false;
}

// A missing number is zero.
void invalid_number(const Field& field, std::string_view detail) {
  field.invalid_printed(std::to_string(field.number()), detail);
}

// Prints the value for `=...` of a word: as it is, or as Go prints a type.
std::string shown_as(const Field& field, std::string_view argument) {
  if (!argument.starts_with('#')) {
    return argument.empty() ? field.printed() : std::string(argument);
  }
  return field.present() ? print_internal(field, argument.substr(1)) : "null";
}

void say_repeated(const Field& field, std::string_view detail) {
  if (detail.empty()) return field.duplicate();
  field.invalid(detail);
}

bool fails(bool fault, const Field& field, std::string_view detail) {
  if (fault) field.required(detail);
  return fault;
}

// Applies a word. Returns true if it reported an error, or if `opt`, `given` or `nonzero` found no
// value.
bool apply(const Step& word, const Place& place) {
  const Field& field = place.now;
  const std::int64_t value = field.number();
  const std::string_view argument = word.text;
  switch (word.what) {
    case StepKind::kRequired:
      return fails(is_empty(field.value()), field, word.detail);
    case StepKind::kPresent:
      return fails(!field.present(), field, word.detail);
    case StepKind::kNeeded:
      return fails(value == 0, field, word.detail);
    case StepKind::kOpt:
      return is_empty(field.value());
    case StepKind::kGiven:
      return !field.present();
    case StepKind::kNonzero:
      return value == 0;
    case StepKind::kEnum:
      return !field.one_of(argument);
    case StepKind::kIs:
      return !field.invalid(format_at(word.named, field.capabilities())(field.text()));
    case StepKind::kRange: {
      if (word.detail.empty()) return !field.in_range(word.low, word.high);
      if (value >= word.low && value <= word.high) return false;
      invalid_number(field, word.detail);
      return true;
    }
    case StepKind::kMin:
      return !field.non_negative();
    case StepKind::kPositive:
      return !field.positive();
    case StepKind::kGe:
      if (value >= limit_of(word, place)) return false;
      invalid_number(field, word.detail);
      return true;
    case StepKind::kLe:
      if (value <= limit_of(word, place)) return false;
      invalid_number(field, word.detail);
      return true;
    case StepKind::kGt:
      if (value > limit_of(word, place)) return false;
      invalid_number(field, word.detail);
      return true;
    case StepKind::kEq:
      if (value == limit_of(word, place)) return false;
      invalid_number(field, word.detail);
      return true;
    case StepKind::kMax: {
      const auto limit = static_cast<std::size_t>(word.low);
      if (field.size() <= limit) return false;
      if (word.detail.empty()) {
        field.too_many(limit);
      } else {
        field.invalid(word.detail);
      }
      return true;
    }
    case StepKind::kMaxlen: {
      const auto limit = static_cast<std::size_t>(word.low);
      if (field.text().size() <= limit) return false;
      if (word.detail.empty()) {
        field.too_long(limit);
      } else {
        field.invalid(word.detail);
      }
      return true;
    }
    case StepKind::kStar:
      for (std::uint32_t i = 0; field.size() > 1 && i < field.size(); ++i) {
        if (!field.item(i).is("*")) continue;
        field.invalid(word.detail);
        return true;
      }
      return false;
    case StepKind::kDistinct:
      if (!is_repeated(place, word)) return false;
      if (argument.starts_with('#')) {
        field.duplicate_as(shown_as(field, argument));
      } else {
        say_repeated(field, word.detail);
      }
      return true;
    case StepKind::kApart:
      if (!is_in(place, argument)) return false;
      say_repeated(field, word.detail);
      return true;
    case StepKind::kAmong:
      for (std::string_view lists = argument; !lists.empty();) {
        if (is_in(place, take_part(lists, ','))) return false;
      }
      if (word.detail.empty()) {
        field.not_found();
      } else {
        field.invalid(word.detail);
      }
      return true;
    case StepKind::kFirst:
      if (count_there(place.around->now.value(), argument) == 0) return false;
      field.forbidden(word.detail);
      return true;
    case StepKind::kImmutable:
      if (place.write == Write::kCreate || is_unchanged(field.value(), place.old)) return false;
      if (argument == "forbid") {
        field.forbidden(word.detail);
      } else {
        const bool is_struct = argument.starts_with('#');
        field.invalid_printed(is_struct ? shown_as(field, argument)
                              : field.present()
                                  ? field.printed()
                                  : shown_as(field, argument.empty() ? "null" : argument),
                              word.detail.empty() ? field::kImmutable : word.detail);
      }
      return true;
    case StepKind::kForbid:
      if (is_empty(field.value())) return false;
      field.forbidden(word.detail);
      return true;
    case StepKind::kBad:
      field.invalid_printed(shown_as(field, argument), word.detail);
      return true;
    case StepKind::kUnsupported:
      field.not_supported_as(shown_as(field, argument), word.detail);
      return true;
    case StepKind::kNeed:
      field.required(word.detail);
      return true;
    case StepKind::kDeny:
      field.forbidden(word.detail);
      return true;
    default:
      break;
  }
  assert(false);  // a word that fills in
  return false;
}

void run(Steps steps, const Place& place);

void run_each(const Steps& steps, const Place& place) {
  if (place.now.empty()) return;
  const bool is_list = place.now.value()->is_array();
  SeenValues seen = {};
  std::uint32_t i = 0;
  for (const Field item : place.now.items()) {
    const Value* old = is_list || place.old == nullptr || !place.old->is_object()
                           ? nullptr
                           : place.old->find(item.name());
    Place inner = place.inside(item, old);
    inner.is_item = true;
    if (is_list) {
      inner.list = &place.now;
      inner.index = i++;
      inner.seen = &seen;
    }
    run(steps, inner);
  }
}

// Returns the place with its path in errors: another member name, the enclosing place (`^`), or a
// member of the enclosing list.
Field shown(const Step& step, const Field& found, const Place& place) {
  const Field& holder = step.at_list ? *place.list : place.now;
  if (step.detail == "^" || (step.detail.empty() && step.text.empty())) return holder.with(found);
  return holder.as(step.detail.empty() ? step.text : step.detail, found);
}

void run_member(const Step& step, const Place& place) {
  const Field found = step.text.empty() ? place.now : place.now[step.text];
  const bool plain = step.detail.empty() && !step.at_list;
  const Field now = plain ? found : shown(step, found, place);
  Place inner = place.inside(now, follow(place.old, step.text));
  inner.member = step.text;
  run(step.within, inner);
}

void run(Steps steps, const Place& place) {
  const RuleTables& tables = *steps.tables;
  const auto asks_here = [&](const Step& step) { return asks(step, tables, place); };
  bool held = false;
  bool stops = false;
  for (const Step& step : steps) {
    switch (step.what) {
      case StepKind::kIf:
        if (step.otherwise && held) break;
        held = all_hold(step, asks_here);
        if (held) run(step.within, place);
        break;
      case StepKind::kOn:
        if ((step.writes >> static_cast<unsigned>(place.write) & 1U) != 0) run(step.within, place);
        break;
      case StepKind::kMember:
        if (!step.idle || place.now.find(step.text) != nullptr) run_member(step, place);
        break;
      case StepKind::kEach:
        run_each(step.within, place);
        break;
      case StepKind::kHere:
        run(step.within, place);
        break;
      case StepKind::kCheck:
        tables.checks[step.named]->call(place);
        break;
      case StepKind::kRules:
        run(steps_of(tables, step.named), place);
        break;
      case StepKind::kStop:
        stops = true;
        break;
      default:
        if (apply(step, place) && (stops || stops_line(step.what))) return;
        stops = false;
    }
  }
}

}  // namespace

void Rules::check(const Place& place) const { run(steps_of(tables_, program_), place); }

void Rules::check_alone(const Field& place) const {
  check(Place{place, nullptr, Write::kCreate, place.value()});
}

// A write of the status uses only the rules under `on`.
void Rules::check(Write write, const Field& object, const Value* old) const {
  const Place place{object, old, write, object.value()};
  if (write != Write::kStatus) return check(place);
  for (const Step& step : steps_of(tables_, program_)) {
    if (step.what == StepKind::kOn) run({&tables_, &step, &step + 1}, place);
  }
}

}  // namespace tabernetes::registry::validation
