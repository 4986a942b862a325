// The ControllerRevisions in which StatefulSets and DaemonSets keep the pod templates that they
// had. Source: upstream 1.36 pkg/controller/history.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/shared/controller_ref.h"
#include "json/access.h"

namespace tabernetes::controllers {

struct Revision {
  json::Value object;

  std::string_view name() const { return text_at(object, {"metadata", "name"}); }
  std::int64_t number() const { return number_at(object, {"revision"}); }
  const json::Value* data() const { return object.find("data"); }
  std::string_view label(std::string_view key) const {
    return text_at(object, {"metadata", "labels", key});
  }
};
using Revisions = std::vector<Revision>;

// Returns the owner's revisions, adopted ones included, by number. Errors: those of adoption.
Result<Revisions> claim_revisions(const ReconcileContext& cluster, const Owner& owner,
                                  const registry::LabelSelector& selector);

// Returns what a revision keeps of a workload: a patch that sets its template.
json::Value revision_data(const json::Value& pod_template, json::Arena& arena);
// Returns the template that a revision keeps.
json::Value template_of(const Revision& revision, json::Arena& arena);
bool same_data(const Revision& revision, const json::Value& data);

// Returns the hash by which StatefulSets name a revision.
std::string revision_hash(const json::Value& data, std::int64_t collision_count);
std::string revision_name(std::string_view owner, std::string_view hash);

// A revision to be created.
struct NewRevision {
  std::string name;
  json::Value labels, data;
  std::int64_t number = 1;
};
// Errors: 409 if there is one of that name; others of the registry.
Result<Revision> create_revision(const ReconcileContext& cluster, const Owner& owner,
                                 const NewRevision& revision);
// Returns the revision with another number.
Result<Revision> renumber_revision(const ReconcileContext& cluster, const Revision& revision,
                                   std::int64_t number);
Result<void> delete_revision(const ReconcileContext& cluster, const Revision& revision);

// Returns the number of a new revision. REQUIRES: they are sorted by number.
inline std::int64_t next_revision(const Revisions& revisions) {
  return revisions.empty() ? 1 : revisions.back().number() + 1;
}

}  // namespace tabernetes::controllers
