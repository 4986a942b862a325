#include "controllers/garbage/owned_metadata.h"

#include <algorithm>

#include "codec/json_reader.h"
#include "registry/objects/object_record.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// Quotes within texts are escaped, so this begins the member.
constexpr std::string_view kFields = R"("managedFields":[)";

// Returns the metadata in the record's bytes. Records of custom objects have members before it, and
// its own members sorted by name.
std::string_view metadata_text(const store::Record& record) {
  const registry::RecordOffsets& places = registry::offsets_of(record);
  return std::string_view(record.bytes)
      .substr(places.metadata_begin, places.metadata_end - places.metadata_begin);
}

bool has_members_by_name(const store::Record& record) {
  return !record.bytes.starts_with(R"(,{"metadata":)");
}

OwnerReference read_reference(const Value& reference) {
  const Value* blocking = reference.find("blockOwnerDeletion");
  return {.api_version = reference.string_at("apiVersion"),
          .kind = reference.string_at("kind"),
          .name = reference.string_at("name"),
          .uid = reference.string_at("uid"),
          .blocking = blocking != nullptr && blocking->is_bool() && blocking->as_bool()};
}

}  // namespace

OwnerMetadata read_owned_metadata(const store::Record& record, json::Arena& arena) {
  const std::string_view text = metadata_text(record);
  // What the collector needs comes before managedFields, the last member unless sorted by name.
  const std::size_t fields =
      has_members_by_name(record) ? std::string_view::npos : text.find(kFields);
  if (fields == std::string_view::npos) return read_owned_metadata(text, arena);
  return read_owned_metadata(arena.join(text.substr(0, fields - 1), "}"), arena);
}

bool is_blocked_by(const OwnerMetadata& metadata, std::string_view uid) {
  return std::any_of(
      metadata.owners.begin(), metadata.owners.end(),
      [&](const OwnerReference& owner) { return owner.uid == uid && owner.blocking; });
}

OwnerMetadata read_owned_metadata(std::string_view text, json::Arena& arena) {
  return read_owned_metadata(codec::read_json(text, arena).value);
}

OwnerMetadata read_owned_metadata(const Value& metadata) {
  OwnerMetadata read;
  read.uid = metadata.string_at("uid");
  read.terminating = metadata.find("deletionTimestamp") != nullptr;
  if (const Value* owners = metadata.find("ownerReferences")) {
    for (const Value& owner : owners->items()) read.owners.push_back(read_reference(owner));
  }
  if (const Value* finalizers = metadata.find("finalizers")) {
    for (const Value& finalizer : finalizers->items()) {
      read.orphans = read.orphans || finalizer.as_string() == kOrphanFinalizer;
      read.foreground = read.foreground || finalizer.as_string() == kForegroundFinalizer;
    }
  }
  return read;
}

bool same_ownership(const store::Record& a, const store::Record& b) {
  // Quotes within texts are escaped, so this is the member. What follows it in objects of built-in
  // kinds is its list, then finalizers, then managedFields; in custom objects the version, too.
  constexpr std::string_view kOwners = R"("ownerReferences":[)";
  const auto part = [&](const store::Record& record) {
    const std::string_view text = metadata_text(record);
    const std::size_t begin = std::min(text.find(kOwners), text.size());
    return text.substr(begin, text.find(kFields, begin) - begin);
  };
  return !registry::offsets_of(a).terminating && !registry::offsets_of(b).terminating &&
         part(a) == part(b);
}

std::string_view uid_of(const store::Record& record) {
  // Quotes within texts are escaped. If sorted by name, it is the last match, after those in owner
  // references.
  constexpr std::string_view kMember = R"("uid":")";
  const std::string_view bytes = metadata_text(record);
  const std::size_t at = has_members_by_name(record) ? bytes.rfind(kMember) : bytes.find(kMember);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + kMember.size();
  return bytes.substr(begin, bytes.find('"', begin) - begin);
}

}  // namespace tabernetes::controllers
