#include "rules/rule_steps.h"

#include <atomic>
#include <cassert>
#include <string>

#include "base/parts.h"

namespace tabernetes::registry::validation {
namespace {

struct Word {
  std::string_view name;
  Do what;
  bool stops = false;
};

constexpr Word kWords[] = {
    {"required", Do::kRequired, true},
    {"present", Do::kPresent, true},
    {"needed", Do::kNeeded, true},
    {"opt", Do::kOpt, true},
    {"given", Do::kGiven, true},
    {"nonzero", Do::kNonzero, true},
    {"enum", Do::kEnum},
    {"is", Do::kIs},
    {"range", Do::kRange},
    {"min", Do::kMin},
    {"positive", Do::kPositive},
    {"ge", Do::kGe},
    {"le", Do::kLe},
    {"gt", Do::kGt},
    {"eq", Do::kEq},
    {"max", Do::kMax, true},
    {"maxlen", Do::kMaxlen},
    {"star", Do::kStar},
    {"distinct", Do::kDistinct},
    {"apart", Do::kApart},
    {"among", Do::kAmong},
    {"first", Do::kFirst, true},
    {"immutable", Do::kImmutable},
    {"forbid", Do::kForbid, true},
    {"bad", Do::kBad},
    {"unsupported", Do::kUnsupported},
    {"need", Do::kNeed},
    {"deny", Do::kDeny},
    {"fill", Do::kFill},
    {"default", Do::kDefault},
    {"number", Do::kNumber},
    {"made", Do::kMade},
};

std::size_t indent_of(std::string_view text) {
  const std::size_t indent = text.find_first_not_of(' ');
  return indent == std::string_view::npos ? text.size() : indent;
}

// Removes the lines at the start of `text` that are indented deeper than `indent`.
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

std::string_view take_quoted(std::string_view& line) {
  if (!line.starts_with('"') && !line.starts_with('|')) return {};
  const char quote = line.front();
  line.remove_prefix(1);
  const std::string_view detail = take_part(line, quote);
  if (!line.empty()) line.remove_prefix(1);
  return detail;
}

class Reader {
 public:
  Reader(const Vocabulary& words, std::vector<Step>& steps) : words_(words), steps_(steps) {}

  void lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t indent = indent_of(text);
      std::string_view line = take_part(text, '\n');
      const std::string_view below = take_below(text, indent);
      if (line.size() <= indent) continue;
      line.remove_prefix(indent);
      if (line.front() == '?' || line.starts_with("else")) {
        conditions(line, below);
      } else if (line.starts_with("on ")) {
        const std::size_t at = begin(Do::kOn);
        constexpr std::string_view kNames[] = {"create", "update", "status"};
        for (std::size_t i = 0; i < 3; ++i) {
          if (line.find(kNames[i]) != std::string_view::npos) steps_[at].writes |= 1U << i;
        }
        lines(below);
        end(at);
      } else {
        const bool call = line.front() == '@' || line.front() == '&';
        place(call ? "." : take_part(line, ' '), line, below);
      }
    }
  }

 private:
  std::size_t begin(Do what, std::string_view text = {}, std::string_view detail = {}) {
    steps_.push_back({what});
    steps_.back().text = text;
    steps_.back().detail = detail;
    return steps_.size() - 1;
  }
  void end(std::size_t at) { steps_[at].size = static_cast<std::uint16_t>(steps_.size() - at); }

  void conditions(std::string_view line, std::string_view below) {
    const std::size_t at = begin(Do::kIf);
    if (line.front() == 'e') {
      take_part(line, ' ');
      steps_[at].otherwise = true;
    }
    if (!line.empty()) condition(take_part(line, ' ').substr(1), steps_[at]);
    while (!line.empty()) {
      const std::size_t more = begin(Do::kAnd);
      condition(take_part(line, ' ').substr(1), steps_[more]);
    }
    lines(below);
    end(at);
  }

  void condition(std::string_view text, Step& step) const {
    const auto starts = [&](std::string_view sign) {
      if (!text.starts_with(sign)) return false;
      text.remove_prefix(sign.size());
      return true;
    };
    step.negated = starts("!");
    if (starts("+")) {
      step.test = Test::kThere;
    } else if (starts("-")) {
      step.test = Test::kThere;
      step.negated = true;
    } else if (starts("^")) {
      step.test = Test::kWas;
    } else if (starts("~")) {
      step.test = Test::kChanged;
    } else if (starts("@")) {
      step.test = Test::kAsk;
      step.ask = words_.predicate(text);
    } else if (starts("any:")) {
      step.test = Test::kAny;
    } else if (starts("two:")) {
      step.test = Test::kTwo;
    } else if (text == "several") {
      step.test = Test::kSeveral;
    } else {
      step.test = Test::kFull;
      const std::size_t above = text.find('>');
      const std::size_t equals = text.find('=');
      if (above != std::string_view::npos) {
        step.test = Test::kAbove;
        step.detail = text.substr(above + 1);
        text = text.substr(0, above);
      } else if (equals != std::string_view::npos) {
        step.test = Test::kIs;
        step.detail = text.substr(equals + 1);
        text = text.substr(0, equals);
        if (text.ends_with('!')) {
          text.remove_suffix(1);
          step.negated = true;
        }
      }
    }
    step.text = text;
  }

