#include "controllers/kubelet/behaviour_reader.h"

#include <algorithm>
#include <optional>

#include "base/api/quantity.h"
#include "base/go/text.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "controllers/kubelet/stage_reader.h"
#include "controllers/kubelet/timing.h"
#include "json/access.h"
#include "json/document_part.h"
#include "tabernetes/options.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

constexpr std::int64_t kOutOfMemoryCode = 137;
// Longer than any grace period: the container has to be killed.
constexpr Duration kNever = Duration::from_seconds(std::int64_t{3600} * 24 * 365);

// Rules are parts of a document; quantities are a kubelet's matter.
using Part = json::DocumentPart;

std::optional<Quantity> quantity_of(const Part& part) {
  if (!part.given()) return std::nullopt;
  std::string_view error;
  const std::string text = scalar_text(&part.value());
  auto quantity = Quantity::parse(text, error);
  if (!quantity) part.fail("must be a quantity such as 250m or 64Mi");
  return quantity;
}

std::optional<Duration> span_of(const Part& part) {
  const std::optional<Duration> read = part.duration();
  if (!read) return std::nullopt;
  return std::min(*read, bounded_seconds(kMostSeconds));
}

void read_map(const Part& part, std::vector<std::pair<std::string, Wildcard>>& out) {
  if (!part.given()) return;
  if (!part.is_object()) return part.fail("must be an object of texts");
  for (const json::Member& member : part.value().members()) {
    out.emplace_back(std::string(member.key), part[member.key].text());
  }
}

}  // namespace

void read_rule_match(const json::DocumentPart& part, RuleMatch& match) {
  if (!part.given()) return;
  part.only({"namespace", "labels", "annotations", "owner", "name", "image", "container", "node"});
  match.ns = part["namespace"].text();
  match.name = part["name"].text();
  match.image = part["image"].text();
  match.container = part["container"].text();
  match.node = part["node"].text();
  read_map(part["labels"], match.labels);
  read_map(part["annotations"], match.annotations);
  const std::string owner = part["owner"].text();
  const std::size_t slash = owner.find('/');
  match.owner_kind = owner.substr(0, slash);
  if (slash != std::string::npos) match.owner_name = owner.substr(slash + 1);
}

namespace {

// Reads `true` for the usual text, or the text.
std::optional<std::string> read_error_text(const Part& part) {
  if (!part.given()) return std::nullopt;
  if (part.value().is_bool()) {
    return part.value().as_bool() ? std::optional(std::string()) : std::nullopt;
  }
  return part.text();
}

void read_step(const Part& part, std::optional<Duration>& time, std::optional<std::string>& error) {
  if (!part.given()) return;
  if (part.is_text()) {
    time = span_of(part);
    return;
  }
  part.only({"time", "error"});
  time = span_of(part["time"]);
  error = read_error_text(part["error"]);
}

void read_ready(const Part& part, Rule& rule) {
  if (!part.given()) return;
  if (part.is_text("never")) {
    rule.never_ready = true;
    return;
  }
  if (part.is_text()) {
    rule.ready = span_of(part);
    return;
  }
  part.only({"after", "up", "down"});
  rule.ready = span_of(part["after"]).value_or(Duration{});
  rule.flap_up = span_of(part["up"]);
  rule.flap_down = span_of(part["down"]);
  if (rule.flap_up.has_value() != rule.flap_down.has_value()) {
    part.fail("up and down belong together");
  }
}

void read_exit(const Part& part, Rule& rule) {
  if (!part.given()) return;
  if (part.is_text("never")) {
    rule.runs_on = true;
    return;
  }
  part.only({"after", "code", "reason", "message", "times"});
  ContainerBehaviour::Exit exit;
  exit.after = span_of(part["after"]).value_or(Duration::from_seconds(1));
  exit.reason = part["reason"].text();
  exit.message = part["message"].text();
  exit.code = part["code"].number().value_or(exit.reason == "OOMKilled" ? kOutOfMemoryCode : 0);
  exit.times = part["times"].number().value_or(0);
  if (exit.code > 255) part["code"].fail("must be at most 255");
  rule.exit = exit;
}

void read_stop(const Part& part, Rule& rule) {
  if (!part.given()) return;
  if (part.is_text()) {
    rule.stop = part.is_text("never") ? std::optional(kNever) : span_of(part);
    return;
  }
  part.only({"time", "code"});
  rule.stop = span_of(part["time"]);
  rule.stop_code = part["code"].number();
}

UsagePoint read_point(const Part& part) {
  part.only({"after", "cpu", "memory"});
  UsagePoint point;
  point.after = span_of(part["after"]).value_or(Duration{});
  if (const auto cpu = quantity_of(part["cpu"])) point.cpu = cpu->milli_value() * 1'000'000;
  if (const auto memory = quantity_of(part["memory"])) point.memory = memory->value();
  return point;
}

void read_usage(const Part& part, Rule& rule) {
  if (!part.given()) return;
  if (part.is_object()) {
    rule.usage.push_back(read_point(part));
    return;
  }
  if (!part.is_list()) return part.fail("must be an object or a list");
  for (const Part& item : part.items()) {
    const UsagePoint point = read_point(item);
    if (!rule.usage.empty() && !(rule.usage.back().after < point.after)) {
      item["after"].fail("must be later than that of the point before");
    }
    rule.usage.push_back(point);
  }
  if (rule.usage.empty()) part.fail("must not be empty");
}

void read_node(const Part& part, Rule& rule) {
  if (!part.given()) return;
  if (part.is_text("gone")) {
    rule.node = NodeState::kGone;
  } else if (part.is_text("not ready")) {
    rule.node = NodeState::kNotReady;
  } else if (part.is_text("ready")) {
    rule.node = NodeState::kReady;
  } else {
    return part.fail("must be gone, not ready or ready");
  }
  if (rule.match.speaks_of_pods()) {
    part.fail("a rule for nodes matches by name, node, labels and annotations");
  }
}

Rule read_rule(const Part& part) {
  part.only({"match", "pull", "start", "ready", "exit", "unhealthy", "stop", "usage", "node"});
  Rule rule;
  read_rule_match(part["match"], rule.match);
  read_step(part["pull"], rule.pull, rule.pull_error);
  read_step(part["start"], rule.start, rule.start_error);
  read_ready(part["ready"], rule);
  read_exit(part["exit"], rule);
  rule.unhealthy = span_of(part["unhealthy"]);
  read_stop(part["stop"], rule);
  read_usage(part["usage"], rule);
  read_node(part["node"], rule);
  return rule;
}

class Reader {
 public:
  void read(const Value& document) {
    if (document.is_array()) {
      for (const Value& item : document.items()) read_item(item);
    } else if (document.find("rules") != nullptr) {
      read_listed(document, "rules");
    } else if (document.find("items") != nullptr) {
      read_listed(document, "items");
    } else {
      read_item(document);
    }
  }

