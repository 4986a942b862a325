#include "patch/field_manager.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "json/equality.h"
#include "patch/first_fields.h"
#include "patch/last_applied.h"
#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;
using Operation = ManagedFieldsEntry::Operation;

constexpr std::size_t kMostUpdaters = 10;
constexpr std::string_view kAncientChanges = "ancient-changes";
constexpr std::string_view kBeforeFirstApply = "before-first-apply";

// The fields that the server itself sets on every write, which have no owner.
const FieldSet& unowned_fields() {
  static const FieldSet set = [] {
    FieldSet unowned;
    for (const std::string_view name : {"apiVersion", "kind", "metadata"}) {
      unowned.insert({PathElement::field(name)});
    }
    for (const std::string_view name :
         {"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation",
          "managedFields", "resourceVersion"}) {
      unowned.insert({PathElement::field("metadata"), PathElement::field(name)});
    }
    return unowned;
  }();
  return set;
}

// The fields that a write adds or modifies, and those that it removes.
struct Changes {
  FieldSet set, removed;
};

Changes changes_of(Comparison comparison, const ResetFields& reset) {
  comparison.added.unite(comparison.modified);
  return {reset.outside(std::move(comparison.added)), reset.outside(std::move(comparison.removed))};
}

// The differences between two objects, computed on demand for each version.
class Differences {
 public:
  Differences(const ObjectVersions& versions, const Value& left, const Value& right,
              const ResetFields& reset, Arena& arena)
      : versions_(versions), left_(left), right_(right), reset_(reset), arena_(arena) {}

  // Returns null if there is no such version.
  const Changes* in(const std::string& api_version) {
    const auto known = by_version_.find(api_version);
    if (known != by_version_.end()) return &known->second;
    const auto shape = versions_.shape(api_version);
    if (!shape) return nullptr;
    Comparison comparison = compare_typed(*shape, versions_.convert(left_, api_version, arena_),
                                          versions_.convert(right_, api_version, arena_));
    return &by_version_.emplace(api_version, changes_of(std::move(comparison), reset_))
                .first->second;
  }

  // Moves the changes out, for the last use. REQUIRES: the version exists.
  Changes take(const std::string& api_version) {
    (void)in(api_version);
    return std::move(by_version_.at(api_version));
  }

 private:
  const ObjectVersions& versions_;
  const Value &left_, &right_;
  const ResetFields& reset_;
  Arena& arena_;
  std::map<std::string, Changes> by_version_;
};

// Entries by identity, which is their order in messages.
using Entries = std::map<std::string, ManagedFieldsEntry>;

// Indexes the entries of known versions, adapted to the present schema.
Entries by_identity(const ObjectVersions& versions, ManagedFields list) {
  Entries entries;
  for (ManagedFieldsEntry& entry : list) {
    const auto shape = versions.shape(entry.api_version);
    if (!shape) continue;
    if (entry.unread.is_null()) entry.fields = reconciled(*shape, std::move(entry.fields));
    std::string identity = entry.identity();
    entries.insert_or_assign(std::move(identity), std::move(entry));
  }
  return entries;
}

// Returns the problem with the versions of the entries, or an empty text.
std::string problem_of_versions(const ObjectVersions& versions, const ManagedFields& list) {
  for (const ManagedFieldsEntry& entry : list) {
    if (versions.shape(entry.api_version)) continue;
    std::string problem = versions.problem_of_unknown(entry.api_version);
    if (!problem.empty()) return problem;
  }
  return {};
}

ManagedFields list_of(Entries&& entries) {
  ManagedFields list;
  for (auto& [identity, entry] : entries) {
    if (!entry.owns_nothing()) list.push_back(std::move(entry));
  }
  return list;
}

Time whole_seconds(Time time) { return Time::from_unix_milliseconds(time.unix_seconds() * 1000); }

ManagedFieldsEntry entry_of(const Writer& writer, Operation operation) {
  ManagedFieldsEntry entry;
  entry.manager = writer.manager.empty() ? "unknown" : writer.manager;
  entry.operation = operation;
  entry.api_version = writer.api_version;
  entry.subresource = writer.subresource;
  return entry;
}

// Returns the identities of Update entries, the oldest first.
std::vector<std::string> updaters_of(const Entries& entries) {
  std::vector<std::string> updaters;
  for (const auto& [identity, entry] : entries) {
    if (entry.operation == Operation::kUpdate) updaters.push_back(identity);
  }
  sort_stable(updaters, [&](const std::string& a, const std::string& b) {
    return entries.at(a).seconds() < entries.at(b).seconds();
  });
  return updaters;
}

