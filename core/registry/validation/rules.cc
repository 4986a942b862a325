#include "registry/validation/rules.h"

#include <cassert>
#include <string>

#include "base/go_text.h"
#include "json/equality.h"
#include "registry/validation/checks.h"
#include "registry/validation/formats.h"

namespace tabernetes::registry::validation {
namespace {

using json::Value;

constexpr std::string_view kImmutable = "field is immutable";

// Up to the first `separator`, which goes too.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::size_t indent_of(std::string_view text) {
  const std::size_t indent = text.find_first_not_of(' ');
  return indent == std::string_view::npos ? text.size() : indent;
}

// The lines at the beginning of `text` that are indented deeper than `indent`.
std::string_view take_below(std::string_view& text, std::size_t indent) {
  std::size_t end = 0;
  while (end < text.size() && indent_of(text.substr(end)) > indent) {
    const std::size_t line = text.find('\n', end);
    end = line == std::string_view::npos ? text.size() : line + 1;
  }
  const std::string_view below = text.substr(0, end);
  text.remove_prefix(end);
  return below;
}

bool is_empty(const Value* value) {
  if (value == nullptr || value->is_null()) return true;
  if (value->is_string()) return value->as_string().empty();
  return value->is_array() && value->size() == 0;
}

// By members, and by numbers of items.
const Value* follow(const Value* value, std::string_view path) {
  while (value != nullptr && !path.empty()) {
    const std::string_view name = take(path, '.');
    if (value->is_array()) {
      const auto i = static_cast<std::size_t>(name[0] - '0');
      value = i < value->size() ? &value->items()[i] : nullptr;
    } else {
      value = value->is_object() ? value->find(name) : nullptr;
    }
  }
  return value;
}

bool same(const Value* a, const Value* b) {
  if (a != nullptr && a->is_null()) a = nullptr;
  if (b != nullptr && b->is_null()) b = nullptr;
  return a == nullptr || b == nullptr ? a == b : json::deep_equal(*a, *b);
}

bool has_value(const Value* value, std::string_view choices) {
  if (value == nullptr) return false;
  std::string text;
  if (value->is_string()) {
    text = value->as_string();
  } else if (value->is_bool()) {
    text = value->as_bool() ? "true" : "false";
  } else if (value->is_int()) {
    text = std::to_string(value->as_int());
  }
  while (!choices.empty()) {
    if (take(choices, '|') == text) return true;
  }
  return false;
}

bool holds(std::string_view condition, const Place& place) {
  const Value* from = place.now.value();
  if (condition[0] == '+' || condition[0] == '-') {
    const Value* value = follow(from, condition.substr(1));
    return (value != nullptr && !value->is_null()) == (condition[0] == '+');
  }
  if (condition == "several") return place.list != nullptr && place.list->size() > 1;
  switch (condition.front()) {
    case '/':
      condition.remove_prefix(1);
      from = place.root;
      break;
    case '!':
      return is_empty(follow(from, condition.substr(1)));
    case '^':
      return !is_empty(follow(place.old, condition.substr(1)));
    case '~':
      condition.remove_prefix(1);
      return place.old == nullptr || !same(follow(from, condition), follow(place.old, condition));
    default:
      break;
  }
  const std::size_t equals = condition.find('=');
  if (equals == std::string_view::npos) return !is_empty(follow(from, condition));
  const bool unlike = condition[equals - 1] == '!';
  const Value* value = follow(from, condition.substr(0, equals - (unlike ? 1 : 0)));
  return has_value(value, condition.substr(equals + 1)) != unlike;
}

bool is_on(std::string_view writes, Write write) {
  constexpr std::string_view kNames[] = {"create", "update", "status"};
  return writes.find(kNames[static_cast<std::size_t>(write)]) != std::string_view::npos;
}

struct Word {
  std::string_view name, argument, detail;
};

Word take_word(std::string_view& line) {
  Word word;
  std::size_t end = line.find(' ');
  std::string_view text = take(line, ' ');
  if (line.starts_with('"')) {
    line.remove_prefix(1);
    end = line.find('"');
    word.detail = line.substr(0, end);
    line.remove_prefix(end + 1);
    take(line, ' ');
  }
  end = text.find_first_of(":=");
  word.name = text.substr(0, end);
  if (end != std::string_view::npos) word.argument = text.substr(end + 1);
  return word;
}

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  const bool negative = text.starts_with('-');
  for (const char c : text.substr(negative ? 1 : 0)) value = value * 10 + (c - '0');
  return negative ? -value : value;
}

