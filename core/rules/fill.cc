#include <cassert>
#include <string>

#include "base/go/text.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "rules/program.h"

namespace tabernetes::registry::validation {
namespace {

using json::Value;

// A place that may be changed. Null: it does not exist.
struct DefaultPlace {
  Value* value;
  Value* holder = nullptr;  // the object that contains, or would contain, the member
  std::string_view member = {};
};

Value value_of(std::string_view text, json::Arena& arena) {
  if (text == "true" || text == "false") return Value::boolean(text == "true");
  if (text.find_first_not_of("0123456789") == std::string_view::npos) {
    return Value::integer(static_cast<std::int64_t>(go_parse_uint(text).value));
  }
  constexpr std::string_view kJson = "\"[{";
  return kJson.find(text.front()) == std::string_view::npos ? Value::string(text)
                                                            : codec::read_json(text, arena).value;
}

class Filler {
 public:
  explicit Filler(json::Arena& arena) : arena_(arena) {}

  void run(Steps steps, DefaultPlace spot) {
    const auto holds_here = [&](const Step& step) { return holds(step, spot); };
    bool held = false;
    for (const Step& step : steps) {
      switch (step.what) {
        case StepKind::kIf:
          if (step.otherwise && held) break;
          held = all_hold(step, holds_here);
          if (held) run(step.within, spot);
          break;
        case StepKind::kMember:
          run_member(step, spot);
          break;
        case StepKind::kEach:
          run_each(step.within, spot);
          break;
        case StepKind::kHere:
          run(step.within, spot);
          break;
        case StepKind::kRules:
          run(steps_of(*steps.tables, step.named), spot);
          break;
        case StepKind::kFiller:
          steps.tables->fills[step.named]->call(*spot.value, arena_);
          break;
        default:
          if (!word(step, spot)) return;
      }
    }
  }

 private:
  static bool holds(const Step& step, const DefaultPlace& spot) {
    const Value* value = follow(spot.value, step.text);
    switch (step.test) {
      case ConditionKind::kAlways:
        return true;
      case ConditionKind::kThere:
        return is_there(value);
      case ConditionKind::kFull:
        return !is_empty(value);
      case ConditionKind::kIs:
        return has_value(value, step.detail);
      default:
        assert(false);  // paths outside of the object are not supported here
        return false;
    }
  }

  void run_member(const Step& step, const DefaultPlace& spot) {
    if (step.text.empty()) return run(step.within, spot);
    const bool holds_members = spot.value != nullptr && spot.value->is_object();
    Value* value = holds_members ? spot.value->find(step.text) : nullptr;
    if (step.idle && value == nullptr) return;
    run(step.within, {value, holds_members ? spot.value : nullptr, step.text});
  }

  void run_each(const Steps& steps, const DefaultPlace& spot) {
    if (spot.value == nullptr) return;
    if (spot.value->is_array()) {
      for (Value& item : spot.value->items()) run(steps, {&item});
    } else if (spot.value->is_object()) {
      for (json::Member& member : spot.value->members()) run(steps, {&member.value});
    }
  }

  void put(DefaultPlace& spot, Value value) {
    if (spot.holder == nullptr) return;
    spot.holder->set(arena_, spot.member, value);
    spot.value = spot.holder->find(spot.member);
  }

  // Returns false if the line stops.
  bool word(const Step& step, DefaultPlace& spot) {
    switch (step.what) {
      case StepKind::kOpt:
        return !is_empty(spot.value);
      case StepKind::kGiven:
        return is_there(spot.value);
      case StepKind::kFill:
        if (!is_there(spot.value)) put(spot, value_of(step.text, arena_));
        return true;
      case StepKind::kDefault:
        if (is_empty(spot.value)) put(spot, value_of(step.text, arena_));
        return true;
      case StepKind::kNumber: {
        const bool other =
            spot.value != nullptr && spot.value->is_int() && spot.value->as_int() != 0;
        if (!other) put(spot, value_of(step.text, arena_));
        return true;
      }
      case StepKind::kMade:
        if (spot.value == nullptr || !spot.value->is_object()) put(spot, Value::object(arena_));
        return spot.value != nullptr;
      default:
        assert(false);  // a word that checks
        return true;
    }
  }

  json::Arena& arena_;
};

}  // namespace

void Defaults::apply(Value& object, json::Arena& arena) const {
  Filler(arena).run(steps_of(tables_, program_), {&object});
}

}  // namespace tabernetes::registry::validation