// Merges the oldest Update entries beyond kMostUpdaters into one entry for each version.
void cap_updaters(Entries& entries) {
  const std::vector<std::string> updaters = updaters_of(entries);
  std::size_t count = updaters.size();
  if (count > kMostUpdaters) {
    for (auto& [identity, entry] : entries) entry.read();
  }
  std::map<std::string, std::string> first;  // for each version, the identity of its oldest entry
  for (const std::string& identity : updaters) {
    if (count <= kMostUpdaters) return;
    const ManagedFieldsEntry entry = entries.at(identity);
    const auto [oldest, is_first] = first.emplace(entry.api_version, identity);
    if (is_first) continue;
    ManagedFieldsEntry bucket;
    bucket.manager = kAncientChanges;
    bucket.api_version = entry.api_version;
    const std::string place = bucket.identity();
    if (entries.count(place) == 0) {
      const auto renamed = entries.find(oldest->second);
      bucket.fields = std::move(renamed->second.fields);
      entries.erase(renamed);
      entries.emplace(place, std::move(bucket));
    }
    ManagedFieldsEntry& ancient = entries.at(place);
    ancient.fields.unite(entry.fields);
    ancient.time = entry.time;
    entries.erase(identity);
    --count;
  }
}

// Removes the changed fields from all entries except `but`.
void take_changed(Entries& entries, Differences& differences, std::string_view but = {}) {
  for (auto& [identity, entry] : entries) {
    if (identity == but || !entry.unread.is_null()) continue;
    const Changes* changes = differences.in(entry.api_version);
    entry.fields.subtract(changes->set);
    entry.fields.subtract(changes->removed);
  }
}

// Prunes from `merged` the fields that the manager's last apply owned, that its configuration no
// longer contains, and that no other manager owns.
class Pruner {
 public:
  // `now` is the applier's new entry in `entries`.
  Pruner(const ObjectVersions& versions, const Entries& entries, const ManagedFieldsEntry& last,
         const ManagedFieldsEntry& now, Arena& arena)
      : versions_(versions), entries_(entries), last_(last), now_(now), arena_(arena) {}

  Value run(const Value& merged) {
    if (gives_nothing_up() || !versions_.shape(last_.api_version)) return merged;
    Value pruned = without_last(merged);
    pruned = with_owned(merged, pruned, last_.api_version);
    for (const std::string& version : versions()) pruned = with_owned(merged, pruned, version);
    return with_others_work(merged, pruned);
  }

 private:
  bool gives_nothing_up() const {
    return last_.api_version == now_.api_version ? now_.fields.includes(last_.fields)
                                                 : last_.fields.empty();
  }

  struct View {
    Shape shape;
    Value object;
    FieldSet named;  // its fields
  };

  View view(const Value& object, const std::string& version) const {
    View view{*versions_.shape(version), versions_.convert(object, version, arena_), {}};
    view.named = with_named_fields(view.shape, field_set_of(view.shape, view.object));
    return view;
  }

  std::vector<std::string> versions() const {
    std::vector<std::string> others;
    for (const auto& [identity, entry] : entries_) {
      if (entry.api_version != last_.api_version &&
          std::find(others.begin(), others.end(), entry.api_version) == others.end()) {
        others.push_back(entry.api_version);
      }
    }
    return others;
  }

  Value without_last(const Value& merged) const {
    const View in_last = view(merged, last_.api_version);
    return without_fields(in_last.shape, in_last.object,
                          with_named_fields(in_last.shape, last_.fields), arena_);
  }

  // Restores the fields that any manager owns in this version.
  Value with_owned(const Value& merged, const Value& pruned, const std::string& version) const {
    FieldSet owned;
    for (const auto& [identity, entry] : entries_) {
      if (entry.api_version == version) owned.unite(entry.fields);
    }
    const View all = view(merged, version);
    const FieldSet kept = view(pruned, version).named.united(with_named_fields(all.shape, owned));
    return without_fields(all.shape, all.object, all.named.without(kept), arena_);
  }

  // Restores everything that the applier did not own.
  Value with_others_work(const Value& merged, const Value& pruned) const {
    const View all = view(merged, last_.api_version);
    const FieldSet gone = all.named.without(view(pruned, last_.api_version).named);
    return without_fields(all.shape, all.object,
                          gone.intersected(with_named_fields(all.shape, last_.fields)), arena_);
  }

  const ObjectVersions& versions_;
  const Entries& entries_;
  const ManagedFieldsEntry &last_, &now_;
  Arena& arena_;
};

