// A cluster with workload controllers, whose pods are set ready and removed by hand, for tests.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "../loop_fixture.h"
#include "base/time/rfc3339.h"
#include "json/fill.h"

namespace tabernetes::controllers {

inline constexpr LoopFixture::Resource kAppPods{"", "v1", "pods"};
inline constexpr LoopFixture::Resource kAppEvents{"", "v1", "events"};
inline constexpr LoopFixture::Resource kDeploymentSets{"apps", "v1", "replicasets"};

// Everything is in the namespace `default`.
class AppsFixture : public LoopFixture {
 public:
  explicit AppsFixture(std::initializer_list<std::string_view> loops) : LoopFixture(loops) {}

  // Returns a template for pods with the label app=web, as JSON.
  static std::string pod_template(std::string_view image = "nginx:1") {
    return R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":")" +
           std::string(image) + R"("}]}})";
  }
  // Returns a workload called `web`; `more` is JSON of its spec, with a comma at its end.
  static std::string workload(std::string_view more, std::string_view image = "nginx:1") {
    return R"({"metadata":{"name":"web"},"spec":{)" + std::string(more) +
           R"("selector":{"matchLabels":{"app":"web"}},"template":)" + pod_template(image) + "}}";
  }

  // Lets everything come to rest that does not wait for more than a second.
  void settle() {
    while (run(Duration::from_milliseconds(10)) > 0) {
    }
  }
  // Changes a part of an object as `change` says.
  void edit(const Resource& resource, std::string_view name,
            const std::function<void(json::Value&)>& change,
            registry::Subresource part = registry::Subresource::kNone) {
    const registry::WriteContext context{.arena = arena, .now = now, .tracks_fields = false};
    const auto updated = registry.update(context, {&type_of(resource), "default", name}, part,
                                         [&](const json::Value* stored) -> Result<json::Value> {
                                           json::Value object = stored->clone(arena);
                                           change(object);
                                           return object;
                                         });
    REQUIRE(updated);
  }
  void scale(const Resource& resource, std::int64_t replicas) {
    edit(resource, "web", [&](json::Value& object) {
      object.find("spec")->set(arena, "replicas", json::Value::integer(replicas));
    });
  }
  void set_image(const Resource& resource, std::string_view image) {
    edit(resource, "web", [&](json::Value& object) {
      object.at({"spec", "template", "spec", "containers"})
          ->items()[0]
          .set(arena, "image", json::Value::string(arena.copy(image)));
    });
  }

  // Makes a pod run, ready or not, on a node of that name, unless it is on one.
  void run_pod(std::string_view name, bool ready = true, std::string_view node = "n1") {
    set_status(name, "Running", ready, node);
  }
  void finish_pod(std::string_view name, std::string_view phase) {
    set_status(name, phase, false, "n1");
  }
  // Does a kubelet's work: all pods run and are ready, those that are being deleted are gone.
  void play_kubelets() {
    for (const std::string& name : pods()) {
      if (is_terminating(name)) {
        remove(kAppPods, "default", name);
      } else if (!is_ready(name)) {
        run_pod(name);
      }
    }
  }
  // Lets the cluster live until nothing happens any more.
  void live() {
    for (int i = 0; i < 100; ++i) {
      settle();
      bool waits = false;
      for (const std::string& name : pods())
        waits = waits || is_terminating(name) || !is_ready(name);
      if (!waits) return;
      play_kubelets();
    }
    FAIL("the cluster does not come to rest");
  }

  // Returns the pods' names, in order.
  std::vector<std::string> pods() const {
    std::vector<std::string> found;
    const registry::ResourceType& type = type_of(kAppPods);
    const std::string prefix = type.collection_prefix("default");
    store.tree().scan(prefix, store::prefix_end(prefix),
                      [&](std::string_view key, const store::RecordPtr&) {
                        found.emplace_back(registry::split_key(type, key).name);
                        return true;
                      });
    return found;
  }
  bool is_terminating(std::string_view pod) const {
    const store::RecordPtr record = store.get(type_of(kAppPods).key("default", pod));
    return registry::offsets_of(*record).terminating;
  }
  bool is_ready(std::string_view pod) const {
    const store::RecordPtr record = store.get(type_of(kAppPods).key("default", pod));
    return record->bytes.find(R"("type":"Ready","status":"True")") != std::string::npos;
  }
  // Returns those that are not being deleted.
  std::vector<std::string> live_pods() const {
    std::vector<std::string> found;
    for (const std::string& name : pods()) {
      if (!is_terminating(name)) found.push_back(name);
    }
    return found;
  }

  // Returns REASON MESSAGE xCOUNT of each event, by time; pods' random suffixes are "?".
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kAppEvents, arena, [&](const json::Value& event) {
      std::string text =
          std::string(event.string_at("reason")) + " " + std::string(event.string_at("message"));
      const std::int64_t count = number_at(event, {"count"});
      if (count > 1) text += " x" + std::to_string(count);
      texts.push_back(text);
    });
    return texts;
  }
  // Returns TYPE=STATUS REASON of each condition of `web`.
  std::vector<std::string> conditions(const Resource& resource) {
    std::vector<std::string> texts;
    const json::Value object = registry.find_object(resource, "default", "web", arena);
    for (const json::Value& condition : items_at(object, {"status", "conditions"})) {
      texts.push_back(std::string(condition.string_at("type")) + "=" +
                      std::string(condition.string_at("status")) + " " +
                      std::string(condition.string_at("reason")));
    }
    return texts;
  }
  // Returns the values of a member of `web` in all its versions, without repetitions, as JSON.
  std::vector<std::string> values(const Resource& resource, std::string_view path) {
    const std::string key = type_of(resource).key("default", "web");
    std::vector<std::string> found;
    const store::History& history = store.history();
    for (std::size_t at = history.first_after(1); at < history.end(); ++at) {
      const store::Event& event = *history.at(at);
      if (event.key != key || event.current == nullptr) continue;
      const json::Value object = registry::read_object(type_of(resource), *event.current, arena);
      const json::Value* value = json::follow(&object, path);
      std::string text = value == nullptr ? std::string() : tests::json_text(*value);
      if (found.empty() || found.back() != text) found.push_back(std::move(text));
    }
    return found;
  }
  // Returns the status of `web` without conditions, as JSON.
  std::string status(const Resource& resource) {
    json::Value object = registry.find_object(resource, "default", "web", arena);
    json::Value status = object.find("status")->clone(arena);
    status.erase("conditions");
    return tests::json_text(status);
  }

 private:
  void set_status(std::string_view name, std::string_view phase, bool ready,
                  std::string_view node) {
    json::Value pod = registry.find_object(kAppPods, "default", name, arena).clone(arena);
    json::Value& spec = *pod.find("spec");
    if (spec.find("nodeName") == nullptr) {
      spec.set(arena, "nodeName", json::Value::string(arena.copy(node)));
    }
    json::Value condition = json::Value::object(arena);
    condition.append(arena, "type", json::Value::string("Ready"));
    condition.append(arena, "status", json::Value::string(ready ? "True" : "False"));
    condition.append(arena, "lastTransitionTime",
                     json::Value::string(arena.copy(format_rfc3339(now))));
    json::Value conditions = json::Value::array(arena);
    conditions.push_back(arena, condition);
    json::Value& status = object_or_new(pod, "status", arena);
    status.set(arena, "phase", json::Value::string(arena.copy(phase)));
    status.set(arena, "conditions", conditions);
    put(kAppPods, "default", tests::json_text(pod));
  }
};

}  // namespace tabernetes::controllers
