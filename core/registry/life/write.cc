#include "registry/life/write.h"

#include <algorithm>
#include <cassert>

#include "base/go/text.h"
#include "json/equality.h"
#include "registry/kind/dynamic_kind.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/kind/warnings.h"
#include "registry/life/request_size.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"
#include "schema/decode.h"

namespace tabernetes::registry {

using json::Value;

Value redecode(const ResourceType& type, const Value& object, json::Arena& arena) {
  // managedFields is already canonical; leave it out of the decoding.
  const Value* owners = object.at({"metadata", "managedFields"});
  Value bare = owners == nullptr ? object : without_managed_fields(object, arena);
  schema::DecodeResult decoded = schema::decode_typed(*type.resource->type, bare, arena);
  // The tree was decoded before; only our own hooks can have damaged it.
  assert(decoded.error.empty());
  if (owners != nullptr) decoded.value.find("metadata")->set(arena, "managedFields", *owners);
  return decoded.value;
}

Value redecode_changed(const ResourceType& type, const Value& object, const Value& stored,
                       json::Arena& arena) {
  const auto same_key = [](const json::Member& a, const json::Member& b) { return a.key == b.key; };
  const auto now = object.members(), before = stored.members();
  if (!std::equal(now.begin(), now.end(), before.begin(), before.end(), same_key)) {
    return redecode(type, object, arena);
  }
  Value changed = Value::object(arena);
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    if (!json::shares_content(now[i].value, before[i].value)) {
      changed.append(arena, now[i].key, now[i].value);
    }
  }
  const Value decoded = redecode(type, changed, arena);
  Value all = Value::object(arena);
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    const Value* fresh = decoded.find(now[i].key);
    const bool kept = changed.find(now[i].key) == nullptr;
    if (kept) {
      all.append(arena, now[i].key, now[i].value);
    } else if (fresh != nullptr) {
      all.append(arena, now[i].key, *fresh);
    }
  }
  return all;
}

void warn(const WriteContext& context, const ResourceType& type, const Change& change) {
  if (context.warnings == nullptr) return;
  Warnings out(*context.warnings, context.arena);
  type.behaviour->warn(change, out);
}

Failure invalid(const ResourceType& type, const Value& object, std::string_view name,
                const field::ErrorList& errors) {
  return field::invalid_status(type.behaviour->kind_of(object), name, errors);
}

void Registry::update_managed_fields(const WriteContext& context, const ResourceType& type,
                                     Value& object, const Value* stored) {
  if (!context.tracks_fields) return;
  const ObjectVersions versions(type, *resources_, context.pending);
  const patch::Writer writer = writer_of(context, type);
  if (lacks_typed_form(type, versions, object) ||
      (stored != nullptr && lacks_typed_form(type, versions, *stored))) {
    ObjectMeta(object, context.arena).erase("managedFields");
    return;
  }
  track_managed_fields(context, versions, writer, object, stored, &managed_fields_cache());
}

void Registry::drop_gated_fields(const ResourceType& type, Value& object, const Value* old,
                                 json::Arena& arena) const {
  if (type.built_in()) gated_fields_.drop(*type.resource->type, object, old, arena);
}

ManagedFieldsCache& Registry::managed_fields_cache() {
  if (managed_fields_cache_ == nullptr)
    managed_fields_cache_ = std::make_shared<ManagedFieldsCache>();
  return *managed_fields_cache_;
}

Result<EncodedWrite> encode_write(const WriteContext& context, const ResourceType& type,
                                  const Value& object, VersionMember version) {
  EncodedWrite write{encode_for_storage(type, object, version, context.arena, context.pending), {}};
  TAB_CHECK(may_persist(context.pending));
  if (context.pending != nullptr && type.behaviour->may_need_webhook() &&
      write.stored.places.form != type.id) {
    const std::shared_ptr<const store::Record> record = make_record(EncodedObject(write.stored), 0);
    write.shown = encode_in_version(type, *record, version, context.arena, context.pending);
  }
  TAB_CHECK(may_persist(context.pending));
  return write;
}

