// The metadata of what other servers have, as far as the garbage collector may have to do with it:
// all collections that can be deleted from, listed and watched are watched. Quotas count them, too.
// Source: upstream 1.36 kubernetes pkg/controller/garbagecollector/graph_builder.go,
// pkg/controller/resourcequota/resource_quota_monitor.go.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/aggregated_calls.h"
#include "json/value.h"
#include "server/pending/deadlines.h"
#include "tabernetes/http.h"
#include "tabernetes/proxy.h"

namespace tabernetes::server {

// Asks for lists as their metadata alone, where the server can.
inline constexpr std::string_view kAcceptMetadataList =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

class AggregatedObjects {
 public:
  using Object = controllers::AggregatedObject;
  using Resource = controllers::AggregatedResource;
  // Sends a GET of a path. Calls the other function once.
  using OnAnswer = std::function<void(ProxyAnswer answer, std::unique_ptr<Stream> body)>;
  using Get = std::function<void(const std::string& path, std::string_view accept, OnAnswer)>;
  // Tells the garbage collector; `key`: see AggregatedObject.
  using Tell = std::function<void(std::string key)>;
  // Tells that the number of objects in a namespace has changed; empty: perhaps in all of them.
  using TellCounts = std::function<void(const std::string& ns)>;

  // REQUIRES: all outlive this object.
  AggregatedObjects(Deadlines& deadlines, const Time& now, Get get, Tell tell,
                    TellCounts tell_counts)
      : deadlines_(deadlines),
        now_(now),
        get_(std::move(get)),
        tell_(std::move(tell)),
        tell_counts_(std::move(tell_counts)) {}
  AggregatedObjects(const AggregatedObjects&) = delete;
  AggregatedObjects& operator=(const AggregatedObjects&) = delete;

  // Watches the collections of the resources that allow it, and no others but those of the group
  // versions in `kept`, if they are watched already.
  void watch(const std::vector<Resource>& resources, const std::vector<std::string>& kept);

  bool watches() const { return !collections_.empty(); }
  // Returns what is known of an object; null: nothing. Valid until anything changes.
  const Object* find(std::string_view uid) const;
  // Returns the uids of the objects that name the owner.
  std::vector<std::string> dependents(std::string_view owner) const;
  // See AggregatedCalls.
  std::optional<std::int64_t> count(std::string_view resource, std::string_view ns) const;
  // Tells the garbage collector of them: their owner is gone.
  void owner_gone(std::string_view owner);
  // Tells it of all objects that concern it.
  void tell_all();

 private:
  struct Collection {
    Resource resource;
    std::uint64_t number = 0;  // of the newest request: earlier ones do not count
    int failures = 0;          // in a row
    std::unique_ptr<Stream> events;
    std::string text;  // the beginning of an event
  };
  struct Known {
    Object object;
    std::string collection;
    std::map<std::string, bool, std::less<>> owners;  // by uid; whether it blocks their deletion
    bool ends = false;  // it is being deleted, which the garbage collector has to end

    bool concerns_collector() const { return ends || !owners.empty(); }
  };

  Collection* find(const std::string& path, std::uint64_t number);
  void list(const std::string& path, Collection& collection);
  void listed(const std::string& path, Collection& collection, const ProxyAnswer& answer);
  void follow(const std::string& path, Collection& collection, std::string_view version);
  void read(const std::string& path, std::uint64_t number);
  bool take_event(const std::string& path, const Collection& collection, std::string_view line);
  void list_later(const std::string& path, Collection& collection, bool failed);
  void put(const std::string& path, const Collection& collection, const json::Value& object);
  void remove(std::string_view uid);
  void forget(const std::string& path);

  Deadlines& deadlines_;
  const Time& now_;
  const Get get_;
  const Tell tell_;
  const TellCounts tell_counts_;
  std::map<std::string, Collection, std::less<>> collections_;  // by path
  std::map<std::string, Known, std::less<>> known_;             // by uid
  std::map<std::string, std::set<std::string>, std::less<>> dependents_;
  std::uint64_t last_ = 0;
};

}  // namespace tabernetes::server
