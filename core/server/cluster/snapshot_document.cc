#include "server/cluster/snapshot_document.h"

#include <set>
#include <utility>
#include <vector>

#include "base/api/resource_version.h"
#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "codec/json_list.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "controllers/kubelet/behaviour_reader.h"
#include "custom/definition/definitions.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta_validation.h"
#include "registry/objects/object_record.h"
#include "server/cluster/document_object.h"

namespace tabernetes::server {
namespace {

using json::Member;
using json::Value;

constexpr std::string_view kKind = "ClusterSnapshot";
constexpr std::string_view kApiVersion = "tabernetes.dev/v1";

template <typename T>
using Read = tl::expected<T, std::string>;

tl::unexpected<std::string> wrong(std::string_view what) {
  return tl::make_unexpected(std::string(what));
}

Read<store::Revision> read_version(std::string_view text) {
  const GoParsedUint parsed = go_parse_uint(text);
  if (!parsed.error.empty()) return wrong("resourceVersion: " + parsed.error);
  // Accepts only the canonical form of the number.
  if (!is_resource_version(text)) return wrong(std::string(kNoResourceVersion).append(text));
  return parsed.value;
}

// Reads and checks the objects of a document one by one.
class ObjectsReader {
 public:
  ObjectsReader(registry::Definitions::TablePtr resources, store::Revision newest)
      : resources_(std::move(resources)), newest_(newest) {}

  // Returns what is wrong with the object, or an empty text.
  std::string add(std::string_view text) {
    arena_.clear();
    const codec::JsonRead read = codec::read_json(text, arena_);
    return read.ok() ? add_object(read.value) : read.error;
  }
  std::string add(const Value& raw) {
    arena_.clear();
    return add_object(raw);
  }

  store::Tree tree() const { return tree_.tree(); }

 private:
  std::string add_object(const Value& raw) {
    const auto object = read_document_object(*resources_, raw, arena_);
    if (!object) return object.error().message;
    const Value* metadata = object->value.find("metadata");
    if (metadata == nullptr) return "metadata: Required value";
    if (std::string error = check_metadata(*metadata, *object->type); !error.empty()) return error;

    const auto version = read_version(metadata->string_at("resourceVersion"));
    if (!version) return "metadata." + version.error();
    if (*version > newest_) return "metadata.resourceVersion is newer than the cluster";
    // Fast path: versions mostly arrive in order.
    const std::size_t before = versions_.size();
    versions_.insert(versions_.end(), *version);
    if (versions_.size() == before) return "another object has its resourceVersion";

    const std::string_view ns = metadata->string_at("namespace");
    std::string key = object->type->key(ns, metadata->string_at("name"));
    if (tree_.find(key)) return "it is there twice";
    std::shared_ptr<store::Record> record = registry::make_record(
        registry::encode_for_storage(*object->type, object->value,
                                     registry::VersionMember::kPresent, arena_),
        *version);
    if (registry::custom::is_definition(*object->type)) {
      resources_ = registry::custom::definitions().after_write(
          resources_, *object->type, metadata->string_at("name"), record.get());
    }
    record->key = std::move(key);
    tree_.put(std::move(record));
    return {};
  }

  // Checks the metadata that keys and answers depend on.
  static std::string check_metadata(const Value& metadata, const registry::ResourceType& type) {
    if (metadata.string_at("uid").empty()) return "metadata.uid: Required value";
    if (metadata.string_at("creationTimestamp").empty()) {
      return "metadata.creationTimestamp: Required value";
    }
    return field::aggregate(registry::validate_object_meta(metadata, registry::meta_rules(type)));
  }

