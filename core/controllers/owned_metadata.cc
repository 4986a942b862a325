#include "controllers/owned_metadata.h"

#include "codec/json_reader.h"
#include "registry/object_record.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kHead = R"(,{"metadata":)";

OwnerReference read_reference(const Value& reference) {
  const Value* blocking = reference.find("blockOwnerDeletion");
  return {.api_version = reference.string_at("apiVersion"),
          .kind = reference.string_at("kind"),
          .name = reference.string_at("name"),
          .uid = reference.string_at("uid"),
          .blocking = blocking != nullptr && blocking->is_bool() && blocking->as_bool()};
}

}  // namespace

OwnedMetadata read_owned_metadata(const store::Record& record, json::Arena& arena) {
  const std::size_t end = registry::places_of(record).metadata_end;
  const std::string_view text =
      std::string_view(record.bytes).substr(kHead.size(), end - kHead.size());
  const Value metadata = codec::read_json(text, arena).value;
  OwnedMetadata read;
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

std::string_view uid_of(const store::Record& record) {
  // Names, which stand before it, have no quotes.
  constexpr std::string_view kMember = R"("uid":")";
  const std::string_view bytes = record.bytes;
  const std::size_t at = bytes.find(kMember);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + kMember.size();
  return bytes.substr(begin, bytes.find('"', begin) - begin);
}

}  // namespace tabernetes::controllers
