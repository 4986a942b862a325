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

#include "custom/schema/json_path.h"
#include "json/value.h"
#include "registry/cells/printer.h"
#include "registry/kind/defined_kind.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/kind/resource_type.h"
#include "schema/schema.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

class CustomKind;
struct CustomVersion;

struct ScalePaths {
  std::string_view replicas, status_replicas, selector;  // the last may be empty
};

// The rows of a version's table: the name, then the columns of the definition.
class CustomTable final : public TablePrinter {
 public:
  CustomTable();

  void add(const schema::Column& shown, JsonPath path);
  std::span<const schema::Column> columns() const override { return columns_; }
  void print(const json::Value& object, Row& row) const override;

 private:
  std::vector<schema::Column> columns_;
  std::vector<JsonPath> paths_;  // of all but the first
};

class Rules;

// One version of a custom kind, and how it behaves (custom_version.cc).
struct CustomVersion final : public KindBehaviour {
  const CustomKind* kind = nullptr;
  schema::Type schema;        // what all custom objects are: kind, version, metadata, and the rest
  schema::Resource resource;  // as discovery shows it
  ResourceType type;
  std::string warning;  // of each request: the version is deprecated
  std::shared_ptr<const schema::StructuralSchema> structural;
  std::shared_ptr<const Rules> rules;  // of the schema; null: it has none
  CustomTable rows;
  bool has_scale = false;
  ScalePaths scale_paths;

  schema::DecodeResult decode(const json::Value& raw, json::Arena& arena,
                              DecodeFor what) const override;
  void finish_apply(json::Value& object, json::Arena& arena) const override;
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
  std::string problem_of_version(std::string_view api_version) const override;
  bool asks_others() const override;
  const ResourceType& version_of(const store::Record& record) const override;
  const TablePrinter& table() const override { return rows; }
  std::string_view deprecation() const override { return warning; }
  ScaleFields scale() const override;
  std::string scale_selector(const json::Value& object) const override;
  Result<void> check_scale(const json::Value& object) const override;
};

// Returns the version that `type` is of; null if it is built in.
const CustomVersion* version_of(const ResourceType& type);

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

class CustomKind final : public DefinedKind {
 public:
  // Of a stored definition. `before` is what it was made into last, null if it was not. Null: it
  // stores no version, which no valid one does.
  static std::shared_ptr<const CustomKind> make(const json::Value& definition,
                                                const CustomKind* before);

  std::string_view name() const override { return name_; }
  std::string_view group() const override { return group_; }
  const GivenNames& given() const { return given_; }
  bool names_accepted() const { return names_accepted_; }
  bool established() const override { return established_; }
  bool terminating() const { return terminating_; }
  std::vector<const ResourceType*> types() const override;
  // In the order of the definition.
  const std::deque<CustomVersion>& versions() const { return versions_; }
  // Null: nothing but apiVersion differs.
  const ConversionWebhook* webhook() const { return webhook_ ? &*webhook_ : nullptr; }
  const ResourceType& storage_type() const override { return storage_->type; }
  const CustomVersion& storage_version() const { return *storage_; }
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
  const CustomVersion* storage_ = nullptr;
  std::optional<ConversionWebhook> webhook_;
};

// The defined kinds of a table. REQUIRES: all are custom kinds, as all of a server's are.
inline const CustomKind& custom_kind(const DefinedKind& kind) {
  return static_cast<const CustomKind&>(kind);
}

}  // namespace tabernetes::registry::custom
