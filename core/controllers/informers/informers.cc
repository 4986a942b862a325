#include "controllers/informers/informers.h"

#include <memory>
#include <utility>

#include "controllers/informers/controlling_owner.h"

namespace tabernetes::controllers {
namespace {

constexpr std::string_view kPodPrefix = "core/pods/";

// What the trees hold.
struct Known final : store::Record {
  store::RecordPtr object;
  PodPtr pod;              // null for other kinds
  std::string controller;  // uid; empty: an orphan. In objects_ only.
};

const Known& known(const store::RecordPtr& record) { return static_cast<const Known&>(*record); }

std::shared_ptr<Known> make_known(std::string key, const store::RecordPtr& object,
                                  const PodPtr& pod) {
  auto made = std::make_shared<Known>();
  made->key = std::move(key);
  made->object = object;
  made->pod = pod;
  return made;
}

std::string index_key(std::string_view place, std::string_view key) {
  std::string text;
  text.reserve(place.size() + key.size() + 1);
  return text.append(place).append("/").append(key);
}

// Returns true for kinds whose orphans are adopted.
bool is_adopted(const registry::ResourceType& type) {
  return is_resource(type, "apps", "replicasets") ||
         is_resource(type, "apps", "controllerrevisions");
}

Informers::Pods pods_at(const store::Tree& tree, const std::string& prefix) {
  Informers::Pods pods;
  const std::string end = store::prefix_end(prefix);
  pods.reserve(tree.count(prefix, end));
  tree.scan(prefix, end, [&](std::string_view, const store::RecordPtr& record) {
    pods.push_back(known(record).pod.get());
    return true;
  });
  return pods;
}

std::vector<store::RecordPtr> objects_at(const store::Tree& tree, const std::string& prefix) {
  std::vector<store::RecordPtr> objects;
  tree.scan(prefix, store::prefix_end(prefix),
            [&](std::string_view, const store::RecordPtr& record) {
              objects.push_back(known(record).object);
              return true;
            });
  return objects;
}

}  // namespace

void Informers::clear() {
  objects_.reset({});
  by_controller_.reset({});
  by_node_.reset({});
}

Informers::PodChange Informers::observe(const registry::ResourceType& type, std::string_view key,
                                        const LazyObject& before, const LazyObject& now) {
  const bool is_pod = is_resource(type, "", "pods");
  const auto is_owned = [](const LazyObject& object) {
    return object.record() && registry::offsets_of(*object.record()).owned;
  };
  const bool adopted = is_adopted(type);
  if (!is_pod && !adopted && !is_owned(before) && !is_owned(now)) return {};

  PodChange change;
  const store::RecordPtr old = objects_.find(key);
  if (old) change.before = known(old).pod;
  std::shared_ptr<Known> entry;
  if (now.record()) {
    entry = make_known(std::string(key), now.record(), nullptr);
    if (is_pod) {
      auto summary = std::make_shared<PodSummary>(summarize_pod(now.get(), now.record()));
      share_labels(*summary, change.before);
      change.now = std::move(summary);
      entry->pod = change.now;
      entry->controller = change.now->controller_uid;
    } else if (is_owned(now)) {
      if (const json::Value* owner = controller_of(now.get())) {
        entry->controller = owner->string_at("uid");
      }
      if (entry->controller.empty() && !adopted) entry = nullptr;
    }
  }

  if (old && (!entry || known(old).controller != entry->controller)) {
    by_controller_.erase(index_key(known(old).controller, key));
  }
  const std::string_view node = change.now ? change.now->node : std::string_view();
  if (change.before && !change.before->node.empty() && change.before->node != node) {
    by_node_.erase(index_key(change.before->node, key));
  }
  if (!entry) {
    if (old) objects_.erase(key);
    return change;
  }
  by_controller_.put(make_known(index_key(entry->controller, key), now.record(), change.now));
  if (!node.empty()) {
    by_node_.put(make_known(index_key(node, key), now.record(), change.now));
  }
  objects_.put(std::move(entry));
  return change;
}

void Informers::share_labels(PodSummary& pod, const PodPtr& before) const {
  PodPtr other = before;
  if (!other && !pod.controller_uid.empty()) {
    const std::string prefix = index_key(pod.controller_uid, kPodPrefix);
    by_controller_.present().scan(prefix, store::prefix_end(prefix),
                                  [&](std::string_view, const store::RecordPtr& record) {
                                    other = known(record).pod;
                                    return false;
                                  });
  }
  if (other && *other->labels == *pod.labels) pod.labels = other->labels;
}

PodPtr Informers::pod(std::string_view key) const {
  const store::RecordPtr found = objects_.find(key);
  return found ? known(found).pod : nullptr;
}

Informers::Pods Informers::pods_of(std::string_view controller_uid) const {
  return pods_at(by_controller_.present(), index_key(controller_uid, kPodPrefix));
}

std::size_t Informers::count_of(std::string_view controller_uid) const {
  const std::string prefix = index_key(controller_uid, {});
  return by_controller_.present().count(prefix, store::prefix_end(prefix));
}

Informers::Pods Informers::orphan_pods(std::string_view ns) const {
  return pods_at(by_controller_.present(),
                 index_key({}, kPodPrefix).append(ns).append(ns.empty() ? "" : "/"));
}

Informers::Pods Informers::pods_on(std::string_view node) const {
  return pods_at(by_node_.present(), index_key(node, {}));
}

Informers::Pods Informers::pods_in(std::string_view ns) const {
  return pods_at(objects_.present(),
                 std::string(kPodPrefix).append(ns).append(ns.empty() ? "" : "/"));
}

std::vector<store::RecordPtr> Informers::objects_of(std::string_view controller_uid,
                                                    const registry::ResourceType& type) const {
  return objects_at(by_controller_.present(), index_key(controller_uid, type.key_prefix));
}

std::vector<store::RecordPtr> Informers::orphans(const registry::ResourceType& type,
                                                 std::string_view ns) const {
  return objects_at(by_controller_.present(), index_key({}, type.collection_prefix(ns)));
}

}  // namespace tabernetes::controllers
