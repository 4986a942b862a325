// The behaviour of built-in kinds, according to their rows (kinds/row/kind.h).
#pragma once

#include "kinds/table/built_in_table.h"
#include "kinds/table/kinds.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/kind/resource_type.h"

namespace tabernetes::registry {

class BuiltInKind final : public KindBehaviour {
 public:
  // REQUIRES: `type` outlives this object.
  explicit BuiltInKind(const ResourceType& type);

  schema::DecodeResult decode(const json::Value& raw, json::Arena& arena,
                              DecodeFor what) const override;
  void apply_defaults(const HookContext& context, json::Value& object) const override;
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
  const ResourceType& version_of(const store::Record& record) const override;
  const TablePrinter& table() const override { return table_; }
  std::string_view deprecation() const override { return type_.strategy->deprecation; }
  std::string scale_selector(const json::Value& object) const override;

 private:
  json::Value stored_form(const json::Value& object, json::Arena& arena) const;

  const ResourceType& type_;
  const kinds::Kind& row_;
  const kinds::ConvertedVersion* conversion_;  // null: the version is stored unchanged
  const BuiltInTable table_;
};

// Returns the built-in kinds.
const BuiltInKinds& built_in_kinds();

// Returns a table with the built-in kinds only.
std::shared_ptr<const ResourceTable> built_in_resources();

}  // namespace tabernetes::registry
