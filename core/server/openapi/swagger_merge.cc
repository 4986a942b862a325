#include "server/openapi/swagger_merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::server {
namespace {

using json::Arena;
using json::Member;
using json::Value;

constexpr std::string_view kDefinitionRef = "#/definitions/", kParameterRef = "#/parameters/";
constexpr std::string_view kKinds = "x-kubernetes-group-version-kind";

using Names = std::set<std::string_view>;
using Renames = std::map<std::string_view, std::string_view>;

// Calls `visit` with the value of each "$ref" below `root`.
template <typename Visit>
void each_reference(Value& root, const Visit& visit) {
  std::vector<Value*> open{&root};
  while (!open.empty()) {
    Value& value = *open.back();
    open.pop_back();
    if (value.is_array()) {
      for (Value& item : value.items()) open.push_back(&item);
    }
    if (!value.is_object()) continue;
    for (Member& member : value.members()) {
      if (member.key == "$ref" && member.value.is_string()) {
        visit(member.value);
      } else if (member.value.is_object() || member.value.is_array()) {
        open.push_back(&member.value);
      }
    }
  }
}

// Returns what a reference names; empty if it begins otherwise.
std::string_view named_by(const Value& reference, std::string_view prefix) {
  const std::string_view text = reference.as_string();
  return text.starts_with(prefix) ? text.substr(prefix.size()) : std::string_view();
}

// Returns the definitions that the paths need.
Names used_definitions(const Value& swagger) {
  Names definitions, parameters;
  std::vector<Value*> open;
  const auto reach = [&](Names& known, std::string_view list, std::string_view name) {
    if (name.empty() || !known.insert(name).second) return;
    const Value* all = swagger.find(list);
    if (Value* one = all == nullptr ? nullptr : all->find(name)) open.push_back(one);
  };
  if (Value* paths = swagger.find("paths")) open.push_back(paths);
  while (!open.empty()) {
    Value& root = *open.back();
    open.pop_back();
    each_reference(root, [&](const Value& reference) {
      reach(definitions, "definitions", named_by(reference, kDefinitionRef));
      reach(parameters, "parameters", named_by(reference, kParameterRef));
    });
  }
  return definitions;
}

// Removes the paths for which `is_kept` does not hold, and the definitions that only they need.
template <typename IsKept>
void keep_paths(Value& swagger, const IsKept& is_kept, Arena& arena) {
  const Names before = used_definitions(swagger);
  Value kept = Value::object(arena);
  for (const Member& path : members_at(swagger, {"paths"})) {
    if (path.key.starts_with("x-") || is_kept(path.key)) kept.append(arena, path.key, path.value);
  }
  swagger.set(arena, "paths", kept);
  if (object_in(swagger, "definitions") == nullptr) return;
  const Names after = used_definitions(swagger);
  Value definitions = Value::object(arena);
  for (const Member& each : members_at(swagger, {"definitions"})) {
    if (after.count(each.key) > 0 || before.count(each.key) == 0) {
      definitions.append(arena, each.key, each.value);
    }
  }
  swagger.set(arena, "definitions", definitions);
}

Value without_kinds(const Value& definition, Arena& arena) {
  if (definition.find(kKinds) == nullptr) return definition;
  Value copy = definition.shallow_copy(arena);
  copy.erase(kKinds);
  return copy;
}

bool same_definition(const Value& a, const Value& b, Arena& arena) {
  if (!a.is_object() || !b.is_object()) return deep_equal(a, b);
  return deep_equal(without_kinds(a, arena), without_kinds(b, arena));
}

bool same_parameter(const Value& a, const Value& b, Arena&) { return deep_equal(a, b); }

// Returns new names for the members of `from` whose names have another content in `to`.
template <typename Same>
Renames renames_of(const Value& to, const Value& from, const Same& same, Arena& arena) {
  Renames renames;
  Names taken;
  for (const Member& each : from.members()) {
    const Value* existing = to.find(each.key);
    if (existing == nullptr || same(*existing, each.value, arena)) continue;
    for (int i = 2;; ++i) {
      const std::string_view name = arena.copy(std::string(each.key) + "_v" + std::to_string(i));
      const Value* other = to.find(name);
      const bool equal = other != nullptr && same(*other, each.value, arena);
      const bool free = other == nullptr && from.find(name) == nullptr && taken.count(name) == 0;
      if (!equal && !free) continue;
      renames[each.key] = name;
      taken.insert(name);
      break;
    }
  }
  return renames;
}

void rename(Value& swagger, std::string_view list, const Renames& renames, std::string_view prefix,
            Arena& arena) {
  if (renames.empty()) return;
  each_reference(swagger, [&](Value& reference) {
    const auto found = renames.find(named_by(reference, prefix));
    if (found == renames.end()) return;
    reference = Value::string(arena.copy(std::string(prefix) + std::string(found->second)));
  });
  for (Member& each : members_at(swagger, {list})) {
    const auto found = renames.find(each.key);
    if (found != renames.end()) each.key = found->second;
  }
  // The index of the names is made anew.
  Value renamed = Value::object(arena);
  for (const Member& each : members_at(swagger, {list})) {
    renamed.append(arena, each.key, each.value);
  }
  swagger.set(arena, list, renamed);
}

std::string key_of_kind(const Value& kind) {
  return std::string(kind.string_at("group")) + "/" + std::string(kind.string_at("version")) + "." +
         std::string(kind.string_at("kind"));
}

// Adds the group version kinds of `from` to those of `to`, sorted if there are new ones.
void add_kinds(Value& to, const Value& from, Arena& arena) {
  const Value* theirs = from.find(kKinds);
  if (theirs == nullptr || !theirs->is_array()) return;
  Value* ours = to.find(kKinds);
  if (ours == nullptr) return to.set(arena, kKinds, *theirs);
  if (!ours->is_array()) return;
  std::map<std::string, Value> all;
  for (const Value& kind : ours->items()) all.emplace(key_of_kind(kind), kind);
  const std::size_t before = all.size();
  for (const Value& kind : theirs->items()) all.emplace(key_of_kind(kind), kind);
  if (all.size() == before) return;
  Value sorted = Value::array(arena);
  for (const auto& [key, kind] : all) sorted.push_back(arena, kind);
  to.set(arena, kKinds, sorted);
}

// Adds members that are not there yet.
void add_new(Value& to, const Value& from, Arena& arena) {
  for (const Member& each : from.members()) {
    if (to.find(each.key) == nullptr) to.append(arena, each.key, each.value);
  }
}

// Merges what the documents have in a list by name: definitions or parameters. `prefix`: of
// references to it.
template <typename Same>
void merge_named(Value& all, Value& source, std::string_view list, std::string_view prefix,
                 const Same& same, Arena& arena) {
  if (object_in(source, list) == nullptr) return;
  Value& ours = object_or_new(all, list, arena);
  rename(source, list, renames_of(ours, *source.find(list), same, arena), prefix, arena);
  const Value& theirs = *source.find(list);
  for (const Member& each : theirs.members()) {
    Value* const existing = ours.find(each.key);
    if (existing != nullptr && existing->is_object()) add_kinds(*existing, each.value, arena);
  }
  add_new(ours, theirs, arena);
}

void merge_into(Value& all, Value& source, Arena& arena) {
  if (object_in(source, "paths") == nullptr) return;
  const Value& paths = object_or_new(all, "paths", arena);
  keep_paths(
      source, [&](std::string_view path) { return paths.find(path) == nullptr; }, arena);
  if (source.find("paths")->size() == 0) return;
  merge_named(all, source, "definitions", kDefinitionRef, same_definition, arena);
  merge_named(all, source, "parameters", kParameterRef, same_parameter, arena);
  add_new(*all.find("paths"), *source.find("paths"), arena);
}

}  // namespace

std::string swagger_under(std::string_view text, std::string_view prefix) {
  Arena arena;
  codec::JsonRead read = codec::read_json(text, arena);
  if (!read.ok() || !read.value.is_object()) return {};
  if (object_in(read.value, "paths") != nullptr) {
    keep_paths(
        read.value, [&](std::string_view path) { return path.starts_with(prefix); }, arena);
  }
  return codec::json_text(read.value);
}

std::string merge_swagger(std::string_view base, const std::vector<std::string_view>& others) {
  Arena arena;
  Value all = codec::read_json(base, arena).value;
  for (const std::string_view text : others) {
    codec::JsonRead read = codec::read_json(text, arena);
    if (read.ok() && read.value.is_object()) merge_into(all, read.value, arena);
  }
  for (const std::string_view list : {"paths", "definitions", "parameters"}) {
    if (Value* members = object_in(all, list)) members->sort_members();
  }
  return codec::json_text(all);
}

}  // namespace tabernetes::server
