#include "server/cluster/etcd_definition.h"

#include <array>
#include <string_view>

#include "codec/json_writer.h"

namespace tabernetes::server {
namespace {

using json::Value;

// What a version has in v1, and the name in the spec of v1beta1.
struct Shared {
  std::string_view of_version, of_spec;
};
constexpr std::array<Shared, 4> kShared = {
    {{"schema", "validation"},
     {"subresources", "subresources"},
     {"additionalPrinterColumns", "additionalPrinterColumns"},
     {"selectableFields", "selectableFields"}}};

bool same(const Value* left, const Value* right) {
  if (left == nullptr || right == nullptr) return left == right;
  return codec::json_text(left) == codec::json_text(right);
}

// Returns whether all versions have the same member, or none has it.
bool all_share(const Value& versions, std::string_view member) {
  for (const Value& version : versions.items()) {
    if (!same(version.find(member), versions.items()[0].find(member))) return false;
  }
  return true;
}

// Renames a member of each column.
Value renamed_columns(const Value& columns, std::string_view from, std::string_view to,
                      json::Arena& arena) {
  Value renamed = Value::array(arena);
  for (const Value& column : columns.items()) {
    Value copy = Value::object(arena);
    for (const json::Member& member : column.members()) {
      copy.append(arena, member.key == from ? to : member.key, member.value);
    }
    renamed.push_back(arena, copy);
  }
  return renamed;
}

// Returns a version whose shared members are left out and whose columns are renamed.
Value old_version(const Value& version, const std::array<bool, 4>& shared, json::Arena& arena) {
  Value copy = Value::object(arena);
  for (const json::Member& member : version.members()) {
    bool moved = false;
    for (std::size_t i = 0; i < kShared.size(); ++i) {
      moved |= shared[i] && member.key == kShared[i].of_version;
    }
    if (moved) continue;
    const bool columns = member.key == "additionalPrinterColumns";
    copy.append(
        arena, member.key,
        columns ? renamed_columns(member.value, "jsonPath", "JSONPath", arena) : member.value);
  }
  return copy;
}

// v1beta1 has the members of `webhook` beside it.
Value old_conversion(const Value& conversion, json::Arena& arena) {
  Value copy = Value::object(arena);
  for (const json::Member& member : conversion.members()) {
    if (member.key != "webhook") {
      copy.append(arena, member.key, member.value);
      continue;
    }
    for (const json::Member& part : member.value.members()) {
      copy.append(arena, part.key == "clientConfig" ? "webhookClientConfig" : part.key, part.value);
    }
  }
  return copy;
}

Value new_conversion(const Value& conversion, json::Arena& arena) {
  Value copy = Value::object(arena);
  Value webhook = Value::object(arena);
  for (const json::Member& member : conversion.members()) {
    if (member.key == "webhookClientConfig") {
      webhook.append(arena, "clientConfig", member.value);
    } else if (member.key == "conversionReviewVersions") {
      webhook.append(arena, member.key, member.value);
    } else {
      copy.append(arena, member.key, member.value);
    }
  }
  if (webhook.size() > 0 && conversion.string_at("strategy") == "Webhook") {
    copy.append(arena, "webhook", webhook);
  }
  return copy;
}

}  // namespace

void to_v1beta1_definition(Value& object, json::Arena& arena) {
  const Value* spec = object.find("spec");
  const Value* versions = spec == nullptr ? nullptr : spec->find("versions");
  if (versions == nullptr || !versions->is_array() || versions->size() == 0) return;
  std::array<bool, 4> shared{};
  for (std::size_t i = 0; i < shared.size(); ++i) {
    shared[i] = all_share(*versions, kShared[i].of_version);
  }
  const Value& first = versions->items()[0];
  Value old = Value::object(arena);
  const auto keep = [&](std::string_view name) {
    if (const Value* value = spec->find(name)) old.append(arena, name, *value);
  };
  const auto hoist = [&](std::size_t i) {
    const Value* value = shared[i] ? first.find(kShared[i].of_version) : nullptr;
    if (value == nullptr) return;
    const bool columns = kShared[i].of_version == "additionalPrinterColumns";
    old.append(arena, kShared[i].of_spec,
               columns ? renamed_columns(*value, "jsonPath", "JSONPath", arena) : *value);
  };
  keep("group");
  old.append(arena, "version", Value::string(first.string_at("name")));
  keep("names");
  keep("scope");
  hoist(0);
  hoist(1);
  Value listed = Value::array(arena);
  for (const Value& version : versions->items()) {
    listed.push_back(arena, old_version(version, shared, arena));
  }
  old.append(arena, "versions", listed);
  hoist(2);
  hoist(3);
  if (const Value* conversion = spec->find("conversion")) {
    old.append(arena, "conversion", old_conversion(*conversion, arena));
  }
  const Value* preserve = spec->find("preserveUnknownFields");
  old.append(arena, "preserveUnknownFields",
             preserve == nullptr ? Value::boolean(false) : *preserve);
  object.set(arena, "spec", old);
}

void from_v1beta1_definition(Value& object, json::Arena& arena) {
  const Value* spec = object.find("spec");
  if (spec == nullptr || !spec->is_object()) return;
  Value listed = Value::array(arena);
  const Value* versions = spec->find("versions");
  if (versions != nullptr && versions->is_array()) {
    for (const Value& version : versions->items()) listed.push_back(arena, version);
  }
  if (listed.size() == 0 && !spec->string_at("version").empty()) {
    Value only = Value::object(arena);
    only.append(arena, "name", Value::string(spec->string_at("version")));
    only.append(arena, "served", Value::boolean(true));
    only.append(arena, "storage", Value::boolean(true));
    listed.push_back(arena, only);
  }
  Value renewed = Value::array(arena);
  for (const Value& version : listed.items()) {
    Value copy = version.shallow_copy(arena);
    for (const Shared& shared : kShared) {
      if (const Value* value = spec->find(shared.of_spec)) {
        copy.set(arena, shared.of_version, *value);
      }
    }
    if (const Value* columns = copy.find("additionalPrinterColumns")) {
      copy.set(arena, "additionalPrinterColumns",
               renamed_columns(*columns, "JSONPath", "jsonPath", arena));
    }
    renewed.push_back(arena, copy);
  }
  Value fresh = Value::object(arena);
  for (const std::string_view name : {"group", "names", "scope"}) {
    if (const Value* value = spec->find(name)) fresh.append(arena, name, *value);
  }
  fresh.append(arena, "versions", renewed);
  if (const Value* conversion = spec->find("conversion")) {
    fresh.append(arena, "conversion", new_conversion(*conversion, arena));
  }
  const Value* preserve = spec->find("preserveUnknownFields");
  if (preserve != nullptr && preserve->is_bool() && preserve->as_bool()) {
    fresh.append(arena, "preserveUnknownFields", *preserve);
  }
  object.set(arena, "spec", fresh);
}

}  // namespace tabernetes::server