std::string shown_manager(const ManagedFieldsEntry& entry) {
  std::string text = go_quote(entry.manager);
  if (!entry.subresource.empty()) text += " with subresource " + go_quote(entry.subresource);
  if (entry.operation == Operation::kUpdate) text += " using " + entry.api_version;
  return text;
}

Failure conflict_status(const std::vector<Conflict>& conflicts) {
  ApiStatus status;
  status.code = 409;
  status.reason = "Conflict";
  status.details.emplace();
  std::string lines;
  for (const Conflict& conflict : conflicts) {
    lines += "\nconflicts with " + shown_manager(conflict.owner) + ":";
    conflict.fields.for_each([&](const Path& path) {
      const std::string field = path_text(path);
      lines += "\n- " + field;
      status.details->causes.push_back({"FieldManagerConflict", conflict.message(), field});
    });
  }
  const std::vector<StatusCause>& causes = status.details->causes;
  status.message =
      causes.size() == 1
          ? "Apply failed with 1 conflict: " + causes[0].message + ": " + causes[0].field
          : "Apply failed with " + std::to_string(causes.size()) +
                " conflicts:" + (lines.empty() ? "" : " ") + lines.substr(1);
  return status;
}

// Returns group, version and kind: "apps/v1, Kind=Deployment", "/v1, Kind=Pod".
std::string kind_text(const Value& object) {
  const std::string version(object.string_at("apiVersion"));
  return (version.find('/') == std::string::npos ? "/" : "") + version +
         ", Kind=" + std::string(object.string_at("kind"));
}

// Returns whether Go can decode the list as entries, valid or not; otherwise it ignores it.
bool is_list_of_entries(const Value& list) {
  const auto is_entry = [](const Value& entry) {
    return entry.is_object() &&
           std::all_of(entry.members().begin(), entry.members().end(), [](const json::Member& m) {
             const bool is_time = m.key == "time";
             const bool is_text = m.key == "manager" || m.key == "operation" ||
                                  m.key == "apiVersion" || m.key == "fieldsType" ||
                                  m.key == "subresource";
             if (!(is_time || is_text) || m.value.is_null()) return true;
             return m.value.is_string() && (is_text || parse_rfc3339(m.value.as_string()));
           });
  };
  return list.is_array() && std::all_of(list.items().begin(), list.items().end(), is_entry);
}

Result<void> check_kind(const Value& config, const Writer& writer) {
  if (config.string_at("apiVersion") != writer.api_version ||
      config.string_at("kind") != writer.kind) {
    return errors::bad_request("invalid object type: " + kind_text(config));
  }
  const Value* managed = config.at({"metadata", "managedFields"});
  if (managed != nullptr && is_list_of_entries(*managed)) {
    return errors::bad_request("metadata.managedFields must be nil");
  }
  return {};
}

// Returns "default/web; apps/v1, Kind=Deployment".
std::string name_text(const Value& config) {
  const Value* metadata = config.find("metadata");
  const auto text_at = [&](std::string_view name) {
    return std::string(metadata == nullptr ? "" : metadata->string_at(name));
  };
  return text_at("namespace") + "/" + text_at("name") + "; " + kind_text(config);
}

Result<void> check_configuration(const Shape& shape, const Value& config) {
  const std::string problem = validate_typed(shape, config, Duplicates::kRefused);
  if (problem.empty()) return {};
  return errors::plain_error("failed to create typed patch object (" + name_text(config) +
                             "): " + problem);
}

std::vector<Conflict> conflicts_of(const Entries& entries, const std::string& applier,
                                   Differences& differences) {
  std::vector<Conflict> conflicts;
  for (const auto& [identity, entry] : entries) {
    if (identity == applier) continue;
    FieldSet fields = entry.fields.intersected(differences.in(entry.api_version)->set);
    if (!fields.empty()) conflicts.push_back({entry, std::move(fields)});
  }
  return conflicts;
}

// kubectl may take over fields that it wrote itself, as its annotation shows.
void waive_last_applied(std::vector<Conflict>& conflicts, const FieldSet& waived) {
  for (Conflict& conflict : conflicts) conflict.fields.subtract(waived);
  conflicts.erase(std::remove_if(conflicts.begin(), conflicts.end(),
                                 [](const Conflict& c) { return c.fields.empty(); }),
                  conflicts.end());
}

}  // namespace

std::string unreadable_result(const Value& config, std::string_view error) {
  return "failed to convert new object (" + name_text(config) +
         ") to proper version: unable to convert unstructured object to " + kind_text(config) +
         ": " + std::string(error);
}

std::string Conflict::message() const { return "conflict with " + shown_manager(owner); }

