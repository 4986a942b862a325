// The kinds in the stories of vectors/server-side-apply.json.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "patch/field_manager.h"
#include "schema/decode.h"
#include "schema/structural.h"

namespace tabernetes::patch {

class ToldKind : public ObjectVersions {
 public:
  // Returns the object as decoded, without defaults.
  virtual json::Value normal(const json::Value& object, std::string_view api_version,
                             json::Arena& arena) const = 0;
};

// A built-in kind that has the same form in all its versions.
class BuiltIn : public ToldKind {
 public:
  explicit BuiltIn(std::string_view kind) : kind_(kind) {}

  std::optional<Shape> shape(std::string_view api_version) const override {
    const schema::Type* type = find(api_version);
    return type == nullptr ? std::nullopt : std::optional(Shape::of_type(*type));
  }
  json::Value convert(const json::Value& object, std::string_view, json::Arena&) const override {
    return object;
  }
  json::Value zero(std::string_view api_version, json::Arena& arena) const override {
    json::Value object = json::Value::object(arena);
    object.append(arena, "apiVersion", json::Value::string(api_version));
    object.append(arena, "kind", json::Value::string(kind_));
    return normal(object, api_version, arena);
  }
  json::Value normal(const json::Value& object, std::string_view api_version,
                     json::Arena& arena) const override {
    const schema::DecodeResult decoded = schema::decode_typed(*find(api_version), object, arena);
    CHECK(decoded.error == "");
    return decoded.value;
  }

 private:
  const schema::Type* find(std::string_view api_version) const {
    const std::size_t slash = api_version.find('/');
    const auto group =
        slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
    return schema::Catalogue::built_in().find_kind(group, api_version.substr(slash + 1), kind_);
  }

  std::string_view kind_;
};

// A custom kind without conversion.
class Custom : public ToldKind {
 public:
  Custom(const json::Value& definition, json::Arena& arena) {
    const schema::Type& type = *schema::Catalogue::built_in().find_kind(
        "apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    const json::Value typed = schema::decode_typed(type, definition, arena).value;
    const json::Value& spec = *typed.find("spec");
    kind_ = spec.find("names")->string_at("kind");
    for (const json::Value& version : spec.find("versions")->items()) {
      std::string name(spec.string_at("group"));
      name.append("/").append(version.string_at("name"));
      schemas_.emplace(std::move(name), schema::StructuralSchema::compile(
                                            *version.at({"schema", "openAPIV3Schema"})));
    }
  }

  std::optional<Shape> shape(std::string_view api_version) const override {
    const auto known = schemas_.find(api_version);
    if (known == schemas_.end()) return std::nullopt;
    return Shape::of_custom_object(known->second->root());
  }
  json::Value convert(const json::Value& object, std::string_view api_version,
                      json::Arena& arena) const override {
    json::Value converted = object.shallow_copy(arena);
    converted.set(arena, "apiVersion", json::Value::string(arena.copy(api_version)));
    return converted;
  }
  json::Value zero(std::string_view api_version, json::Arena& arena) const override {
    json::Value object = json::Value::object(arena);
    object.append(arena, "apiVersion", json::Value::string(arena.copy(api_version)));
    object.append(arena, "kind", json::Value::string(kind_));
    return object;
  }
  json::Value normal(const json::Value& object, std::string_view, json::Arena&) const override {
    return object;
  }
  std::string problem_of_unknown(std::string_view api_version) const override {
    return "request to convert CR to an invalid group/version: " + std::string(api_version);
  }

 private:
  std::map<std::string, std::shared_ptr<const schema::StructuralSchema>, std::less<>> schemas_;
  std::string_view kind_;
};

// Returns the story's custom kind, or a built-in one.
inline std::unique_ptr<const ToldKind> kind_of(const json::Value& story, json::Arena& arena) {
  if (const json::Value* definition = story.find("crd")) {
    return std::make_unique<Custom>(*definition, arena);
  }
  return std::make_unique<BuiltIn>(story.string_at("kind"));
}

}  // namespace tabernetes::patch
