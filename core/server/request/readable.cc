#include "server/request/readable.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kGate = "AllowUnsafeMalformedObjectDeletion";
// The real server's decoding error for garbage.
constexpr std::string_view kFault = "illegal base64 data at input byte 3";
constexpr std::size_t kMostTold = 100;

// The server recognises corrupt objects only with the feature gate.
bool knows_corrupt(const RequestContext& call) { return call.server.gates.enabled(kGate); }

bool may_be_stale(const RequestContext& call) {
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

std::string etcd_key(const RequestContext& call, const store::Record& record) {
  const auto [ns, name] = registry::split_key(*call.type, record.key);
  return call.type->etcd_key(ns, name);
}

Failure unreadable(const RequestContext& call, const store::Record& record, ReadPurpose what) {
  if (!knows_corrupt(call)) return errors::plain_error(kFault);
  if (what == ReadPurpose::kWrite) return errors::plain_error(decode_error(record));
  const std::string key = etcd_key(call, record);
  return errors::internal_error(storage_error(key.substr(key.find('/', 1)), record));
}

Failure unreadable_list(const RequestContext& call,
                        const std::vector<const store::Record*>& corrupt) {
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

Result<void> check_readable(const RequestContext& call, const store::RecordPtr& record,
                            ReadPurpose what) {
  if (!record || !is_corrupt(*record)) return {};
  if (what == ReadPurpose::kAnswer && may_be_stale(call)) return {};
  return unreadable(call, *record, what);
}

Result<void> check_readable(const RequestContext& call, ReadPurpose what) {
  return check_readable(call, call.objects.tree().find(call.type->key(call.ns, call.name)), what);
}

Result<void> check_readable(const RequestContext& call,
                            const std::vector<store::RecordPtr>& records) {
  std::vector<const store::Record*> corrupt;
  for (const store::RecordPtr& record : records) {
    if (is_corrupt(*record)) corrupt.push_back(record.get());
  }
  if (corrupt.empty() || may_be_stale(call)) return {};
  return unreadable_list(call, corrupt);
}

}  // namespace tabernetes::server