ManagedFields entries_before_update(const Value* sent, const ManagedFields& live) {
  if (sent == nullptr || !sent->is_array()) return live;
  const bool reset = sent->size() == 0 || (sent->size() == 1 && sent->items()[0].is_object() &&
                                           sent->items()[0].size() == 0);
  if (reset) return {};
  return read_managed_fields(*sent).value_or(live);
}

ManagedFields update_managed_fields(const ObjectVersions& versions, const Value& live,
                                    const Value& next, ManagedFields list, const Writer& writer,
                                    Arena& arena) {
  if (!problem_of_versions(versions, list).empty()) return {};
  Entries entries = by_identity(versions, std::move(list));
  Differences differences(versions, live, next, writer.reset, arena);
  take_changed(entries, differences);
  ManagedFieldsEntry own = entry_of(writer, Operation::kUpdate);
  own.fields = differences.take(writer.api_version).set;
  own.fields.subtract(unowned_fields());
  if (!own.fields.empty()) {
    const std::string identity = own.identity();
    if (const auto before = entries.find(identity); before != entries.end()) {
      before->second.read();
      own.fields = before->second.fields.united(own.fields);
      own.kept = before->second.kept;
    }
    own.time = whole_seconds(writer.now);
    entries.insert_or_assign(identity, std::move(own));
  }
  std::erase_if(entries, [](const auto& entry) { return entry.second.owns_nothing(); });
  cap_updaters(entries);
  return list_of(std::move(entries));
}

Value first_managed_fields(const ObjectVersions& versions, const Value& zero, const Value& object,
                           const Writer& writer, Arena& arena) {
  const Value fields = first_fields(*versions.shape(writer.api_version), zero,
                                    versions.convert(object, writer.api_version, arena),
                                    writer.reset, unowned_fields(), arena);
  if (fields.size() == 0) return Value::null();
  ManagedFieldsEntry own = entry_of(writer, Operation::kUpdate);
  own.time = whole_seconds(writer.now);
  Value list = Value::array(arena);
  list.push_back(arena, write_managed_entry(own, fields, arena));
  return list;
}

Result<Applied> apply_configuration(const ObjectVersions& versions, const Value& live,
                                    const Value& config, ManagedFields list, const Writer& writer,
                                    bool force, Arena& arena, std::vector<Conflict>* found) {
  TAB_CHECK(check_kind(config, writer));
  const Shape shape = *versions.shape(writer.api_version);
  if (list.empty()) {
    Writer before = writer;
    before.manager = kBeforeFirstApply;
    list = update_managed_fields(versions, versions.zero(writer.api_version, arena), live, {},
                                 before, arena);
  }
  TAB_CHECK(check_configuration(shape, config));
  if (const std::string problem = problem_of_versions(versions, list); !problem.empty()) {
    return errors::plain_error(problem);
  }
  Entries entries = by_identity(versions, std::move(list));
  const Value merged = merge_typed(shape, live, config, arena);

  ManagedFieldsEntry own = entry_of(writer, Operation::kApply);
  own.fields = writer.reset.outside(field_set_of(shape, config));
  const std::string identity = own.identity();
  ManagedFieldsEntry last;
  if (const auto before = entries.find(identity); before != entries.end()) {
    last = before->second;
    own.time = last.time;
  }
  entries.insert_or_assign(identity, own);
  const Value pruned = versions.convert(Pruner(versions, entries, last, own, arena).run(merged),
                                        writer.api_version, arena);

  Differences differences(versions, live, pruned, writer.reset, arena);
  std::vector<Conflict> conflicts = conflicts_of(entries, identity, differences);
  if (!conflicts.empty() && writer.manager == kKubectl) {
    waive_last_applied(conflicts,
                       fields_of_last_applied(versions, live, writer.api_version, arena));
  }
  if (!conflicts.empty() && !force) {
    Failure failure = conflict_status(conflicts);
    if (found != nullptr) *found = std::move(conflicts);
    return failure;
  }
  take_changed(entries, differences, identity);
  Applied applied{pruned, !json::deep_equal(live, pruned), {}};
  ManagedFieldsEntry& mine = entries.at(identity);
  mine.fields.subtract(unowned_fields());
  if (mine.fields == last.fields) {
    mine.fields = last.fields;
    mine.kept = last.kept;
  }
  if (applied.changed) {
    mine.time = whole_seconds(writer.now);
  } else {
    applied.object = live;
  }
  if (writer.manager == kKubectl) {
    applied.object = with_last_applied(applied.object, config, arena);
  }
  applied.managed = list_of(std::move(entries));
  return applied;
}

}  // namespace tabernetes::patch
