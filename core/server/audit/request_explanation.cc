#include "server/audit/request_explanation.h"

#include <cmath>
#include <string_view>

#include "codec/json_reader.h"
#include "json/build.h"

namespace tabernetes::server {
namespace {

using json::Value;

// Builds an object of texts, without the empty ones.
class TextMembers {
 public:
  explicit TextMembers(json::Arena& arena) : arena_(arena), object_(Value::object(arena)) {}
  void add(std::string_view key, std::string_view text) {
    if (!text.empty()) object_.append(arena_, key, Value::string(arena_.copy(text)));
  }
  Value& object() { return object_; }

 private:
  json::Arena& arena_;
  Value object_;
};

Value user_explained(const auth::User& user, json::Arena& arena) {
  TextMembers texts(arena);
  texts.add("username", user.name);
  texts.add("uid", user.uid);
  Value groups = Value::array(arena);
  for (const std::string& group : user.groups) {
    groups.push_back(arena, Value::string(arena.copy(group)));
  }
  texts.object().append(arena, "groups", groups);
  return texts.object();
}

Value action_explained(const auth::Attributes& attributes, json::Arena& arena) {
  TextMembers texts(arena);
  texts.add("verb", attributes.verb);
  if (attributes.on_resource) {
    texts.add("group", attributes.group);
    texts.add("version", attributes.version);
    texts.add("resource", attributes.resource);
    texts.add("subresource", attributes.subresource);
    texts.add("namespace", attributes.ns);
    texts.add("name", attributes.name);
  } else {
    texts.add("path", attributes.path);
  }
  return texts.object();
}

}  // namespace

void add_duration(Value& object, Duration took, json::Arena& arena) {
  // To a tenth: decisions take less than one.
  const double tenths = std::round(static_cast<double>(took.nanoseconds) / 100);
  object.append(arena, "microseconds", Value::number(arena, tenths / 10));
}

Value explain_access(const auth::Authorizer& authorizer, const auth::Attributes& attributes,
                     const Stopwatch& stopwatch, json::Arena& arena) {
  const std::int64_t began = stopwatch ? stopwatch() : 0;
  const auth::Decision decision = authorizer.authorize(attributes);
  const std::int64_t ended = stopwatch ? stopwatch() : 0;
  Value authorizers = Value::array(arena);
  authorizer.explain(attributes, arena, authorizers);
  Value access = Value::object(arena);
  access.append(arena, "user", user_explained(attributes.user, arena));
  access.append(arena, "action", action_explained(attributes, arena));
  access.append(arena, "allowed", Value::boolean(decision.verdict == auth::Verdict::kAllow));
  if (!decision.reason.empty()) {
    access.append(arena, "reason", Value::string(arena.copy(decision.reason)));
  }
  if (stopwatch) add_duration(access, Duration{ended - began}, arena);
  access.append(arena, "authorizers", authorizers);
  return access;
}

Value RequestExplanation::steps(json::Arena& arena) const {
  Value all = Value::array(arena);
  for (const registry::AdmissionSteps::Step& step : admission_.all()) {
    TextMembers texts(arena);
    const bool mutating = step.phase == registry::AdmissionSteps::Phase::kMutating;
    texts.add("phase", mutating ? "mutating" : "validating");
    texts.add("plugin", step.plugin);
    texts.add("resource", step.resource);
    texts.add("refusal", step.refusal);
    if (!step.patch.empty()) {
      texts.object().append(arena, "patch", codec::read_json(step.patch, arena).value);
    }
    if (step.took) add_duration(texts.object(), *step.took, arena);
    all.push_back(arena, texts.object());
  }
  return all;
}

std::optional<Duration> RequestExplanation::took() const {
  const Stopwatch& stopwatch = admission_.stopwatch();
  if (!stopwatch) return std::nullopt;
  return Duration{stopwatch() - began_};
}

}  // namespace tabernetes::server
