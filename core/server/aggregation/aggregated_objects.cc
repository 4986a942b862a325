#include "server/aggregation/aggregated_objects.h"

#include <algorithm>
#include <utility>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "controllers/garbage/owned_metadata.h"
#include "json/access.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr Duration kFirstListRetry = Duration::from_seconds(1);
constexpr int kMostListDoublings = 5;  // half a minute
constexpr std::size_t kLongestEvent = std::size_t{16} << 20;
constexpr std::string_view kWatchAccept =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

bool is_watched(const controllers::AggregatedResource& resource) {
  return resource.has_verb("delete") && resource.has_verb("list") && resource.has_verb("watch");
}

using Dependents = std::map<std::string, std::set<std::string>, std::less<>>;

void drop(Dependents& dependents, const std::string& owner, const std::string& uid) {
  const auto found = dependents.find(owner);
  if (found == dependents.end()) return;
  found->second.erase(uid);
  if (found->second.empty()) dependents.erase(found);
}

}  // namespace

void AggregatedObjects::watch(const std::vector<Resource>& resources,
                              const std::vector<std::string>& kept) {
  std::set<std::string> wanted;
  for (const Resource& resource : resources) {
    if (is_watched(resource)) wanted.insert(resource.path());
  }
  for (auto at = collections_.begin(); at != collections_.end();) {
    const Resource& resource = at->second.resource;
    const bool stays =
        wanted.count(at->first) > 0 ||
        std::find(kept.begin(), kept.end(), resource.group + "/" + resource.version) != kept.end();
    if (stays) {
      ++at;
      continue;
    }
    const std::string path = at->first;
    at = collections_.erase(at);
    forget(path);
  }
  for (const Resource& resource : resources) {
    if (!is_watched(resource)) continue;
    const std::string path = resource.path();
    const auto [found, fresh] = collections_.try_emplace(path);
    found->second.resource = resource;
    if (fresh) list(path, found->second);
  }
}

const AggregatedObjects::Object* AggregatedObjects::find(std::string_view uid) const {
  const auto found = known_.find(uid);
  return found == known_.end() ? nullptr : &found->second.object;
}

