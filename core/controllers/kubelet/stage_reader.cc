#include "controllers/kubelet/stage_reader.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "controllers/kubelet/timing.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

constexpr std::string_view kGroup = "kwok.x-k8s.io/";
// What KWOK's own stages ask of an object beyond that; it follows from the order of the steps.
constexpr std::string_view kUnderstoodKeys[] = {
    ".metadata.deletionTimestamp",
    ".metadata.finalizers",
    ".spec.nodeName",
    ".spec.restartPolicy",
    ".status.podIP",
    ".status.phase",
    ".status.startTime",
    ".status.containerStatuses",
    ".status.containerStatuses.[].state.running.startedAt",
    ".status.initContainerStatuses.[].state.running.startedAt",
    ".status.initContainerStatuses.[].state.waiting.reason",
    ".status.conditions.[] | select( .type == \"Initialized\" ) | .status",
    ".status.conditions.[] | select( .type == \"Ready\" ) | .status"};
// Members of a pod's status, of which a template has a section each.
constexpr std::string_view kSections[] = {"conditions",
                                          "containerStatuses",
                                          "initContainerStatuses",
                                          "ephemeralContainerStatuses",
                                          "phase",
                                          "hostIP",
                                          "hostIPs",
                                          "podIP",
                                          "podIPs",
                                          "startTime",
                                          "observedGeneration"};

// Conditions of a pod that its kubelet sets.
constexpr std::string_view kConditions[] = {"PodReadyToStartContainers", "Initialized", "Ready",
                                            "ContainersReady", "PodScheduled"};

bool says(std::string_view text, std::string_view what) { return text.find(what) != text.npos; }

// Returns the key of a line such as `  phase: Running`; empty if it has none.
std::string_view key_of(std::string_view line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
  return line.substr(0, std::min(line.find(':'), line.size()));
}

// Returns what a template says below a member of the status.
std::string section_of(std::string_view text, std::string_view name) {
  std::string section;
  bool within = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.size(), text.find('\n'));
    const std::string_view line = text.substr(0, end);
    const std::string_view key = key_of(line);
    if (std::find(std::begin(kSections), std::end(kSections), key) != std::end(kSections)) {
      within = key == name;
    }
    if (within) section.append(line).append("\n");
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return section;
}

