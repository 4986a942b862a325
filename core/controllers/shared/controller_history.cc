#include "controllers/shared/controller_history.h"

#include "base/algorithm/sort.h"
#include "codec/json_writer.h"
#include "controllers/shared/template_hash.h"
#include "controllers/shared/workload.h"
#include "json/equality.h"
#include "json/fill.h"
#include "json/sort_deep.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::size_t kLongestPrefix = 223;

const registry::ResourceType& revisions_type(const ReconcileContext& cluster) {
  return built_in(cluster.registry, "apps", "v1", "controllerrevisions");
}

}  // namespace

Result<Revisions> claim_revisions(const ReconcileContext& cluster, const Owner& owner,
                                  const registry::LabelSelector& selector) {
  const registry::ResourceType& type = revisions_type(cluster);
  TAB_TRY(const std::vector<store::RecordPtr> records,
          claim_objects(cluster, owner, type, selector));
  Revisions revisions;
  for (const store::RecordPtr& record : records) {
    if (!record) continue;
    revisions.push_back({registry::read_object(type, *record, cluster.arena).clone(cluster.arena)});
  }
  sort_stable(revisions, [](const Revision& a, const Revision& b) {
    if (a.number() != b.number()) return a.number() < b.number();
    const std::string_view first = text_at(a.object, {"metadata", "creationTimestamp"});
    const std::string_view second = text_at(b.object, {"metadata", "creationTimestamp"});
    return first == second ? a.name() < b.name() : first < second;
  });
  return revisions;
}

Value revision_data(const Value& pod_template, json::Arena& arena) {
  Value copy = pod_template.clone(arena);
  copy.set(arena, "$patch", Value::string("replace"));
  Value spec = Value::object(arena);
  spec.append(arena, "template", copy);
  Value data = Value::object(arena);
  data.append(arena, "spec", spec);
  sort_deep(data);
  return data;
}

Value template_of(const Revision& revision, json::Arena& arena) {
  const Value* kept = revision.object.at({"data", "spec", "template"});
  Value copy = kept == nullptr ? Value::object(arena) : kept->clone(arena);
  copy.erase("$patch");
  return copy;
}

bool same_data(const Revision& revision, const Value& data) {
  return revision.data() != nullptr && deep_equal(*revision.data(), data);
}

std::string revision_hash(const Value& data, std::int64_t collision_count) {
  std::string text;
  codec::write_json(data, text);
  text += std::to_string(collision_count);
  // FNV-1, which is not FNV-1a.
  std::uint32_t hash = 2166136261u;
  for (const char byte : text) hash = (hash * 16777619u) ^ static_cast<unsigned char>(byte);
  return safe_encode(hash);
}

std::string revision_name(std::string_view owner, std::string_view hash) {
  return std::string(owner.substr(0, kLongestPrefix)).append("-").append(hash);
}

Result<Revision> create_revision(const ReconcileContext& cluster, const Owner& owner,
                                 const NewRevision& revision) {
  json::Arena& arena = cluster.arena;
  const registry::ResourceType& type = revisions_type(cluster);
  Value owners = Value::array(arena);
  owners.push_back(arena, new_controller_ref(owner, arena));
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string(arena.copy(revision.name)));
  metadata.append(arena, "namespace", Value::string(owner.ns()));
  metadata.append(arena, "labels", revision.labels);
  take_member(metadata, owner.metadata(), "annotations", arena);
  metadata.append(arena, "ownerReferences", owners);
  Value object = Value::object(arena);
  object.append(arena, "metadata", metadata);
  object.append(arena, "data", revision.data);
  object.append(arena, "revision", Value::integer(revision.number));
  TAB_TRY(const store::RecordPtr made,
          cluster.registry.create(cluster.context(), type, owner.ns(), object.clone(arena)));
  return Revision{registry::read_object(type, *made, arena).clone(arena)};
}

Result<Revision> renumber_revision(const ReconcileContext& cluster, const Revision& revision,
                                   std::int64_t number) {
  if (revision.number() == number) return revision;
  Value object = revision.object.clone(cluster.arena);
  object.set(cluster.arena, "revision", Value::integer(number));
  const registry::ResourceType& type = revisions_type(cluster);
  TAB_TRY(const store::RecordPtr written, update_object(cluster, type, object));
  return Revision{registry::read_object(type, *written, cluster.arena).clone(cluster.arena)};
}

Result<void> delete_revision(const ReconcileContext& cluster, const Revision& revision) {
  const registry::ObjectRef ref{&revisions_type(cluster),
                                text_at(revision.object, {"metadata", "namespace"}),
                                revision.name()};
  TAB_CHECK(cluster.registry.remove(cluster.context(), ref, {}));
  return {};
}

}  // namespace tabernetes::controllers