  registry::Definitions::TablePtr resources_;  // those defined so far
  store::Revision newest_;
  json::Arena arena_;  // of the current object
  store::TreeWriter tree_;
  std::set<store::Revision> versions_;
};

// `objects` are texts or trees.
template <typename Objects>
Read<store::Tree> read_objects(registry::Definitions::TablePtr built_in, const Objects& objects,
                               store::Revision newest) {
  ObjectsReader reader(std::move(built_in), newest);
  std::size_t number = 0;
  for (const auto& object : objects) {
    if (const std::string error = reader.add(object); !error.empty()) {
      return wrong("objects[" + std::to_string(number) + "]: " + error);
    }
    ++number;
  }
  return reader.tree();
}

// Checks that every member is known and occurs once.
std::string check_members(const Value& document) {
  if (!document.is_object()) return "the document is no object";
  if (document.string_at("kind") != kKind || document.string_at("apiVersion") != kApiVersion) {
    return "the document is no " + std::string(kKind) + " of " + std::string(kApiVersion);
  }
  std::set<std::string_view> seen;
  for (const Member& member : document.members()) {
    const bool known = member.key == "kind" || member.key == "apiVersion" ||
                       member.key == "resourceVersion" || member.key == "clock" ||
                       member.key == "random" || member.key == "behaviour" ||
                       member.key == "objects";
    if (!known) return "unknown field \"" + std::string(member.key) + "\"";
    if (!seen.insert(member.key).second) {
      return "duplicate field \"" + std::string(member.key) + "\"";
    }
  }
  return {};
}

Read<std::optional<std::uint64_t>> read_random(const Value& document) {
  if (document.find("random") == nullptr) return std::nullopt;
  const GoParsedUint parsed = go_parse_uint(document.string_at("random"));
  if (!parsed.error.empty()) return wrong("random: " + parsed.error);
  return parsed.value;
}

Read<std::shared_ptr<const controllers::kubelet::BehaviourRules>> read_rules(
    const Value& document) {
  const Value* rules = document.find("behaviour");
  if (rules == nullptr) return nullptr;
  if (!rules->is_array()) return wrong("behaviour is no array");
  auto read = controllers::kubelet::read_behaviour(codec::json_text(*rules));
  if (!read) return wrong("behaviour: " + read.fault().message);
  return std::move((*read).rules);
}

// `texts` are the objects if they are not in the document.
Read<SavedCluster> read_parts(registry::Definitions::TablePtr built_in, std::string_view document,
                              const std::vector<std::string_view>* texts) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(document, arena);
  if (!read.ok()) return wrong(read.error);
  if (std::string error = check_members(read.value); !error.empty()) return wrong(error);

  const auto version = read_version(read.value.string_at("resourceVersion"));
  if (!version) return wrong(version.error());
  const auto clock = parse_rfc3339(read.value.string_at("clock"));
  if (!clock) return wrong("clock is no time");
  const auto random = read_random(read.value);
  if (!random) return wrong(random.error());
  auto rules = read_rules(read.value);
  if (!rules) return wrong(rules.error());
  const Value* objects = read.value.find("objects");
  if (objects == nullptr || !objects->is_array()) return wrong("objects is no array");
  auto tree = texts != nullptr ? read_objects(std::move(built_in), *texts, *version)
                               : read_objects(std::move(built_in), objects->items(), *version);
  if (!tree) return wrong(tree.error());
  return SavedCluster{{std::move(*tree), *version}, *clock, *random, *std::move(rules)};
}

}  // namespace

Rope write_snapshot(const registry::ResourceTable& resources, const SavedCluster& cluster) {
  std::string head;
  head.append("{\"kind\":\"").append(kKind).append("\",\"apiVersion\":\"").append(kApiVersion);
  head.append("\",\n\"resourceVersion\":\"").append(std::to_string(cluster.objects.revision));
  head.append("\",\n\"clock\":\"").append(format_rfc3339_micro(cluster.now));
  if (cluster.random) head.append("\",\n\"random\":\"").append(std::to_string(*cluster.random));
  head += '"';
  if (cluster.behaviour && cluster.behaviour->document() != "[]") {
    head.append(",\n\"behaviour\":").append(cluster.behaviour->document());
  }
  head.append(",\n\"objects\":[");
  Rope rope(std::move(head));
  bool first = true;
  for (const registry::ResourceType* each : resources.all()) {
    const registry::ResourceType& type = *each;
    if (!type.stores()) continue;  // served, but stored as another version
    const std::string prefix = type.collection_prefix({});
    cluster.objects.tree.scan(prefix, store::prefix_end(prefix),
                              [&](std::string_view, const store::RecordPtr& record) {
                                rope.append_static(first ? "\n" : ",\n");
                                registry::append_object(rope, type, record);
                                first = false;
                                return true;
                              });
  }
  rope.append_static("\n]}\n");
  return rope;
}

tl::expected<SavedCluster, std::string> read_snapshot(
    std::shared_ptr<const registry::ResourceTable> built_in, std::string_view document) {
  // Avoids a tree of the whole, several times the size of the text. On an error the whole is parsed
  // after all, so that the error reported is the first one in the text.
  if (const auto parts = codec::split_json_array(document, "objects")) {
    if (auto saved = read_parts(built_in, parts->frame, &parts->items)) return saved;
  }
  return read_parts(std::move(built_in), document, nullptr);
}

}  // namespace tabernetes::server
