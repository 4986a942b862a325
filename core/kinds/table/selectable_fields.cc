#include "kinds/table/selectable_fields.h"

#include "json/access.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

std::string text_or(const Value& object, std::string_view path, std::string_view otherwise) {
  const Value* value = follow(&object, path);
  return value == nullptr ? std::string(otherwise) : scalar_text(value);
}

std::string first_pod_ip(const Value& object) {
  const Value* ips = object.at({"status", "podIPs"});
  if (ips == nullptr || ips->size() == 0) return text_or(object, "status.podIP", "");
  return std::string(ips->items()[0].string_at("ip"));
}

std::string event_source(const Value& object) {
  std::string component = text_or(object, "source.component", "");
  if (component.empty()) component = text_or(object, "deprecatedSource.component", "");
  if (component.empty()) component = text_or(object, "reportingComponent", "");
  return component.empty() ? text_or(object, "reportingController", "") : component;
}

// Fields whose value differs from the member at their path.
struct Special {
  std::string_view field;
  std::string (*value)(const Value& object);
};

constexpr Special kSpecials[] = {
    {"spec.hostNetwork", [](const Value& o) { return text_or(o, "spec.hostNetwork", "false"); }},
    {"spec.unschedulable",
     [](const Value& o) { return text_or(o, "spec.unschedulable", "false"); }},
    {"status.podIP", &first_pod_ip},
    {"status.podIPs", [](const Value&) { return std::string(); }},
    {"status.replicas", [](const Value& o) { return text_or(o, "status.replicas", "0"); }},
    {"status.successful", [](const Value& o) { return text_or(o, "status.succeeded", "0"); }},
    {"source", &event_source},
};

}  // namespace

std::string selectable_field(const schema::Resource& resource, std::string_view field,
                             const Value& object) {
  for (const schema::FieldLabelAlias& alias : resource.selectable_field_aliases) {
    if (alias.label == field) field = alias.canonical;
  }
  for (const Special& special : kSpecials) {
    if (special.field == field) return special.value(object);
  }
  const Value* value = follow(&object, field);
  // An event in events.k8s.io/v1 has `regarding` instead of the stored `involvedObject`.
  for (const schema::FieldLabelAlias& alias : resource.selectable_field_aliases) {
    if (value == nullptr && alias.canonical == field) value = follow(&object, alias.label);
  }
  return scalar_text(value);
}

}  // namespace tabernetes::registry::kinds