std::vector<std::string> AggregatedObjects::dependents(std::string_view owner) const {
  const auto found = dependents_.find(owner);
  if (found == dependents_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::optional<std::int64_t> AggregatedObjects::count(std::string_view resource,
                                                     std::string_view ns) const {
  for (const auto& [path, collection] : collections_) {
    const Resource& its = collection.resource;
    if (!its.namespaced || !its.has_verb("create") || collection.events == nullptr) continue;
    if (its.plural + "." + its.group != resource) continue;
    return std::count_if(known_.begin(), known_.end(), [&path = path, ns](const auto& each) {
      return each.second.collection == path && each.second.object.ns == ns;
    });
  }
  return std::nullopt;
}

void AggregatedObjects::owner_gone(std::string_view owner) {
  for (const std::string& uid : dependents(owner)) tell_(controllers::kChangedElsewhere + uid);
}

void AggregatedObjects::tell_all() {
  for (const auto& [uid, known] : known_) {
    if (known.concerns_collector()) tell_(controllers::kChangedElsewhere + uid);
  }
}

AggregatedObjects::Collection* AggregatedObjects::find(const std::string& path,
                                                       std::uint64_t number) {
  const auto found = collections_.find(path);
  return found == collections_.end() || found->second.number != number ? nullptr : &found->second;
}

void AggregatedObjects::list(const std::string& path, Collection& collection) {
  const std::uint64_t number = collection.number = ++last_;
  collection.events = nullptr;
  collection.text.clear();
  get_(path, kAcceptMetadataList,
       [this, path, number](const ProxyAnswer& answer, std::unique_ptr<Stream>) {
         if (Collection* asked = find(path, number)) listed(path, *asked, answer);
       });
}

void AggregatedObjects::listed(const std::string& path, Collection& collection,
                               const ProxyAnswer& answer) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(answer.body, arena);
  if (answer.fault || answer.status != 200 || !read.ok() || !read.value.is_object()) {
    return list_later(path, collection, true);
  }
  std::set<std::string_view> there;
  for (const Value& object : items_at(read.value, {"items"})) {
    there.insert(text_at(object, {"metadata", "uid"}));
    put(path, collection, object);
  }
  std::vector<std::string> gone;
  for (const auto& [uid, known] : known_) {
    if (known.collection == path && there.count(uid) == 0) gone.push_back(uid);
  }
  for (const std::string& uid : gone) remove(uid);
  follow(path, collection, text_at(read.value, {"metadata", "resourceVersion"}));
}

void AggregatedObjects::follow(const std::string& path, Collection& collection,
                               std::string_view version) {
  const std::uint64_t number = collection.number = ++last_;
  get_(path + "?allowWatchBookmarks=true&resourceVersion=" + std::string(version) + "&watch=true",
       kWatchAccept, [this, path, number](const ProxyAnswer& answer, std::unique_ptr<Stream> body) {
         Collection* asked = find(path, number);
         if (asked == nullptr) return;
         if (answer.fault || answer.status != 200 || body == nullptr) {
           return list_later(path, *asked, true);
         }
         asked->failures = 0;
         asked->text = answer.body;
         asked->events = std::move(body);
         tell_counts_({});
         read(path, number);
       });
}

// Takes in what has come of a watch, and waits for more.
void AggregatedObjects::read(const std::string& path, std::uint64_t number) {
  Collection* collection = find(path, number);
  if (collection == nullptr || collection->events == nullptr) return;
  for (Rope bytes = collection->events->next(); !bytes.empty();
       bytes = collection->events->next()) {
    collection->text += bytes.flatten();
  }
  std::string text = std::exchange(collection->text, {});
  std::size_t begin = 0;
  bool good = true;
  for (std::size_t end = text.find('\n'); good && end != std::string::npos;
       end = text.find('\n', begin)) {
    good = take_event(path, *collection, std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  collection->text = text.substr(std::min(begin, text.size()));
  if (!good || collection->text.size() > kLongestEvent || collection->events->ended()) {
    return list_later(path, *collection, !good);
  }
  collection->events->on_ready([this, path, number] { read(path, number); });
}

// Returns false if the watch is of no use any more.
bool AggregatedObjects::take_event(const std::string& path, const Collection& collection,
                                   std::string_view line) {
  if (line.empty()) return true;
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(line, arena);
  const Value* object = read.ok() ? read.value.find("object") : nullptr;
  if (object == nullptr) return false;
  const std::string_view type = read.value.string_at("type");
  if (type == "ADDED" || type == "MODIFIED") put(path, collection, *object);
  if (type == "DELETED") remove(text_at(*object, {"metadata", "uid"}));
  return type != "ERROR";
}

void AggregatedObjects::list_later(const std::string& path, Collection& collection, bool failed) {
  const std::uint64_t number = collection.number = ++last_;
  collection.events = nullptr;
  const int doublings = failed ? std::min(collection.failures++, kMostListDoublings) : 0;
  deadlines_.add(now_ + Duration{kFirstListRetry.nanoseconds << doublings}, [this, path, number] {
    if (Collection* due = find(path, number)) list(path, *due);
  });
}

void AggregatedObjects::put(const std::string& path, const Collection& collection,
                            const Value& object) {
  Value* metadata = object_in(object, "metadata");
  const std::string uid(text_at(object, {"metadata", "uid"}));
  if (metadata == nullptr || uid.empty()) return;
  metadata->erase("managedFields");
  const auto [found, fresh] = known_.try_emplace(uid);
  Known& known = found->second;
  const auto before = std::exchange(known.owners, {});
  known.collection = path;
  known.object = {.resource = collection.resource,
                  .ns = std::string(metadata->string_at("namespace")),
                  .name = std::string(metadata->string_at("name")),
                  .uid = uid,
                  .metadata = codec::json_text(*metadata)};
  const controllers::OwnerMetadata owned = controllers::read_owned_metadata(*metadata);
  for (const controllers::OwnerReference& owner : owned.owners) {
    bool& blocks = known.owners[std::string(owner.uid)];
    blocks = blocks || owner.blocking;
  }
  for (const auto& [owner, blocks] : known.owners) dependents_[owner].insert(uid);
  for (const auto& [owner, blocked] : before) {
    const auto now = known.owners.find(owner);
    if (now == known.owners.end()) drop(dependents_, owner, uid);
    if (blocked && (now == known.owners.end() || !now->second)) {
      tell_(controllers::kUnblockedElsewhere + owner);
    }
  }
  known.ends = owned.waits_for_collector();
  if (known.concerns_collector()) tell_(controllers::kChangedElsewhere + uid);
  if (fresh) tell_counts_(known.object.ns);
}

void AggregatedObjects::remove(std::string_view uid) {
  const auto found = known_.find(uid);
  if (found == known_.end()) return;
  const auto gone = known_.extract(found);
  for (const auto& [owner, blocked] : gone.mapped().owners) {
    drop(dependents_, owner, gone.key());
    if (blocked) tell_(controllers::kUnblockedElsewhere + owner);
  }
  tell_(controllers::kGoneElsewhere + gone.key());
  tell_counts_(gone.mapped().object.ns);
}

// Forgets the objects of a collection, of which nothing is known any more.
void AggregatedObjects::forget(const std::string& path) {
  for (auto at = known_.begin(); at != known_.end();) {
    if (at->second.collection != path) {
      ++at;
      continue;
    }
    for (const auto& [owner, blocked] : at->second.owners) {
      drop(dependents_, owner, at->first);
      if (blocked) tell_(controllers::kUnblockedElsewhere + owner);
    }
    at = known_.erase(at);
  }
}

}  // namespace tabernetes::server