// Whether an earlier item has the same at the member of this place's name, or is the same.
bool is_repeated(const Place& place) {
  if (place.list == nullptr || !place.now.present()) return false;
  for (std::uint32_t i = 0; i < place.index; ++i) {
    const Value& item = place.list->value()->items()[i];
    const Value& own = place.list->value()->items()[place.index];
    const Value* there = &own == place.now.value() ? &item : follow(&item, place.now.name());
    if (same(there, place.now.value())) return true;
  }
  return false;
}

// A number that is not there is zero.
void invalid_number(const Field& field, std::string_view detail) {
  field.invalid_as(std::to_string(field.number()), detail);
}

enum class Goes { kOn, kStops };

// Does what the word says. REQUIRES: it is a word.
Goes apply(const Word& word, const Place& place) {
  const Field& field = place.now;
  const std::int64_t value = field.number();
  switch (word.name[0] + word.name[1] * 256) {
    case 'r' + 'e' * 256:  // required
      if (!is_empty(field.value())) return Goes::kOn;
      field.required(word.detail);
      return Goes::kStops;
    case 'o' + 'p' * 256:  // opt
      return is_empty(field.value()) ? Goes::kStops : Goes::kOn;
    case 'g' + 'i' * 256:  // given
      return field.present() ? Goes::kOn : Goes::kStops;
    case 'e' + 'n' * 256:  // enum
      field.one_of(word.argument);
      return Goes::kOn;
    case 'i' + 's' * 256:  // is
      field.invalid(find_format(word.argument)(field.text()));
      return Goes::kOn;
    case 'r' + 'a' * 256: {  // range
      std::string_view low = word.argument;
      const std::string_view high = low.substr(low.find('-', 1) + 1);
      low.remove_suffix(high.size() + 1);
      if (value >= number(low) && value <= number(high)) return Goes::kOn;
      invalid_number(field, "must be between " + std::string(low) + " and " + std::string(high) +
                                ", inclusive");
      return Goes::kOn;
    }
    case 'm' + 'i' * 256:  // min
      if (value >= 0) return Goes::kOn;
      invalid_number(field, "must be greater than or equal to 0");
      return Goes::kOn;
    case 'p' + 'r' * 256:  // present
      if (field.present()) return Goes::kOn;
      field.required(word.detail);
      return Goes::kStops;
    case 's' + 't' * 256:  // star
      for (std::uint32_t i = 0; field.size() > 1 && i < field.size(); ++i) {
        if (!field.item(i).is("*")) continue;
        field.invalid(word.detail);
        break;
      }
      return Goes::kOn;
    case 'p' + 'o' * 256:  // positive
      if (value > 0) return Goes::kOn;
      invalid_number(field, "must be greater than zero");
      return Goes::kOn;
    case 'g' + 'e' * 256:  // ge
      if (value < number(word.argument)) invalid_number(field, word.detail);
      return Goes::kOn;
    case 'l' + 'e' * 256:  // le
      if (value > number(word.argument)) invalid_number(field, word.detail);
      return Goes::kOn;
    case 'm' + 'a' * 256: {  // max, maxlen
      const auto limit = static_cast<std::size_t>(number(word.argument));
      if (word.name == "max") {
        if (field.size() > limit) return field.too_many(limit), Goes::kStops;
      } else if (field.text().size() > limit) {
        field.too_long(limit);
      }
      return Goes::kOn;
    }
    case 'd' + 'i' * 256:  // distinct
      if (is_repeated(place)) field.duplicate();
      return Goes::kOn;
    case 'i' + 'm' * 256:  // immutable
      if (place.write == Write::kCreate || same(field.value(), place.old)) return Goes::kOn;
      if (word.argument == "forbid") {
        field.forbidden(word.detail);
      } else {
        const std::string_view none = word.argument.empty() ? "null" : word.argument;
        field.invalid_as(field.present() ? field.printed() : std::string(none),
                         word.detail.empty() ? kImmutable : word.detail);
      }
      return Goes::kOn;
    case 'f' + 'o' * 256:  // forbid
      if (is_empty(field.value())) return Goes::kOn;
      field.forbidden(word.detail);
      return Goes::kStops;
    case 'b' + 'a' * 256:  // bad
      field.invalid_as(word.argument.empty() ? field.printed() : std::string(word.argument),
                       word.detail);
      return Goes::kOn;
    case 'n' + 'e' * 256:  // need
      field.required(word.detail);
      return Goes::kOn;
    case 'd' + 'e' * 256:  // deny
      field.forbidden(word.detail);
      return Goes::kOn;
    default:
      assert(false);
      return Goes::kOn;
  }
}