  // Compiles a line: the rest of its path, its words, and the lines below it.
  void place(std::string_view path, std::string_view line, std::string_view below) {
    if (path.empty() || path == ".") {
      const std::size_t at = path.empty() ? steps_.size() : begin(Do::kHere);
      words(line);
      lines(below);
      if (!path.empty()) end(at);
      return;
    }
    std::string_view names = take_part(path, '.');
    std::string_view each;
    if (names.ends_with("[]") || names.ends_with("{}")) {
      each = names.substr(names.size() - 2);
      names.remove_suffix(2);
    }
    do {
      std::string_view shown = take_part(names, ',');
      const bool at_list = shown.starts_with('^');
      if (at_list) shown.remove_prefix(1);
      const std::string_view name = take_part(shown, '>');
      const bool moves = at_list || !name.empty() || !shown.empty();
      const std::size_t member = moves ? begin(Do::kMember, name, shown) : 0;
      if (at_list) steps_[member].at_list = true;
      const std::size_t items = each.empty() ? 0 : begin(Do::kEach);
      place(path, line, below);
      if (!each.empty()) end(items);
      if (!moves) continue;
      end(member);
      steps_[member].idle = !name.empty() && is_idle(member + 1, steps_.size());
    } while (!names.empty());
  }

  // Returns true if the steps do nothing for a missing value.
  bool is_idle(std::size_t step, std::size_t end) const {
    for (; step != end; step += steps_[step].size) {
      switch (steps_[step].what) {
        case Do::kOpt:
        case Do::kGiven:
          return true;  // the line stops
        case Do::kMember:
          if (!steps_[step].idle) return false;
          break;
        case Do::kEach:
        case Do::kForbid:
        case Do::kMax:
        case Do::kMaxlen:
          break;
        default:
          return false;
      }
    }
    return true;
  }

  void words(std::string_view line) {
    while (!line.empty()) {
      std::string_view argument = take_part(line, ' ');
      const char sign = argument.front();
      if (sign == '@') {
        if (const Fill filler = words_.filler(argument.substr(1))) {
          steps_[begin(Do::kFiller)].filler = filler;
        } else {
          steps_[begin(Do::kCheck)].check = words_.check(argument.substr(1));
        }
      } else if (sign == '&') {
        steps_[begin(Do::kRules)].rules = &program_of(words_, words_.rules(argument.substr(1)));
      } else {
        word(argument, take_quoted(line));
      }
    }
  }

  void word(std::string_view text, std::string_view detail) {
    const std::size_t end = text.find_first_of(":=");
    std::string_view name = text.substr(0, end);
    const bool stops = name.ends_with('!');
    if (stops) name.remove_suffix(1);
    const Word* word = kWords;
    while (word->name != name) assert(word + 1 != std::end(kWords)), ++word;
    Step& step = steps_[begin(word->what, {}, detail)];
    if (end != std::string_view::npos) step.text = text.substr(end + 1);
    step.stops = stops || word->stops;
    if (step.what == Do::kIs) step.format = find_format(step.text);
  }

  const Vocabulary& words_;
  std::vector<Step>& steps_;
};

// Finds a row by name in a list of tables that end with an empty row; returns null if there is
// none.
template <typename Row>
const Row* find_row(std::span<const Row* const> lists, std::string_view name) {
  for (const Row* row : lists) {
    for (; !row->name.empty(); ++row) {
      if (row->name == name) return row;
    }
  }
  assert(false);
  return nullptr;
}

}  // namespace

Check Vocabulary::check(std::string_view name) const { return find_row(checks, name)->check; }

Predicate Vocabulary::predicate(std::string_view name) const {
  return find_row(predicates, name)->ask;
}

Fill Vocabulary::filler(std::string_view name) const {
  for (const NamedFill& row : fills) {
    if (row.name == name) return row.fill;
  }
  return nullptr;
}

std::string_view Vocabulary::rules(std::string_view name) const {
  return find_row(shared, name)->rules;
}

bool is_there(const json::Value* value) { return value != nullptr && !value->is_null(); }

bool is_empty(const json::Value* value) {
  if (!is_there(value)) return true;
  if (value->is_string()) return value->as_string().empty();
  return value->is_array() && value->size() == 0;
}

bool has_value(const json::Value* value, std::string_view choices) {
  if (value == nullptr) return false;
  std::string number;
  std::string_view text;
  if (value->is_string()) {
    text = value->as_string();
  } else if (value->is_bool()) {
    text = value->as_bool() ? "true" : "false";
  } else if (value->is_int()) {
    text = number = std::to_string(value->as_int());
  }
  while (!choices.empty()) {
    if (take_part(choices, '|') == text) return true;
  }
  return false;
}

const Program& program_of(const Vocabulary& words, std::string_view rules) {
  // A hash table by address. Each slot is set once, by one atomic exchange.
  struct Known {
    const char* text;
    Program program;
  };
  constexpr std::size_t kPlaces = 512;
  static std::atomic<const Known*> known[kPlaces];
  const auto address = reinterpret_cast<std::uintptr_t>(rules.data());
  const Known* made = nullptr;
  for (std::size_t i = address / 8 + address / 4096;; ++i) {
    std::atomic<const Known*>& place = known[i % kPlaces];
    const Known* there = place.load(std::memory_order_acquire);
    if (there == nullptr) {
      if (made == nullptr) {
        auto* fresh = new Known{rules.data(), {}};
        Reader(words, fresh->program.steps).lines(rules);
        made = fresh;
      }
      if (place.compare_exchange_strong(there, made, std::memory_order_acq_rel)) {
        return made->program;
      }
    }
    if (there->text == rules.data()) {
      delete made;
      return there->program;
    }
  }
}

}  // namespace tabernetes::registry::validation
