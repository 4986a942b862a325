#include "controllers/informers/informers.h"

#include <memory>
#include <utility>

#include "controllers/informers/controlling_owner.h"

namespace tabernetes::controllers {
namespace {

constexpr std::string_view kPodPrefix = "core/pods/";

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

}  // namespace

// The three trees share it.
struct Informers::Known {
  store::RecordPtr object;
  PodPtr pod;              // null for other kinds
  std::string controller;  // uid; empty: an orphan
  std::shared_ptr<const Age> age;

  std::string_view node() const { return pod ? std::string_view(pod->node) : std::string_view(); }
};

struct Informers::Entry final : store::Record {
  std::shared_ptr<Known> known;

  static std::shared_ptr<Entry> make(std::string key, std::shared_ptr<Known> known) {
    auto made = std::make_shared<Entry>();
    made->key = std::move(key);
    made->known = std::move(known);
    return made;
  }
  static const std::shared_ptr<Known>& of(const store::RecordPtr& record) {
    return static_cast<const Entry&>(*record).known;
  }
};

Informers::Pods Informers::pods_at(const store::Tree& tree, const std::string& prefix) {
  Pods pods;
  const std::string end = store::prefix_end(prefix);
  pods.reserve(tree.count(prefix, end));
  tree.scan(prefix, end, [&](std::string_view, const store::RecordPtr& record) {
    pods.push_back(Entry::of(record)->pod.get());
    return true;
  });
  return pods;
}

std::vector<store::RecordPtr> Informers::objects_at(const store::Tree& tree,
                                                    const std::string& prefix) {
  std::vector<store::RecordPtr> objects;
  tree.scan(prefix, store::prefix_end(prefix),
            [&](std::string_view, const store::RecordPtr& record) {
              objects.push_back(Entry::of(record)->object);
              return true;
            });
  return objects;
}

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
  const store::RecordPtr entry = objects_.find(key);
  const std::shared_ptr<Known> old = entry ? Entry::of(entry) : nullptr;
  if (old) change.before = old->pod;
  Known news{.object = now.record(), .pod = nullptr, .controller = {}, .age = age_};
  if (now.record() && is_pod) {
    const PodPtr like = old ? old->pod : sibling_of(now.get());
    change.now =
        std::make_shared<const PodSummary>(summarize_pod(now.get(), now.record(), like.get()));
    news.pod = change.now;
    news.controller = change.now->controller_uid;
  } else if (now.record() && is_owned(now)) {
    const json::Value* owner = controller_of(now.get());
    if (owner != nullptr) news.controller = owner->string_at("uid");
  }
  const bool stays = now.record() && (is_pod || adopted || !news.controller.empty());

  if (old && stays && old->age == age_ && old->controller == news.controller &&
      old->node() == news.node()) {
    *old = std::move(news);
    return change;
  }
  if (old) forget(key, *old);
  if (stays) {
    index(key, std::make_shared<Known>(std::move(news)));
  } else if (old) {
    objects_.erase(key);
  }
  return change;
}

void Informers::forget(std::string_view key, const Known& known) {
  by_controller_.erase(index_key(known.controller, key));
  if (!known.node().empty()) by_node_.erase(index_key(known.node(), key));
}

void Informers::index(std::string_view key, std::shared_ptr<Known> known) {
  by_controller_.put(Entry::make(index_key(known->controller, key), known));
  if (!known->node().empty()) by_node_.put(Entry::make(index_key(known->node(), key), known));
  objects_.put(Entry::make(std::string(key), std::move(known)));
}

PodPtr Informers::sibling_of(const json::Value& pod) const {
  const json::Value* owner = controller_of(pod);
  if (owner == nullptr) return nullptr;
  PodPtr found;
  const std::string prefix = index_key(owner->string_at("uid"), kPodPrefix);
  by_controller_.present().scan(prefix, store::prefix_end(prefix),
                                [&](std::string_view, const store::RecordPtr& record) {
                                  found = Entry::of(record)->pod;
                                  return false;
                                });
  return found;
}

PodPtr Informers::pod(std::string_view key) const {
  const store::RecordPtr found = objects_.find(key);
  return found ? Entry::of(found)->pod : nullptr;
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
