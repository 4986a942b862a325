#include "admission/configurations.h"

#include "registry/meta/object_meta.h"
#include "registry/objects/object_record.h"

namespace tabernetes::admission {
namespace {

constexpr std::string_view kGroup = "admissionregistration.k8s.io/";

std::string key_of(std::string_view plural, std::string_view name) {
  return std::string(kGroup).append(plural).append("/").append(name);
}

}  // namespace

std::string_view Configuration::name() const {
  return registry::metadata_of(object)->string_at("name");
}

void Configurations::put(const registry::Registry& registry, std::string_view key,
                         const store::RecordPtr& record) {
  ++changes_;
  const registry::ResourceType* type = registry.resources().find_key(key);
  std::shared_ptr<Configuration> made;
  if (record != nullptr && type != nullptr) {
    made = std::make_shared<Configuration>();
    made->record = record;
    made->object = registry::read_object(*type, *record, made->arena);
    const json::Value* meta =
        made->object.is_object() ? registry::metadata_of(made->object) : nullptr;
    if (meta == nullptr || !meta->is_object()) made.reset();  // a damaged record
  }
  if (made != nullptr) {
    objects_[std::string(key)] = std::move(made);
  } else if (const auto old = objects_.find(key); old != objects_.end()) {
    objects_.erase(old);
  }
}

std::uint64_t Configurations::follow(const registry::Registry& registry) {
  const store::Store& store = registry.store();
  const bool followed = reader_.follow(store.history(), [&](const store::Event& event) {
    if (event.key.starts_with(kGroup)) put(registry, event.key, event.current);
  });
  if (!followed) {
    objects_.clear();
    ++changes_;
    store.tree().scan(kGroup, store::prefix_end(kGroup),
                      [&](std::string_view key, const store::RecordPtr& record) {
                        put(registry, key, record);
                        return true;
                      });
  }
  return changes_;
}

void Configurations::each(std::string_view plural,
                          const std::function<void(const ConfigurationPtr&)>& visit) const {
  const std::string prefix = key_of(plural, "");
  for (auto at = objects_.lower_bound(prefix);
       at != objects_.end() && at->first.starts_with(prefix); ++at) {
    visit(at->second);
  }
}

ConfigurationPtr Configurations::find(std::string_view plural, std::string_view name) const {
  const auto found = objects_.find(key_of(plural, name));
  return found == objects_.end() ? nullptr : found->second;
}

}  // namespace tabernetes::admission
