#include "mutation.h"

#include "codec/json_writer.h"
#include "selector.h"

namespace tabernetes::property {
namespace {

using json::Value;

constexpr const char* kFinalizer = "example.com/hold";

std::string quoted(std::string_view text) {
  std::string json;
  codec::write_json_string(text, json);
  return json;
}

std::string unquoted(std::string_view json) {
  return std::string(json.front() == '"' ? json.substr(1, json.size() - 2) : json);
}

std::string finalizer_list(const std::vector<std::string>& finalizers) {
  std::string json = "[";
  for (const std::string& item : finalizers) json += (json.size() > 1 ? "," : "") + quoted(item);
  return json + "]";
}

// Returns the mutation as a merge patch: {"metadata":{...},"spec":{"field":value}}.
std::string as_merge(const Kind& kind, const std::string& version, const Mutation& mutation) {
  std::string metadata;
  const auto add = [&](const std::string& member) {
    if (!metadata.empty()) metadata += ",";
    metadata += member;
  };
  if (!version.empty()) add("\"resourceVersion\":" + quoted(version));
  if (!mutation.labels.empty()) {
    std::string labels;
    for (const auto& [key, value] : mutation.labels) {
      if (!labels.empty()) labels += ",";
      labels += quoted(key) + ":" + (value ? quoted(*value) : "null");
    }
    add("\"labels\":{" + labels + "}");
  }
  if (mutation.finalizers) add("\"finalizers\":" + finalizer_list(*mutation.finalizers));
  std::string json = "{\"metadata\":{" + metadata + "}";
  if (mutation.value) {
    const std::size_t dot = kind.field.find('.');
    const std::string last = quoted(kind.field.substr(dot == std::string_view::npos ? 0 : dot + 1));
    const std::string member = last + ":" + *mutation.value;
    json += dot == std::string_view::npos
                ? "," + member
                : "," + quoted(kind.field.substr(0, dot)) + ":{" + member + "}";
  }
  return json + "}";
}

// Implements JSON Merge Patch literally by RFC 7396.
Value merged(json::Arena& arena, Value target, const Value& patch) {
  if (!patch.is_object()) return patch;
  if (!target.is_object()) target = Value::object(arena);
  for (const json::Member& member : patch.members()) {
    if (member.value.is_null()) {
      target.erase(member.key);
    } else {
      const Value* old = target.find(member.key);
      target.set(arena, member.key, merged(arena, old != nullptr ? *old : Value(), member.value));
    }
  }
  return target;
}

std::string pointer(std::string_view key) {
  std::string out;
  for (const char c : key) out += c == '/' ? "~1" : c == '~' ? "~0" : std::string(1, c);
  return out;
}

}  // namespace

Object Mutation::applied(const Object& before) const {
  Object after = before;
  for (const auto& [key, text] : labels) {
    if (text) {
      after.labels[key] = *text;
    } else {
      after.labels.erase(key);
    }
  }
  if (value) after.fields[std::string(before.kind->field)] = unquoted(*value);
  if (finalizers) after.finalizers = *finalizers;
  return after;
}

bool Mutation::changes(const Object& before) const {
  const Object after = applied(before);
  return after.labels != before.labels || after.fields != before.fields ||
         after.finalizers != before.finalizers;
}

std::string Mutation::replacement(const Object& before, const std::string& version) const {
  Document content(before.content);
  const Document patch(as_merge(*before.kind, version, *this));
  Value object = merged(content.arena, content.root, patch.root);
  object.set(content.arena, "kind", Value::string(before.kind->kind));
  object.set(content.arena, "apiVersion", Value::string(before.kind->api_version));
  std::string text;
  codec::write_json(object, text);
  return text;
}

std::string Mutation::merge_patch(const Kind& kind, const std::string& version) const {
  return as_merge(kind, version, *this);
}

std::string Mutation::json_patch(const Object& before) const {
  std::string steps;
  const auto add = [&](const std::string& op, const std::string& path, const std::string& text) {
    if (!steps.empty()) steps += ",";
    steps += "{\"op\":\"" + op + "\",\"path\":\"" + path + "\"";
    steps += text.empty() ? "}" : ",\"value\":" + text + "}";
  };
  for (const auto& [key, text] : labels) {
    const std::string path = "/metadata/labels/" + pointer(key);
    if (text) {
      add("add", path, quoted(*text));
    } else if (before.labels.contains(key)) {
      add("remove", path, "");
    }
  }
  if (finalizers) add("add", "/metadata/finalizers", finalizer_list(*finalizers));
  if (value) {
    std::string path = "/" + std::string(before.kind->field);
    if (const std::size_t dot = path.find('.'); dot != std::string::npos) path[dot] = '/';
    add("add", path, *value);
  }
  return "[" + steps + "]";
}

Mutation random_mutation(Random& random, const Object& before, bool status) {
  const Kind& kind = *before.kind;
  Mutation mutation;
  if (status || (!kind.in_status && random.chance(40))) {
    mutation.value = std::string(random.pick(kind.values));
  }
  if (status) return mutation;
  for (std::uint64_t i = random.below(3); i > 0; --i) {
    const std::string& key = random.pick(label_keys());
    if (random.chance(25)) {
      mutation.labels[key] = std::nullopt;
    } else {
      mutation.labels[key] = random_label_value(random, key);
    }
  }
  // A terminating object cannot get new finalizers.
  if (!before.finalizers.empty() && random.chance(40)) {
    mutation.finalizers.emplace();
  } else if (!before.terminating && random.chance(12)) {
    mutation.finalizers = {kFinalizer};
  }
  return mutation;
}

std::string new_object(Random& random, const Kind& kind, const std::string& ns,
                       const std::string& name, const std::string& version) {
  std::string labels = "\"id\":" + quoted(name);
  for (const std::string& key : label_keys()) {
    if (random.chance(60))
      labels += "," + quoted(key) + ":" + quoted(random_label_value(random, key));
  }
  std::string json = "{\"kind\":" + quoted(kind.kind) +
                     ",\"apiVersion\":" + quoted(kind.api_version) +
                     ",\"metadata\":{\"name\":" + quoted(name) + ",\"labels\":{" + labels + "}";
  if (!version.empty()) json += ",\"resourceVersion\":" + quoted(version);
  if (random.chance(10)) json += ",\"finalizers\":[" + quoted(kFinalizer) + "]";
  json += "}," + std::string(kind.body);
  if (kind.kind == "Event") {
    json += R"(,"involvedObject":{"kind":"Pod","name":"p","namespace":)" + quoted(ns) + "}";
  }
  return json + "}";
}

}  // namespace tabernetes::property
