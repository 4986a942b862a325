#include "controllers/namespaces/aggregated_content.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "codec/json_reader.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kBackground =
    R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"})";

// The deletion of one resource's objects in a namespace: the collection, or else one after the
// other; then a look at what remains.
class Deletion {
 public:
  Deletion(AggregatedCalls& calls, std::string_view ns, const AggregatedResource& resource)
      : calls_(calls),
        asker_(asker_of_namespace(ns)),
        ns_(ns),
        resource_(resource),
        path_(resource.path(ns)) {}

  // Returns false if answers are missing.
  bool run(NamespaceContent& content) {
    Outcome outcome = send("deletecollection", "DELETE", path_);
    if (outcome == Outcome::kNotSupported) outcome = delete_each();
    if (outcome == Outcome::kDone || outcome == Outcome::kNotSupported) outcome = look(content);
    if (outcome == Outcome::kFailed) content.errors.push_back(error_);
    return outcome != Outcome::kMissing;
  }

 private:
  enum class Outcome : std::uint8_t { kDone, kNotSupported, kFailed, kMissing };

  // Sends a request, whose answer is then in `body_` or `error_`. `turn`: see AggregatedRequest.
  Outcome send(std::string_view verb, std::string_view method, const std::string& path,
               int turn = 0) {
    if (!resource_.has_verb(verb)) return Outcome::kNotSupported;
    const std::string_view body = method == "DELETE" ? kBackground : std::string_view();
    const AggregatedAnswer* answer = calls_.ask(asker_, {method, path, std::string(body), turn});
    if (answer == nullptr) return Outcome::kMissing;
    if (answer->not_supported()) return Outcome::kNotSupported;
    error_ = answer->error;
    body_ = answer->body;
    return error_.empty() ? Outcome::kDone : Outcome::kFailed;
  }

  Outcome delete_each() {
    const Outcome listed = send("list", "GET", path_);
    if (listed != Outcome::kDone) return listed;
    Outcome worst = Outcome::kDone;
    json::Arena arena;
    const Value objects = codec::read_json(body_, arena).value;
    for (const Value& object : items_at(objects, {"items"})) {
      const std::string name(text_at(object, {"metadata", "name"}));
      const Outcome deleted = send("delete", "DELETE", path_ + "/" + name);
      if (deleted == Outcome::kFailed || deleted == Outcome::kMissing) worst = deleted;
      if (worst == Outcome::kFailed) break;
    }
    return worst;
  }

  // Notes what remains.
  Outcome look(NamespaceContent& content) {
    const Outcome listed = send("list", "GET", path_, 1);
    if (listed != Outcome::kDone) return listed;
    json::Arena arena;
    const Value objects = codec::read_json(body_, arena).value;
    const auto items = items_at(objects, {"items"});
    if (items.empty()) return Outcome::kDone;
    content.remaining[resource_.plural + "." + resource_.group] = items.size();
    bool held = false;
    for (const Value& object : items) {
      for (const Value& name : items_at(object, {"metadata", "finalizers"})) {
        ++content.finalizers[std::string(text_of(name))];
        held = true;
      }
    }
    if (held) {
      content.estimate = std::max(content.estimate, kFinalizerEstimate);
      return Outcome::kDone;
    }
    error_ = "unexpected items still remain in namespace: " + std::string(ns_) +
             " for gvr: " + resource_.group + "/" + resource_.version +
             ", Resource=" + resource_.plural;
    return Outcome::kFailed;
  }

  AggregatedCalls& calls_;
  const AggregatedAsker asker_;
  const std::string_view ns_;
  const AggregatedResource& resource_;
  const std::string path_;
  std::string body_, error_;
};

}  // namespace

AggregatedAsker asker_of_namespace(std::string_view ns) {
  return {"namespace-controller", "namespace-controller", ns};
}

void delete_aggregated_content(AggregatedCalls& calls, std::string_view ns,
                               NamespaceContent& content) {
  for (const AggregatedResource& resource : calls.discovery().resources) {
    if (!resource.namespaced || !resource.has_verb("delete")) continue;
    content.elsewhere = true;
    if (!Deletion(calls, ns, resource).run(content)) content.waits = true;
  }
}

}  // namespace tabernetes::controllers