void apply_line(std::string_view line, std::string_view below, const Place& place) {
  while (!line.empty()) {
    if (line.front() == '@') {
      find_check(take(line, ' ').substr(1))(place);
    } else if (line.front() == '&') {
      check(find_rules(take(line, ' ').substr(1)), place);
    } else if (apply(take_word(line), place) == Goes::kStops) {
      return;
    }
  }
  check(below, place);
}

void go(std::string_view path, std::string_view line, std::string_view below, const Place& place);

// `path` goes on from each item.
void go_each(std::string_view path, std::string_view line, std::string_view below,
             const Place& place) {
  if (place.now.empty()) return;
  std::uint32_t i = 0;
  const bool is_list = place.now.value()->is_array();
  for (const Field item : place.now.items()) {
    Place inner{item, nullptr, place.write, place.root, place.list, place.index};
    if (is_list) {
      inner.list = &place.now;
      inner.index = i++;
    } else {
      if (place.old != nullptr && place.old->is_object()) inner.old = place.old->find(item.name());
    }
    go(path, line, below, inner);
  }
}

// Goes to the place of the line's first word, member by member.
void go(std::string_view path, std::string_view line, std::string_view below, const Place& place) {
  if (path.empty() || path == ".") return apply_line(line, below, place);
  std::string_view name = take(path, '.');
  if (name == "[]" || name == "{}") return go_each(path, line, below, place);
  const bool each = name.ends_with("[]") || name.ends_with("{}");
  if (each) name.remove_suffix(2);
  std::string_view shown = name;
  name = take(shown, '>');
  const Field found = place.now[name];
  const Field member = shown.empty() ? found : place.now.as(shown, found);
  const Place inner{member,     follow(place.old, name), place.write, place.root, place.list,
                    place.index};
  if (each) {
    go_each(path, line, below, inner);
  } else {
    go(path, line, below, inner);
  }
}

}  // namespace

void check(std::string_view rules, const Place& place) {
  while (!rules.empty()) {
    const std::size_t indent = indent_of(rules);
    std::string_view line = take(rules, '\n');
    const std::string_view below = take_below(rules, indent);
    if (line.size() <= indent) continue;
    line.remove_prefix(indent);
    if (line.front() == '?') {
      if (holds(line.substr(1), place)) check(below, place);
    } else if (line.starts_with("on ")) {
      if (is_on(line, place.write)) check(below, place);
    } else if (line.front() == '@' || line.front() == '&') {
      apply_line(line, below, place);
    } else {
      const std::string_view path = take(line, ' ');
      go(path, line, below, place);
    }
  }
}

void check(std::string_view rules, Write write, const Field& object, const Value* old) {
  const Place place{object, old, write, object.value()};
  while (!rules.empty()) {
    const std::size_t line = rules.find('\n') + 1;
    std::string_view rest = rules.substr(line);
    const std::size_t below = take_below(rest, 0).size();
    if (write != Write::kStatus || rules.starts_with("on ")) {
      check(rules.substr(0, line + below), place);
    }
    rules = rest;
  }
}

}  // namespace tabernetes::registry::validation
