// What control loops know of aggregated API servers, and ask them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::controllers {

// A resource of another server.
struct AggregatedResource {
  std::string group, version, plural, kind;
  bool namespaced = false;
  std::vector<std::string> verbs;

  bool has_verb(std::string_view verb) const {
    for (const std::string& each : verbs) {
      if (each == verb) return true;
    }
    return false;
  }
  // Returns "/apis/GROUP/VERSION/namespaces/NS/PLURAL"; without a namespace the whole collection's.
  std::string path(std::string_view ns = {}) const {
    std::string text = "/apis/" + group + "/" + version + "/";
    if (!ns.empty()) text.append("namespaces/").append(ns).append("/");
    return text + plural;
  }
};

// An object of another server, as a watch of its collection told it.
struct AggregatedObject {
  AggregatedResource resource;
  std::string ns, name, uid;
  std::string metadata;  // JSON, without managedFields

  std::string path() const { return resource.path(ns) + "/" + name; }
};
// What the garbage collector is told of them: keys, each followed by a uid.
inline constexpr char kChangedElsewhere = 'a';  // of an object there that has owners, or is to end
inline constexpr char kGoneElsewhere = 'g';     // of an object that was there
inline constexpr char kUnblockedElsewhere = 'u';  // of an owner that an object there blocks no more

struct AggregatedDiscovery {
  std::vector<AggregatedResource> resources;  // each once, in its preferred version
  // Group versions whose servers do not tell their resources ("fruit.example/v1"), sorted.
  std::vector<std::string> failed;
};

// Who asks: the loop's name, the account in kube-system by which the other server knows it, and the
// key that it reconciles.
struct AggregatedAsker {
  std::string_view loop, account, key;
};

// The garbage collector as the one who asks.
constexpr AggregatedAsker garbage_collector(std::string_view key = {}) {
  return {"garbage-collector-controller", "generic-garbage-collector", key};
}

struct AggregatedRequest {
  std::string_view method;
  std::string path;  // "/apis/fruit.example/v1/namespaces/a/apples"
  std::string body;  // JSON, or empty; that of a PATCH is a merge patch
  int turn = 0;      // tells requests apart that are made more than once
};

struct AggregatedAnswer {
  int status = 0;
  std::string body;
  std::string error;  // client-go's; empty if the request succeeded

  // Returns whether the server does not do such a thing at all.
  bool not_supported() const { return status == 404 || status == 405; }
};

// A reconciliation never waits: it asks, and returns; once the last of its answers has come, its
// key is queued again, and it asks the same again, to get the answers.
class AggregatedCalls {
 public:
  virtual ~AggregatedCalls() = default;

  virtual const AggregatedDiscovery& discovery() = 0;
  // Returns the answer, or null as long as there is none. It stays until forget().
  virtual const AggregatedAnswer* ask(const AggregatedAsker& asker,
                                      const AggregatedRequest& request) = 0;
  // Forgets the asker's answers: the next requests are sent anew. Must be called once a
  // reconciliation has all it needs.
  virtual void forget(const AggregatedAsker& asker) = 0;

  // Returns an object that other servers have, as far as it is watched; null: it is not known.
  // Valid until the reconciliation ends.
  virtual const AggregatedObject* object(std::string_view uid) = 0;
  // Returns the uids of such objects that name the owner.
  virtual std::vector<std::string> dependents(std::string_view owner) = 0;
  // Returns how many there are of a resource that quotas count ("apples.fruit.example") in a
  // namespace; nullopt: it is not watched. ResourceQuotas are told when that changes, by
  // on_answers() with a namespace, or with nothing: in all of them.
  virtual std::optional<std::int64_t> count(std::string_view resource, std::string_view ns) = 0;
};

}  // namespace tabernetes::controllers
