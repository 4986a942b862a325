#include "server/corrupt.h"

#include "server/answer.h"
#include "server/feature_gates.h"
#include "server/request_info.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kGate = "AllowUnsafeMalformedObjectDeletion";
constexpr std::string_view kOption = "ignoreStoreReadErrorWithClusterBreakingPotential";
// What the real server's decoder says of bytes that are nothing.
constexpr std::string_view kFault = "illegal base64 data at input byte 3";
constexpr std::size_t kMostTold = 100;

// Only with the gate does the server know what is corrupt.
bool knows_corrupt(const Call& call) {
  return gate_enabled(call.surface.options, call.surface.catalogue, kGate);
}

bool may_be_stale(const Call& call) {
  return call.query.get("resourceVersion") == "0" && !call.type->strategy->uncached;
}

std::string decode_error(const store::Record& record) {
  return "object not decodable revision=" + std::to_string(record.revision) + ": " +
         std::string(kFault);
}

std::string storage_error(std::string_view key, const store::Record& record) {
  return "StorageError: corrupt object, Code: 7, Key: " + std::string(key) +
         ", ResourceVersion: 0, AdditionalErrorMsg: " + decode_error(record);
}

std::string etcd_key(const Call& call, const store::Record& record) {
  const auto [ns, name] = registry::split_key(*call.type, record.key);
  return call.type->etcd_key(ns, name);
}

Failure unreadable(const Call& call, const store::Record& record, ReadFor what) {
  if (!knows_corrupt(call)) return errors::plain_error(kFault);
  if (what == ReadFor::kWrite) return errors::plain_error(decode_error(record));
  const std::string key = etcd_key(call, record);
  return errors::internal_error(storage_error(key.substr(key.find('/', 1)), record));
}

Failure unreadable_list(const Call& call, const std::vector<const store::Record*>& corrupt) {
  if (!knows_corrupt(call)) return errors::plain_error(kFault);
  const GroupResource resource = call.type->group_resource();
  ApiStatus status;
  status.reason = "StorageReadError";
  status.message = "failed to read one or more " + resource.to_string() + " from the storage";
  status.details = StatusDetails();
  status.details->name = "list";
  status.details->group = resource.group;
  status.details->kind = resource.resource;
  for (const store::Record* record : corrupt) {
    if (status.details->causes.size() == kMostTold) {
      status.details->causes.push_back(
          {"FieldValueTooMany", "too many errors, the list is truncated", ""});
      break;
    }
    const std::string key = etcd_key(call, *record);
    status.details->causes.push_back(
        {"UnexpectedServerResponse", storage_error(key, *record), key});
  }
  return status;
}

}  // namespace

Result<void> check_readable(const Call& call, const store::RecordPtr& record, ReadFor what) {
  if (!record || !is_corrupt(*record)) return {};
  if (what == ReadFor::kAnswer && may_be_stale(call)) return {};
  return unreadable(call, *record, what);
}

Result<void> check_readable(const Call& call, ReadFor what) {
  return check_readable(call, call.objects.tree().find(call.type->key(call.ns, call.name)), what);
}

Result<void> check_readable(const Call& call, const std::vector<store::RecordPtr>& records) {
  std::vector<const store::Record*> corrupt;
  for (const store::RecordPtr& record : records) {
    if (is_corrupt(*record)) corrupt.push_back(record.get());
  }
  if (corrupt.empty() || may_be_stale(call)) return {};
  return unreadable_list(call, corrupt);
}

Result<Response> remove_unreadable(Call& call, Cluster& cluster, const Representation& form) {
  const std::string key = call.type->key(call.ns, call.name);
  const store::RecordPtr record = cluster.store.get(key);
  if (!record || !is_corrupt(*record)) {
    return field::invalid_status(
        call.type->group_resource(), call.name,
        {field::invalid(field::Path(std::string(kOption)), "true",
                        "is exclusively used to delete corrupt object(s), try again by removing "
                        "this option")});
  }
  (void)cluster.store.remove(key, record->revision);
  json::Arena& arena = call.arena;
  Value details = Value::object(arena);
  details.append(arena, "name", Value::string(call.name));
  details.append(arena, "kind", Value::string(call.type->resource->kind));
  Value status = Value::object(arena);
  status.append(arena, "kind", Value::string("Status"));
  status.append(arena, "apiVersion", Value::string("v1"));
  status.append(arena, "metadata", Value::object(arena));
  status.append(arena, "status", Value::string("Success"));
  status.append(arena, "details", details);
  status.append(arena, "code", Value::integer(200));
  return answer_tree(form, 200, status);
}

std::string corrupt(Cluster& cluster, std::string_view path) {
  const std::vector<std::string> segments = path_segments(path);
  const bool core = segments.size() > 2 && segments[0] == "api";
  const bool grouped = segments.size() > 3 && segments[0] == "apis";
  const ResourcePath named = core || grouped ? parse_resource_path(segments) : ResourcePath();
  const registry::ResourceType* type =
      cluster.registry.resources().find(named.group, named.version, named.resource);
  const std::string key = type == nullptr ? "" : type->key(named.ns, named.name);
  const store::RecordPtr record = cluster.store.get(key);
  if (!record) return "there is no object at " + std::string(path);
  const auto make = [&](store::Revision) {
    auto copy = std::make_shared<registry::ObjectRecord>(
        static_cast<const registry::ObjectRecord&>(*record));
    if (!is_corrupt(*copy)) copy->bytes += ' ';
    return copy;
  };
  (void)cluster.store.put({.key = key, .expected = record->revision, .make = make});
  return {};
}

}  // namespace tabernetes::server
