#include "kinds/table/built_in_kind.h"

#include "registry/objects/object_record.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// A ReplicationController's selector is a map of labels.
std::string selector_text(const schema::Resource& resource, const Value& selector) {
  if (resource.group.empty()) return format_labels(&selector);
  return format_label_selector(&selector).value_or(std::string());
}

// Returns null if the version is stored unchanged.
const kinds::ConvertedVersion* find_version(const schema::Resource& resource) {
  for (const auto& version : kinds::find_kind(resource.group, resource.kind).converted_versions) {
    if (version.version == resource.version) return &version;
  }
  return nullptr;
}

class Kinds final : public BuiltInKinds {
 public:
  const Strategy& strategy(const schema::Resource& resource) const override {
    return kinds::find_kind(resource.group, resource.kind).strategy;
  }
  std::optional<Resource> stored_as(const schema::Resource& resource) const override {
    const kinds::ConvertedVersion* version = find_version(resource);
    return version == nullptr ? std::nullopt : std::optional(version->storage);
  }
  std::unique_ptr<const KindBehaviour> behaviour(const ResourceType& type) const override {
    return std::make_unique<const BuiltInKind>(type);
  }
};

}  // namespace

const BuiltInKinds& built_in_kinds() {
  static constexpr Kinds kKinds;
  return kKinds;
}

std::shared_ptr<const ResourceTable> built_in_resources() {
  return std::make_shared<const ResourceTable>(schema::Catalogue::built_in(), built_in_kinds());
}

BuiltInKind::BuiltInKind(const ResourceType& type)
    : type_(type),
      row_(kinds::find_kind(type.resource->group, type.resource->kind)),
      conversion_(find_version(*type.resource)),
      table_(type.resource->group, type.resource->kind) {}

schema::DecodeResult BuiltInKind::decode(const Value& raw, json::Arena& arena,
                                         DecodeFor what) const {
  return schema::decode_typed(
      *type_.resource->type, raw, arena,
      what == DecodeFor::kApply ? schema::EmptyLists::kAsSent : schema::EmptyLists::kAsStored);
}

void BuiltInKind::apply_defaults(const HookContext& context, Value& object) const {
  schema::apply_defaults(*type_.resource->type, object, context.arena);
  if (row_.defaults != nullptr) row_.defaults->apply(object, context.arena);
  if (type_.strategy->set_defaults != nullptr) type_.strategy->set_defaults(context, object);
}

void BuiltInKind::validate(const Change& change, field::ErrorList& errors,
                           std::vector<std::string>* /*warnings*/) const {
  const Strategy& strategy = *type_.strategy;
  const validation::Field now(change.object, errors, change.capabilities);
  auto write = change.old == nullptr ? validation::Write::kCreate : validation::Write::kUpdate;
  if (change.old == nullptr) {
    if (strategy.validate != nullptr) strategy.validate(now);
  } else {
    const validation::Field before(*change.old, errors, change.capabilities);
    if (change.subresource == Subresource::kStatus) {
      write = validation::Write::kStatus;
      if (strategy.validate_status != nullptr) strategy.validate_status(now, before);
    } else if (change.subresource != Subresource::kNone) {
      if (strategy.validate_subresource != nullptr)
        strategy.validate_subresource(change.subresource, now, before);
      return;
    } else if (strategy.validate_update != nullptr) {
      strategy.validate_update(now, before);
    } else if (strategy.validate != nullptr) {
      strategy.validate(now);
    }
  }
  if (row_.rules != nullptr) row_.rules->check(write, now, change.old);
}

void BuiltInKind::warn(const Change& change, Warnings& out) const {
  const auto hook = change.subresource == Subresource::kNone     ? type_.strategy->warnings
                    : change.subresource == Subresource::kStatus ? type_.strategy->status_warnings
                                                                 : nullptr;
  if (hook == nullptr) return;
  field::ErrorList unused;
  hook(validation::Field(change.object, unused), change.old, out);
}

GroupResource BuiltInKind::kind_of(const Value& /*object*/) const {
  return type_.stored_as().group_kind();
}

Value BuiltInKind::stored_form(const Value& object, json::Arena& arena) const {
  if (conversion_ == nullptr) return object;
  return schema::decode_typed(*type_.storage->resource->type,
                              conversion_->to_storage(object, arena), arena)
      .value;
}

EncodedObject BuiltInKind::to_storage(const Value& object, VersionMember version,
                                      json::Arena& arena, PendingWork* /*pending*/) const {
  return encode_object(stored_form(object, arena), version);
}

Value BuiltInKind::from_storage(const store::Record& record, json::Arena& arena,
                                PendingWork* pending) const {
  return convert(read_object(*type_.storage, record, arena), *type_.storage, arena, pending);
}

Value BuiltInKind::convert(const Value& object, const ResourceType& from, json::Arena& arena,
                           PendingWork* /*pending*/) const {
  const Value stored = static_cast<const BuiltInKind&>(*from.behaviour).stored_form(object, arena);
  if (conversion_ == nullptr) return stored;
  return schema::decode_typed(*type_.resource->type, conversion_->from_storage(stored, arena),
                              arena)
      .value;
}

patch::Shape BuiltInKind::shape() const { return patch::Shape::of_type(*type_.resource->type); }

const ResourceType& BuiltInKind::version_of(const store::Record& /*record*/) const { return type_; }

std::string BuiltInKind::scale_selector(const Value& object) const {
  const Value* selector = object.at({"spec", "selector"});
  return selector == nullptr ? std::string() : selector_text(*type_.resource, *selector);
}

}  // namespace tabernetes::registry
