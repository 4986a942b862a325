#include "controllers/kubelet/stage_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "controllers/kubelet/timing.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

constexpr std::string_view kGroup = "kwok.x-k8s.io/";
// KWOK's own stages need no more than this of a selector.
constexpr std::string_view kUnderstoodKeys[] = {
    ".metadata.deletionTimestamp",
    ".status.podIP",
    ".status.phase",
    ".metadata.finalizers",
    ".spec.nodeName",
    ".status.conditions.[] | select( .type == \"Ready\" ) | .status"};

bool says(std::string_view text, std::string_view what) { return text.find(what) != text.npos; }

// Returns the number behind "exitCode:" in a template.
std::optional<std::int64_t> exit_code_in(std::string_view text) {
  const std::size_t found = text.rfind("exitCode:");
  if (found == text.npos) return std::nullopt;
  std::size_t at = found + 9;
  while (at < text.size() && text[at] == ' ') ++at;
  std::int64_t code = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), code);
  return error == std::errc() ? std::optional(code) : std::nullopt;
}

// Returns the text behind "reason:" that follows "exitCode:"; empty if it is computed or missing.
std::string reason_in(std::string_view text) {
  const std::size_t code = text.find("exitCode:");
  const std::size_t found = code == text.npos ? code : text.find("reason:", code);
  if (found == text.npos) return {};
  std::string_view rest = text.substr(found + 7, text.find('\n', found) - found - 7);
  while (rest.starts_with(' ') || rest.starts_with('"')) rest.remove_prefix(1);
  while (rest.ends_with(' ') || rest.ends_with('"')) rest.remove_suffix(1);
  return says(rest, "{{") ? std::string() : std::string(rest);
}

class StageReader {
 public:
  StageReader(const Value& stage, std::vector<Rule>& rules, std::vector<std::string>& warnings)
      : stage_(stage),
        rules_(rules),
        warnings_(warnings),
        text_(text_at(stage, {"spec", "next", "statusTemplate"})) {}

  void read() {
    const std::string_view kind = text_at(stage_, {"spec", "resourceRef", "kind"});
    if (kind == "Node") return read_node_stage();
    if (kind != "Pod") return warn("stages of " + std::string(kind) + " have no effect");
    rule_.leaves_rest_open = true;
    read_selector();
    read_pod_step();
    warn_about_rest();
    if (!useless_) rules_.push_back(std::move(rule_));
  }

 private:
  void warn(const std::string& what) {
    warnings_.push_back("Stage " + std::string(text_at(stage_, {"metadata", "name"})) + ": " +
                        what);
  }

  Duration delay() {
    if (has(stage_, {"spec", "delay", "durationFrom"}) ||
        has(stage_, {"spec", "delay", "jitterDurationFrom"})) {
      warn("spec.delay: only durationMilliseconds is understood");
    }
    const std::int64_t given = number_at(stage_, {"spec", "delay", "durationMilliseconds"});
    return Duration::from_milliseconds(std::clamp<std::int64_t>(given, 0, kMostSeconds));
  }

  void read_map(std::string_view member, std::vector<std::pair<std::string, Wildcard>>& out) {
    for (const json::Member& entry : members_at(stage_, {"spec", "selector", member})) {
      if (entry.value.is_string()) out.emplace_back(entry.key, entry.value.as_string());
    }
  }

  void read_selector() {
    read_map("matchLabels", rule_.match.labels);
    read_map("matchAnnotations", rule_.match.annotations);
    for (const Value& expression : items_at(stage_, {"spec", "selector", "matchExpressions"})) {
      read_expression(expression);
    }
  }

  // Returns the name in `.metadata.labels["app"]`; empty for another key.
  static std::string_view name_in(std::string_view key, std::string_view map) {
    const std::string begin = ".metadata." + std::string(map) + "[\"";
    if (!key.starts_with(begin) || !key.ends_with("\"]")) return {};
    key.remove_prefix(begin.size());
    key.remove_suffix(2);
    return key;
  }

  void read_expression(const Value& expression) {
    const std::string_view key = expression.string_at("key");
    const auto values = items_at(expression, {"values"});
    const std::string_view op = expression.string_at("operator");
    for (const std::string_view map : {"labels", "annotations"}) {
      const std::string_view name = name_in(key, map);
      if (name.empty()) continue;
      auto& wanted = map == "labels" ? rule_.match.labels : rule_.match.annotations;
      if (op == "Exists") {
        wanted.emplace_back(name, "*");
      } else if (op == "In" && values.size() == 1) {
        wanted.emplace_back(name, values[0].as_string());
      } else {
        warn("spec.selector.matchExpressions: " + std::string(key) + " " + std::string(op) +
             " has no effect");
      }
      return;
    }
    if (key == ".metadata.ownerReferences.[].kind" && op == "In" && values.size() == 1) {
      rule_.match.owner_kind = values[0].as_string();
      return;
    }
    for (const std::string_view known : kUnderstoodKeys) {
      if (key == known) return;
    }
    warn("spec.selector.matchExpressions: " + std::string(key) + " has no effect");
  }

  void read_pod_step() {
    const Duration after = delay();
    if (bool_at(stage_, {"spec", "next", "delete"})) {
      rule_.stop = after;
      return;
    }
    const bool succeeds = says(text_, "phase: Succeeded"), fails = says(text_, "phase: Failed");
    const auto code = exit_code_in(text_);
    const bool ends_main =
        says(text_, "containerStatuses:") && says(text_, "terminated:") && !says(text_, "running:");
    if (succeeds || fails || (ends_main && code)) {
      rule_.exit = ContainerBehaviour::Exit{after, fails ? code.value_or(1) : code.value_or(0),
                                            reason_in(text_)};
      return;
    }
    if (says(text_, "phase: Running") || says(text_, "running:")) {
      rule_.start = after;
      rule_.pull = Duration{};
      if (says(text_, "ready: false")) rule_.never_ready = true;
      return;
    }
    if (!says(text_, "phase: Pending") && !text_.empty()) {
      warn("spec.next.statusTemplate: says nothing of running, ready or ended containers");
    }
    useless_ = true;
  }

  void read_node_stage() {
    if (says(text_, "type: Ready") && says(text_, "KubeletNotReady")) {
      rule_.node = NodeState::kNotReady;
      read_map("matchLabels", rule_.match.labels);
      read_map("matchAnnotations", rule_.match.annotations);
      rules_.push_back(std::move(rule_));
    }
    // Simulated nodes register, and beat, as kubelets do.
  }

  void warn_about_rest() {
    for (const std::string_view part : {"finalizers", "event", "patches"}) {
      if (has(stage_, {"spec", "next", part})) {
        warn("spec.next." + std::string(part) + " has no effect");
      }
    }
    if (has(stage_, {"spec", "weight"}) || has(stage_, {"spec", "weightFrom"})) {
      warn("spec.weight has no effect: the first stage that matches is taken");
    }
  }

  const Value& stage_;
  std::vector<Rule>& rules_;
  std::vector<std::string>& warnings_;
  const std::string_view text_;
  Rule rule_;
  bool useless_ = false;
};

}  // namespace

bool is_stage(const Value& document) {
  return document.string_at("kind") == "Stage" &&
         document.string_at("apiVersion").starts_with(kGroup);
}

void read_stage(const Value& stage, std::vector<Rule>& rules, std::vector<std::string>& warnings) {
  StageReader(stage, rules, warnings).read();
}

}  // namespace tabernetes::controllers::kubelet