  Expected<BehaviourRead> result() {
    if (!error_.empty()) return Fault{error_};
    BehaviourRead read;
    read.rules = std::make_shared<const BehaviourRules>(std::move(rules_), "[" + document_ + "]");
    read.warnings = std::move(warnings_);
    return read;
  }

 private:
  void read_listed(const Value& document, std::string_view member) {
    const Part list(document.find(member), std::string(member), error_);
    if (!list.is_list()) return list.fail("must be a list");
    for (const Value& item : list.value().items()) read_item(item);
  }

  void read_item(const Value& item) {
    const Part part(&item, "rules[" + std::to_string(count_++) + "]", error_);
    if (is_stage(item)) {
      read_stage(item, rules_, warnings_);
    } else {
      rules_.push_back(read_rule(part));
    }
    if (!document_.empty()) document_ += ',';
    codec::write_json(item, document_);
  }

  std::vector<Rule> rules_;
  std::vector<std::string> warnings_;
  std::string document_, error_;
  std::size_t count_ = 0;
};

}  // namespace

Expected<BehaviourRead> read_behaviour(std::string_view document) {
  json::Arena arena;
  const codec::YamlDocuments read = codec::read_yaml_documents(document, arena);
  if (!read.error.empty()) return Fault{read.error};
  Reader reader;
  for (const Value& value : read.documents) reader.read(value);
  return reader.result();
}

BehaviourRead with_stages(const BehaviourRules& given,
                          const std::map<std::string, std::string, std::less<>>& stages) {
  BehaviourRead read;
  std::vector<Rule> rules = given.rules();
  for (const auto& [name, stage] : stages) {
    json::Arena arena;
    const codec::JsonRead document = codec::read_json(stage, arena);
    if (document.ok()) read_stage(document.value, rules, read.warnings);
  }
  read.rules = std::make_shared<const BehaviourRules>(std::move(rules), given.document());
  return read;
}

std::shared_ptr<const BehaviourRules> usual_behaviour(std::string_view document) {
  // Every cluster comes here: it should not need a reader of YAML.
  if (document.empty()) return std::make_shared<const BehaviourRules>();
  auto read = read_behaviour(document);
  return read ? (*read).rules : std::make_shared<const BehaviourRules>();
}

}  // namespace tabernetes::controllers::kubelet

namespace tabernetes {

Expected<void> check_behaviour(std::string_view text) {
  auto read = controllers::kubelet::read_behaviour(text);
  if (!read) return read.fault();
  return {};
}

}  // namespace tabernetes
