// A kind defined by a CustomResourceDefinition. Made from the stored definition; immutable: a
// changed definition makes a new one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "custom/schema/json_path.h"
#include "json/value.h"
#include "registry/cells/printer.h"
#include "registry/kind/dynamic_kind.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/kind/resource_type.h"
#include "registry/kind/webhook_client.h"
#include "schema/schema.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

class CustomKind;
struct CustomVersion;

struct ScalePaths {
  std::string_view replicas, status_replicas, selector;  // `selector` may be empty
};

// Prints the table of a version: the name, then the columns of the definition.
class CustomTable final : public TablePrinter {
 public:
  CustomTable();

  void add(const schema::Column& shown, JsonPath path);
  std::span<const schema::Column> columns() const override { return columns_; }
  void print(const json::Value& object, Row& row) const override;

 private:
  std::vector<schema::Column> columns_;
  std::vector<JsonPath> paths_;  // all except the first
};

class CelRules;

// A version of a custom kind, and its behaviour (custom_version.cc).
struct CustomVersion final : public KindBehaviour {
  const CustomKind* kind = nullptr;
  // the fields of every custom object: kind, apiVersion, metadata, and the rest
  schema::Type schema;
  schema::Resource resource;  // as in discovery
  ResourceType type;
  std::string warning;  // for each request: the version is deprecated
  std::shared_ptr<const schema::StructuralSchema> structural;
  std::shared_ptr<const CelRules> cel_rules;  // of the schema; null if there are none
  CustomTable rows;
  bool has_scale = false;
  ScalePaths scale_paths;

  schema::DecodeResult decode(const json::Value& raw, json::Arena& arena,
                              DecodeFor what) const override;
  void normalise_applied(json::Value& object, json::Arena& arena) const override;
  void apply_defaults(const HookContext& context, json::Value& object) const override;
  Result<void> check_served() const override;
  Result<void> check_creatable(std::string_view name) const override;
  bool check_identity(const json::Value& object, field::ErrorList& errors) const override;
  void validate(const Change& change, field::ErrorList& errors,
                std::vector<std::string>* warnings) const override;
  void warn(const Change& change, Warnings& out) const override;
  GroupResource kind_of(const json::Value& object) const override;
  EncodedObject to_storage(const json::Value& object, VersionMember version, json::Arena& arena,
                           PendingWork* pending) const override;
  json::Value from_storage(const store::Record& record, json::Arena& arena,
                           PendingWork* pending) const override;
  json::Value convert(const json::Value& object, const ResourceType& from, json::Arena& arena,
                      PendingWork* pending) const override;
  patch::Shape shape() const override;
  std::string unknown_version_error(std::string_view api_version) const override;
  bool may_need_webhook() const override;
  const ResourceType& version_of(const store::Record& record) const override;
  const TablePrinter& table() const override { return rows; }
  std::string_view deprecation() const override { return warning; }
  ScaleFields scale() const override;
  std::string scale_selector(const json::Value& object) const override;
  Result<void> check_scale(const json::Value& object) const override;
};

// Returns the version with this type; null if the type is built in.
const CustomVersion* version_of(const ResourceType& type);

// The webhook that converts objects between versions.
struct ConversionWebhook : WebhookClient {
  bool beta = false;   // uses reviews of v1beta1
  bool usable = true;  // false: its caBundle is invalid, and the kind is not served
};

// The names in the status of a definition; all may be empty.
struct GivenNames {
  std::string_view plural, singular, kind, list_kind;
  std::vector<std::string_view> short_names;
};

class CustomKind final : public DynamicKind {
 public:
  // Makes a kind from a stored definition. `before` is the kind made from the previous one, or
  // null. Returns null if there is no storage version, which validation prevents.
  static std::shared_ptr<const CustomKind> make(const json::Value& definition,
                                                const CustomKind* before);

  std::string_view name() const override { return name_; }
  std::string_view group() const override { return group_; }
  const GivenNames& given() const { return given_; }
  bool names_accepted() const { return names_accepted_; }
  bool established() const override { return established_; }
  bool terminating() const { return terminating_; }
  std::vector<const ResourceType*> types() const override;
  // Returns the versions in the order of the definition.
  const std::deque<CustomVersion>& versions() const { return versions_; }
  // Returns null if conversion changes only apiVersion.
  const ConversionWebhook* webhook() const { return webhook_ ? &*webhook_ : nullptr; }
  const ResourceType& storage_type() const override { return storage_->type; }
  const CustomVersion& storage_version() const { return *storage_; }
  // Returns the version, or null.
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
  const CustomVersion* storage_ = nullptr;
  std::optional<ConversionWebhook> webhook_;
};

// Casts a kind of a table. REQUIRES: all defined kinds are custom kinds, as in a server.
inline const CustomKind& custom_kind(const DynamicKind& kind) {
  return static_cast<const CustomKind&>(kind);
}

}  // namespace tabernetes::registry::custom