Result<void> check_answers(const WriteContext& context, const ResourceType& type,
                           const Value& object) {
  if (context.pending == nullptr || !type.behaviour->may_need_webhook()) return {};
  Value copy = object.clone(context.arena);
  if (context.applies) type.behaviour->normalise_applied(copy, context.arena);
  TAB_TRY(const EncodedWrite unused, encode_write(context, type, copy, VersionMember::kPresent));
  return {};
}

store::RecordPtr EncodedWrite::shown_as(store::RecordPtr record) {
  if (!shown) return record;
  std::shared_ptr<store::Record> other = make_record(std::move(*shown), record->revision);
  other->key = record->key;
  return other;
}

Result<void> Registry::allocate(const WriteContext& context, const ResourceType& type,
                                Value& object, const Value* old) {
  if (type.strategy->allocate == nullptr) return {};
  TAB_CHECK(type.strategy->allocate(hook_context(context), object, old));
  object = redecode(type, object, context.arena);
  return {};
}

Result<store::RecordPtr> Registry::write(const WriteContext& context, const ObjectRef& ref,
                                         const Value& wanted, const store::RecordPtr& old) {
  Value object = wanted;
  if (context.applies) ref.type->behaviour->normalise_applied(object, context.arena);
  if (context.dry_run && !old) {
    // A dry run: there is no version except one set by the client.
    const store::Revision given =
        go_parse_uint(object.find("metadata")->string_at("resourceVersion")).value;
    const VersionMember version = given == 0 ? VersionMember::kAbsent : VersionMember::kPresent;
    TAB_TRY(EncodedWrite encoded, encode_write(context, *ref.type, object, version));
    return encoded.shown_as(make_record(std::move(encoded.stored), given));
  }
  TAB_TRY(EncodedWrite encoded, encode_write(context, *ref.type, object, VersionMember::kPresent));
  if (old && equal_except_version(*old, encoded.stored)) {
    if (!context.dry_run) managed_fields_cache().keep(old, old, object);
    return encoded.shown_as(old);
  }
  if (context.dry_run) {
    return encoded.shown_as(make_record(std::move(encoded.stored), old->revision));
  }
  Value kept = object;
  if (encoded.stored.bytes.size() > kSmallObject) {
    // An object that is too large because of its managedFields is stored without them.
    Value lean = object.shallow_copy(context.arena);
    Value metadata = lean.find("metadata")->shallow_copy(context.arena);
    metadata.erase("resourceVersion");
    lean.set(context.arena, "metadata", metadata);
    if (!check_request_size(ref, lean, old != nullptr)) {
      lean.find("metadata")->erase("managedFields");
      TAB_CHECK(check_request_size(ref, lean, old != nullptr));
      TAB_TRY(encoded, encode_write(context, *ref.type, lean, VersionMember::kPresent));
      kept = lean;
    }
  }

  const store::Write write{.key = ref.type->key(ref.ns, ref.name),
                           .expected = old ? old->revision : 0,
                           .make = [&encoded](store::Revision revision) {
                             return make_record(std::move(encoded.stored), revision);
                           }};
  auto stored = store_.put(write);
  // One writer: nothing can have changed between reading and writing.
  assert(stored);
  on_definition_written(ref, stored->get());
  // New objects are rarely written again soon, so their entries are not cached.
  if (old) managed_fields_cache().keep(*stored, old, kept);
  return encoded.shown_as(*stored);
}

void Registry::on_definition_written(const ObjectRef& ref, const store::Record* record) {
  if (definitions_ == nullptr) return;
  resources_ = definitions_->after_write(resources_, *ref.type, ref.name, record);
}

void Registry::go_back(std::shared_ptr<const ResourceTable> resources) {
  kind_cache_.reset();
  managed_fields_cache_.reset();
  resources_ = std::move(resources);
}

void Registry::on_state_replaced() {
  kind_cache_.reset();
  managed_fields_cache_.reset();
  if (definitions_ != nullptr) resources_ = definitions_->of_state(resources_, store_.tree());
}

}  // namespace tabernetes::registry
