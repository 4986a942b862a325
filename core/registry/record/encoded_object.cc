#include "registry/record/encoded_object.h"

#include "codec/json_writer.h"
#include "json/sort_deep.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Value;

void write_member_name(std::string_view name, std::string& out) {
  if (out.back() != '{') out += ',';
  codec::write_json_string(name, out);
  out += ':';
}

void write_version_member(EncodedObject& encoded) {
  write_member_name("resourceVersion", encoded.bytes);
  encoded.bytes += '"';
  encoded.places.version_begin = static_cast<std::uint32_t>(encoded.bytes.size());
  encoded.bytes += '"';
}

// Calls `visit(key, value)` for the labels of `{"a":"1","b":"2"}` until it returns false. Valid
// labels contain no escapes, so a string ends at the next quote.
template <typename Visit>
void visit_labels(std::string_view labels, const Visit& visit) {
  const char* at = labels.data() + 1;
  const char* const end = labels.data() + labels.size() - 1;
  const auto string_end = [&](const char* begin) {
    while (begin < end && *begin != '"') ++begin;
    return begin;
  };
  const auto view = [](const char* begin, const char* end_of_it) {
    return std::string_view(begin, static_cast<std::size_t>(end_of_it - begin));
  };
  while (at < end) {
    const char* const key = at + 1;
    const char* const key_end = string_end(key);
    const char* const value = key_end + 3;
    const char* const value_end = string_end(value);
    if (!visit(view(key, key_end), view(value, value_end))) return;
    at = value_end + 2;  // skips the comma
  }
}

LabelBloom marks_of_labels(std::string_view labels) {
  LabelBloom marks = 0;
  visit_labels(labels, [&](std::string_view key, std::string_view value) {
    marks |= bloom_of_key(key) | bloom_of_label(key, value);
    return true;
  });
  return marks;
}

// The order of members: as declared in the type, or sorted by name.
enum class Order { kOfType, kByName };

// Returns true for members of ObjectMeta that are encoded before resourceVersion.
bool precedes_resource_version(std::string_view name, Order order) {
  if (order == Order::kByName) return name < "resourceVersion";
  return name == "name" || name == "generateName" || name == "namespace" || name == "selfLink" ||
         name == "uid";
}

void write_metadata(const Value& metadata, VersionMember version, Order order,
                    EncodedObject& encoded) {
  std::string& out = encoded.bytes;
  out += '{';
  bool pending = version == VersionMember::kPresent;
  for (const Member& member : metadata.members()) {
    if (member.key == "resourceVersion") continue;
    if (pending && !precedes_resource_version(member.key, order)) {
      write_version_member(encoded);
      pending = false;
    }
    const std::size_t before = out.size();
    codec::write_json_member(member.key, member.value, out);
    if (member.key == "ownerReferences") encoded.places.owned = true;
    if (member.key == "deletionTimestamp") encoded.places.terminating = true;
    if (member.key == "labels") {
      const std::size_t begin = out.find('{', before);
      encoded.places.labels_begin = static_cast<std::uint32_t>(begin);
      encoded.places.labels_size = static_cast<std::uint32_t>(out.size() - begin);
      encoded.places.label_bloom = marks_of_labels(std::string_view(out).substr(begin));
    }
  }
  if (pending) write_version_member(encoded);
  out += '}';
}

EncodedObject encode_members(const Value& object, VersionMember version, Order order) {
  EncodedObject encoded;
  std::string& out = encoded.bytes;
  out.reserve(4096);  // enough for a pod of 2 KiB with its managedFields
  out += ",{";
  for (const Member& member : object.members()) {
    const bool in_head = member.key == "kind" || member.key == "apiVersion";
    if (order == Order::kOfType && in_head) continue;
    if (member.key == "metadata") {
      write_member_name(member.key, out);
      encoded.places.metadata_begin = static_cast<std::uint32_t>(out.size());
      write_metadata(member.value, version, order, encoded);
      encoded.places.metadata_end = static_cast<std::uint32_t>(out.size());
    } else {
      codec::write_json_member(member.key, member.value, out);
    }
  }
  out += '}';
  return encoded;
}

}  // namespace

EncodedObject encode_object(const Value& object, VersionMember version) {
  return encode_members(object, version, Order::kOfType);
}

EncodedObject encode_sorted(const Value& object, VersionMember version) {
  json::sort_deep(object);
  return encode_members(object, version, Order::kByName);
}

bool equal_except_version(const store::Record& stored, const EncodedObject& encoded) {
  const RecordOffsets& places = offsets_of(stored);
  const std::string_view bytes = stored.bytes;
  const std::string_view fresh = encoded.bytes;
  const std::size_t at = encoded.places.version_begin;
  return places.version_begin == at && bytes.size() - places.version_size == fresh.size() &&
         bytes.substr(0, at) == fresh.substr(0, at) &&
         bytes.substr(at + places.version_size) == fresh.substr(at);
}

std::shared_ptr<store::Record> make_record(EncodedObject encoded, store::Revision revision) {
  auto record = std::make_shared<ObjectRecord>();
  RecordOffsets& places = record->places;
  places = encoded.places;
  if (revision != 0) {
    const std::string digits = std::to_string(revision);
    places.version_size = static_cast<std::uint32_t>(digits.size());
    if (places.labels_begin > places.version_begin) places.labels_begin += places.version_size;
    places.metadata_end += places.version_size;
    const std::size_t at = places.version_begin;
    record->bytes.reserve(encoded.bytes.size() + digits.size());
    record->bytes.append(encoded.bytes, 0, at).append(digits).append(encoded.bytes, at);
  } else {
    record->bytes = std::move(encoded.bytes);
    record->bytes.shrink_to_fit();
  }
  record->revision = revision;
  return record;
}

std::shared_ptr<ObjectRecord> renumbered(const store::Record& record, store::Revision revision) {
  EncodedObject encoded;
  encoded.places = offsets_of(record);
  RecordOffsets& places = encoded.places;
  const std::uint32_t digits = std::exchange(places.version_size, 0);
  if (places.labels_begin > places.version_begin) places.labels_begin -= digits;
  places.metadata_end -= digits;
  encoded.bytes.reserve(record.bytes.size());
  encoded.bytes.append(record.bytes, 0, places.version_begin)
      .append(record.bytes, places.version_begin + digits);
  auto copy = std::static_pointer_cast<ObjectRecord>(make_record(std::move(encoded), revision));
  copy->key = record.key;
  return copy;
}

std::optional<std::string_view> label_of(const store::Record& record, std::string_view name) {
  const std::string_view labels = labels_of(record);
  if (labels.empty()) return std::nullopt;
  std::optional<std::string_view> found;
  visit_labels(labels, [&](std::string_view key, std::string_view value) {
    if (key == name) found = value;
    return !found;
  });
  return found;
}

void write_metadata(const store::Record& record, store::Revision shown, std::string& out) {
  const RecordOffsets& places = offsets_of(record);
  const std::string_view bytes = std::string_view(record.bytes).substr(0, places.metadata_end);
  if (shown == 0 || shown == record.revision) {
    out += bytes.substr(places.metadata_begin);
    return;
  }
  out += bytes.substr(places.metadata_begin, places.version_begin - places.metadata_begin);
  out += std::to_string(shown);
  out += bytes.substr(places.version_begin + places.version_size);
}

}  // namespace tabernetes::registry