// Returns the text behind a member of a template, without quotes; empty if it is missing.
std::string_view member_of(std::string_view text, std::string_view name) {
  const std::size_t found = text.find(name);
  if (found == text.npos) return {};
  std::string_view rest = text.substr(found + name.size());
  rest = rest.substr(0, rest.find('\n'));
  while (rest.starts_with(' ') || rest.starts_with('"')) rest.remove_prefix(1);
  while (rest.ends_with(' ') || rest.ends_with('"')) rest.remove_suffix(1);
  return rest;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// What `{{ $name := or (index $annotations "KEY") "DEFAULT" }}` says, the default being optional.
struct AnnotationVariable {
  std::string key, unset;
};

std::optional<AnnotationVariable> variable_in(std::string_view text, std::string_view name) {
  const std::size_t found = text.find(std::string(name) + " :=");
  if (found == text.npos) return std::nullopt;
  std::string_view line = text.substr(found, text.find("}}", found) - found);
  if (!says(line, "index $annotations") && !says(line, "index .metadata.annotations")) {
    return std::nullopt;
  }
  AnnotationVariable variable;
  for (std::string* out : {&variable.key, &variable.unset}) {
    const std::size_t begin = line.find('"');
    if (begin == line.npos) break;
    const std::size_t end = line.find('"', begin + 1);
    if (end == line.npos) break;
    *out = line.substr(begin + 1, end - begin - 1);
    line.remove_prefix(end + 1);
  }
  return variable.key.empty() ? std::nullopt : std::optional(std::move(variable));
}

// Returns the variable's name in `{{ $name | Quote }}`; empty for everything else.
std::string_view variable_name(std::string_view text) {
  if (!text.starts_with("{{")) return {};
  text.remove_prefix(std::min(text.size(), text.find_first_not_of("{ ")));
  return text.starts_with('$') ? text.substr(0, text.find_first_of(" |}.")) : std::string_view();
}

std::optional<StagePath> annotation_path(std::string_view key) {
  return StagePath::parse(".metadata.annotations[\"" + std::string(key) + "\"]");
}

class StageReader {
 public:
  StageReader(const Value& stage, std::vector<Rule>& rules, std::vector<std::string>& warnings)
      : stage_(stage),
        rules_(rules),
        warnings_(warnings),
        text_(template_of(stage)),
        main_(section_of(text_, "containerStatuses")),
        init_(section_of(text_, "initContainerStatuses")),
        conditions_(section_of(text_, "conditions")) {}

  void read() {
    const std::string_view kind = text_at(stage_, {"spec", "resourceRef", "kind"});
    if (kind == "Node") return read_node_stage();
    if (kind != "Pod") return warn("stages of " + std::string(kind) + " have no effect");
    rule_.leaves_rest_open = true;
    read_selector();
    read_pod_step();
    warn_about_conditions();
    warn_about_rest();
    if (!useless_) rules_.push_back(std::move(rule_));
  }

 private:
  void warn(const std::string& what) {
    warnings_.push_back("Stage " + std::string(text_at(stage_, {"metadata", "name"})) + ": " +
                        what);
  }

  // Returns what the steps that patch the status say, in either form of a Stage.
  static std::string template_of(const Value& stage) {
    std::string text(text_at(stage, {"spec", "next", "statusTemplate"}));
    for (const std::string_view list : {"steps", "next"}) {
      const bool older = list == "next";
      const auto items =
          older ? items_at(stage, {"spec", "next", "patches"}) : items_at(stage, {"spec", "steps"});
      for (const Value& item : items) {
        const Value* patch = older ? &item : item.find("patch");
        if (patch != nullptr && text_at(*patch, {"root"}) == "status") {
          text.append(text_at(*patch, {"template"})).append("\n");
        }
      }
    }
    return text;
  }

  // Reads `expressionFrom`, or `jq.expression` as newer versions of KWOK spell it.
  std::optional<StagePath> path_in(const Value* from) {
    if (from == nullptr) return std::nullopt;
    std::string_view text = text_at(*from, {"expressionFrom"});
    if (text.empty()) text = text_at(*from, {"jq", "expression"});
    auto read = StagePath::parse(text);
    if (!read) warn("the expression " + std::string(text) + " has no effect");
    return read;
  }

  StageSpan span(std::string_view fixed, std::string_view from) {
    StageSpan span;
    const Value* given = stage_.at({"spec", "delay", fixed});
    if (given != nullptr && given->is_int()) {
      span.fixed =
          Duration::from_milliseconds(std::clamp<std::int64_t>(given->as_int(), 0, kMostSeconds));
    }
    span.from = path_in(stage_.at({"spec", "delay", from}));
    return span;
  }

  void read_step(StageStep::Kind kind) {
    StageStep step;
    step.kind = kind;
    step.name = text_at(stage_, {"metadata", "name"});
    step.weight.fixed = number_at(stage_, {"spec", "weight"});
    step.weight.from = path_in(stage_.at({"spec", "weightFrom"}));
    step.duration = span("durationMilliseconds", "durationFrom");
    if (!step.duration.fixed) step.duration.fixed = Duration{};
    step.jitter = span("jitterDurationMilliseconds", "jitterDurationFrom");
    step.container = std::move(container_);
    step.exit_code = std::move(exit_code_);
    rule_.step = std::make_shared<const StageStep>(std::move(step));
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

  void read_expression(const Value& given) {
    const Value* nested = given.find("jq");
    const Value& expression = nested != nullptr ? *nested : given;
    if (given.find("cel") != nullptr) {
      warn("spec.selector.matchExpressions: " + std::string(text_at(given, {"cel", "expression"})) +
           " has no effect");
      return;
    }
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
    if (says(key, ".state.terminated")) restarts_ = true;
    for (const std::string_view known : kUnderstoodKeys) {
      if (key == known) return;
    }
    warn("spec.selector.matchExpressions: " + std::string(key) + " has no effect");
  }

  bool deletes() const {
    if (bool_at(stage_, {"spec", "next", "delete"})) return true;
    for (const Value& step : items_at(stage_, {"spec", "steps"})) {
      if (bool_at(step, {"delete"})) return true;
    }
    return false;
  }

  // Reads how containers end that a section of the template speaks of. Returns false if they do
  // not end.
  bool read_exit(std::string_view section, StageStep::Kind kind) {
    const bool succeeds = says(text_, "phase: Succeeded"), fails = says(text_, "phase: Failed");
    const bool of_phase = kind == StageStep::Kind::kExit && (succeeds || fails);
    const std::string_view code_text = member_of(section, "exitCode:");
    const auto variable = variable_in(text_, variable_name(code_text));
    const bool ends = says(section, "terminated:") &&
                      (variable || (!says(section, "running:") && number_in(code_text)));
    if (!of_phase && !ends) return false;
    const std::string_view reason = member_of(section, "reason:");
    ContainerBehaviour::Exit exit;
    exit.code = number_in(code_text).value_or(fails ? 1 : 0);
    if (!code_text.empty() && !says(reason, "{{")) exit.reason = reason;
    if (variable) {
      exit.code = number_in(variable->unset).value_or(1);
      exit_code_.from = annotation_path(variable->key);
    }
    const std::size_t named = section.find("eq $item.name ");
    if (named != section.npos) {
      const std::string_view rest = section.substr(named + 14);
      const auto name = variable_in(text_, rest.substr(0, rest.find_first_of(" }")));
      if (name) container_ = annotation_path(name->key);
    }
    rule_.exit = std::move(exit);
    read_step(kind);
    return true;
  }

  void read_start(StageStep::Kind kind) {
    rule_.start = Duration{};
    rule_.pull = Duration{};
    rule_.opens_gates = says(conditions_, ".spec.readinessGates");
    const std::string& section = main_.empty() ? text_ : main_;
    if (kind == StageStep::Kind::kStart && says(section, "ready: false")) rule_.never_ready = true;
    read_step(kind);
  }

  void read_pod_step() {
    if (deletes()) {
      rule_.stop = Duration{};
      return read_step(StageStep::Kind::kStop);
    }
    if (restarts_) {
      warn("containers are restarted as kubelets do it");
    } else if (read_exit(main_, StageStep::Kind::kExit)) {
      return;
    } else if (says(main_.empty() ? text_ : main_, "running:") || says(text_, "phase: Running")) {
      if (!main_.empty() || init_.empty() || says(text_, "phase: Running")) {
        return read_start(StageStep::Kind::kStart);
      }
      return read_start(StageStep::Kind::kInitStart);
    } else if (read_exit(init_, StageStep::Kind::kInitExit)) {
      return;
    } else if (says(init_, "running:")) {
      return read_start(StageStep::Kind::kInitStart);
    } else if (!says(text_, "phase: Pending") && !says(text_, "waiting:") && !text_.empty()) {
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
    if (deletes()) warn("spec.next.delete has no effect on nodes");
    warn_about_rest();
  }

  // Conditions that the template names, beside those that kubelets set.
  void warn_about_conditions() {
    std::string_view text = conditions_;
    for (std::size_t at = text.find("type:"); at != text.npos; at = text.find("type:")) {
      text.remove_prefix(at);
      const std::string_view type = member_of(text, "type:");
      text.remove_prefix(5);
      const bool known =
          says(type, "{{") ||
          std::find(std::begin(kConditions), std::end(kConditions), type) != std::end(kConditions);
      if (!known) warn("the condition " + std::string(type) + " has no effect");
    }
  }

  void warn_about_rest() {
    for (const std::string_view part : {"finalizers", "event"}) {
      if (has(stage_, {"spec", "next", part})) {
        warn("spec.next." + std::string(part) + " has no effect");
      }
    }
    for (const Value& patch : items_at(stage_, {"spec", "next", "patches"})) {
      if (text_at(patch, {"root"}) != "status") warn("spec.next.patches has no effect");
    }
    for (const Value& step : items_at(stage_, {"spec", "steps"})) {
      for (const std::string_view part : {"finalizers", "event"}) {
        if (step.find(part) != nullptr) warn("spec.steps." + std::string(part) + " has no effect");
      }
      const Value* patch = step.find("patch");
      if (patch != nullptr && text_at(*patch, {"root"}) != "status") {
        warn("spec.steps.patch has no effect but for the status");
      }
    }
  }

  const Value& stage_;
  std::vector<Rule>& rules_;
  std::vector<std::string>& warnings_;
  // The template, and its sections about containers and conditions.
  const std::string text_, main_, init_, conditions_;
  Rule rule_;
  std::optional<StagePath> container_;
  StageNumber exit_code_;
  bool restarts_ = false;  // it is about containers that have ended
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
