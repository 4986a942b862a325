// A kind that a CustomResourceDefinition defines, as the server serves it. Made of the stored
// definition, and never changes: where that does, another one takes its place.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "registry/crd/json_path.h"
#include "registry/resource_type.h"
#include "schema/schema.h"
#include "schema/structural.h"

namespace tabernetes::registry::crd {

class CustomKind;

// A printed column beside the name.
struct CustomColumn {
  schema::Column shown;
  JsonPath path;
};

struct ScalePaths {
  std::string_view replicas, status_replicas, selector;  // the last may be empty
};

class Rules;

// One version of a custom kind.
struct CustomVersion {
  const CustomKind* kind = nullptr;
  schema::Type schema;        // what all custom objects are: kind, version, metadata, and the rest
  schema::Resource resource;  // as discovery shows it
  ResourceType type;
  bool served = false;  // the version is, and its kind
  bool storage = false;
  std::string warning;  // of each request: the version is deprecated
  std::shared_ptr<const schema::StructuralSchema> structural;
  std::shared_ptr<const Rules> rules;  // of the schema; null: it has none
  std::vector<CustomColumn> columns;
  bool has_scale = false;
  ScalePaths scale;
};

// Who converts objects of one version to another.
struct ConversionWebhook {
  std::string url, ca_bundle;                   // as in WebhookCall
  std::string service_name, service_namespace;  // empty: it has its own URL
  int service_port = 0;
  bool beta = false;   // it wants reviews of v1beta1
  bool usable = true;  // its caBundle can be read; else nothing of the kind is served
};

// The names that a definition has been given; all may be empty.
struct GivenNames {
  std::string_view plural, singular, kind, list_kind;
  std::vector<std::string_view> short_names;
};

class CustomKind : public std::enable_shared_from_this<CustomKind> {
 public:
  // Of a stored definition. `before` is what it was made into last, null if it was not. Null: it
  // stores no version, which no valid one does.
  static std::shared_ptr<const CustomKind> make(const json::Value& definition,
                                                const CustomKind* before);

  std::string_view name() const { return name_; }  // of the definition
  std::string_view group() const { return group_; }
  const GivenNames& given() const { return given_; }
  bool names_accepted() const { return names_accepted_; }
  bool established() const { return established_; }  // it is in discovery
  bool terminating() const { return terminating_; }
  // In the order of the definition.
  const std::deque<CustomVersion>& versions() const { return versions_; }
  // Null: nothing but apiVersion differs.
  const ConversionWebhook* webhook() const { return webhook_ ? &*webhook_ : nullptr; }
  const ResourceType& storage_type() const { return *storage_; }
  // Null if there is none.
  const CustomVersion* find_version(std::string_view api_version) const;

 private:
  struct Names;

  CustomKind() = default;
  void read_columns(const json::Value& version, CustomVersion& out);
  void read_version(const json::Value& definition, const json::Value& version, const Names& names);
  std::string_view keep(std::string_view text) { return texts_.copy(text); }
  std::vector<std::string_view> keep_all(const json::Value* list);

  json::Arena texts_;
  std::string_view name_, group_, uid_;
  std::int64_t generation_ = 0;
  GivenNames given_;
  bool names_accepted_ = false, established_ = false, terminating_ = false;
  std::deque<CustomVersion> versions_;
  const ResourceType* storage_ = nullptr;
  std::optional<ConversionWebhook> webhook_;
};

}  // namespace tabernetes::registry::crd
