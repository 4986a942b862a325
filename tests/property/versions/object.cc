#include "object.h"

#include "codec/json_writer.h"

namespace tabernetes::property {
namespace {

using json::Value;

// Returns the text of the value at a dotted path; absent booleans count as false.
std::string field_text(const Value& tree, std::string_view path) {
  const std::string_view whole = path;
  const Value* at = &tree;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  if (at != nullptr && at->is_string()) return std::string(at->as_string());
  if (at != nullptr && at->is_bool()) return at->as_bool() ? "true" : "false";
  return whole == "spec.unschedulable" ? "false" : "";
}

std::string content_of(const Value& tree) {
  json::Arena arena;
  Value copy = tree.clone(arena);
  copy.erase("kind");
  copy.erase("apiVersion");
  copy.find("metadata")->erase("resourceVersion");
  std::string text;
  codec::write_json(copy, text);
  return text;
}

void read_metadata(const Value& metadata, Object& object) {
  object.ns = metadata.string_at("namespace");
  object.name = metadata.string_at("name");
  object.uid = metadata.string_at("uid");
  object.key = object.ns.empty() ? object.name : object.ns + "/" + object.name;
  object.version = version_of(metadata.string_at("resourceVersion"));
  if (const Value* labels = metadata.find("labels")) {
    for (const json::Member& label : labels->members()) {
      object.labels.emplace(label.key, label.value.as_string());
    }
  }
  if (const Value* finalizers = metadata.find("finalizers")) {
    for (const Value& item : finalizers->items()) object.finalizers.emplace_back(item.as_string());
  }
  object.terminating = metadata.find("deletionTimestamp") != nullptr;
  const Value* grace = metadata.find("deletionGracePeriodSeconds");
  if (grace != nullptr && grace->is_int()) object.grace_seconds = grace->as_int();
}

}  // namespace

Version version_of(std::string_view text) {
  Version version = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') fail("no resourceVersion: " + std::string(text));
    version = version * 10 + static_cast<Version>(c - '0');
  }
  if (version == 0) fail("no resourceVersion: " + std::string(text));
  return version;
}

ObjectPtr read_object(const Kind& kind, const Value& tree) {
  const Value* metadata = tree.find("metadata");
  expect(metadata != nullptr && metadata->is_object(), "an object without metadata");
  auto object = std::make_shared<Object>();
  object->kind = &kind;
  read_metadata(*metadata, *object);
  for (const std::string_view field : kind.selectable) {
    object->fields[std::string(field)] = field_text(tree, field);
  }
  object->fields[std::string(kind.field)] = field_text(tree, kind.field);
  object->content = content_of(tree);
  return object;
}

ObjectPtr read_object(const Kind& kind, std::string_view text) {
  const Document document(text);
  return read_object(kind, document.root);
}

ObjectPtr at_version(const ObjectPtr& object, Version version) {
  auto copy = std::make_shared<Object>(*object);
  copy->version = version;
  return copy;
}

std::string describe(const Object& object) {
  return std::string(object.kind->plural) + " " + object.key + "@" + std::to_string(object.version);
}

void expect_same(const std::string& where, const Object& actual, const Object& expected) {
  expect_equal(where, describe(actual), describe(expected));
  if (expected.content.empty()) return;
  expect_equal(where + ": content of " + describe(expected), actual.content, expected.content);
}

}  // namespace tabernetes::property
