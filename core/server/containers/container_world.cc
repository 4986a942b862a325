#include "server/containers/container_world.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/api/quantity.h"
#include "base/go/text.h"
#include "json/access.h"

namespace tabernetes::server {
namespace {

using json::Value;

std::string command_line(const Value& spec) {
  std::string line;
  for (const std::string_view list : {"command", "args"}) {
    for (const Value& word : items_at(spec, {list})) {
      line.append(line.empty() ? "" : " ").append(word.as_string());
    }
  }
  return line.empty() ? std::string(spec.string_at("name")) : line;
}

// Returns a number of the container's security context, or else of the pod's.
std::int64_t identity(const WorldSource& source, std::string_view field) {
  for (const Value* of : {source.spec.at({"securityContext", field}),
                          source.pod.at({"spec", "securityContext", field})}) {
    if (of != nullptr && of->is_int()) return of->as_int();
  }
  return 0;
}

// Returns the keys of labels or annotations as a file has them: key="value", one a line.
std::string lines_of(const Value& pod, std::string_view member) {
  std::vector<std::string> lines;
  for (const json::Member& entry : members_at(pod, {"metadata", member})) {
    lines.push_back(std::string(entry.key) + "=" + go_quote(text_of(entry.value)));
  }
  sort_stable(lines);
  std::string all;
  for (const std::string& line : lines) all.append(all.empty() ? "" : "\n").append(line);
  return all;
}

std::string joined(const json::Range<Value>& list) {
  std::string all;
  for (const Value& item : list) all.append(all.empty() ? "" : ",").append(item.string_at("ip"));
  return all;
}

std::shared_ptr<WrittenFiles> copy_of(const std::shared_ptr<WrittenFiles>& files) {
  return std::make_shared<WrittenFiles>(*files);
}

}  // namespace

WrittenInContainers::WrittenInContainers(const WrittenInContainers& other) : pods_(other.pods_) {
  for (auto& [uid, pod] : pods_) {
    for (auto& [name, files] : pod.containers) files.second = copy_of(files.second);
    for (auto& [name, files] : pod.volumes) files = copy_of(files);
  }
}

WrittenInContainers::OfPod& WrittenInContainers::of(const Value& pod) {
  OfPod& found = pods_[std::string(text_at(pod, {"metadata", "uid"}))];
  found.ns = text_at(pod, {"metadata", "namespace"});
  found.name = text_at(pod, {"metadata", "name"});
  return found;
}

std::shared_ptr<WrittenFiles> WrittenInContainers::of_container(const Value& pod,
                                                                std::string_view name,
                                                                Time started) {
  auto& [since, files] = of(pod).containers[std::string(name)];
  if (files == nullptr || since != started) files = std::make_shared<WrittenFiles>();
  since = started;
  return files;
}

std::shared_ptr<WrittenFiles> WrittenInContainers::of_volume(const Value& pod,
                                                             std::string_view name) {
  std::shared_ptr<WrittenFiles>& files = of(pod).volumes[std::string(name)];
  if (files == nullptr) files = std::make_shared<WrittenFiles>();
  return files;
}

void WrittenInContainers::forget_gone(const registry::ObjectReader& objects) {
  json::Arena arena;
  std::erase_if(pods_, [&](const auto& entry) {
    const Value pod = objects.find_object(kWorldPods, entry.second.ns, entry.second.name, arena);
    return pod.is_null() || text_at(pod, {"metadata", "uid"}) != entry.first;
  });
}

std::string hostname_of(const Value& pod) {
  const std::string_view name = text_if_set(pod, {"spec", "hostname"}, "");
  return std::string(name.empty() ? text_at(pod, {"metadata", "name"}) : name);
}

std::string pod_field(const Value& pod, std::string_view path) {
  for (const std::string_view member : {"labels", "annotations"}) {
    const std::string prefix = "metadata." + std::string(member);
    if (path == prefix) return lines_of(pod, member);
    if (!path.starts_with(prefix + "['") || !path.ends_with("']")) continue;
    const std::string_view key = path.substr(prefix.size() + 2, path.size() - prefix.size() - 4);
    return std::string(text_at(pod, {"metadata", member, key}));
  }
  if (path == "status.podIPs") return joined(items_at(pod, {"status", "podIPs"}));
  if (path == "status.hostIPs") return joined(items_at(pod, {"status", "hostIPs"}));
  return scalar_text(follow(&pod, path));
}

std::string resource_field(const Value& pod, const Value& spec, const Value& reference) {
  const std::string_view path = reference.string_at("resource");
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string_view list = path.substr(0, dot);
  const std::string_view name = path.substr(std::min(dot + 1, path.size()));
  const Value* container = &spec;
  const std::string_view wanted = reference.string_at("containerName");
  for (const Value& other : items_at(pod, {"spec", "containers"})) {
    if (!wanted.empty() && other.string_at("name") == wanted) container = &other;
  }
  std::string_view error;
  std::optional<Quantity> amount =
      Quantity::parse(text_at(*container, {"resources", list, name}), error);
  if (!amount && list == "requests") {
    amount = Quantity::parse(text_at(*container, {"resources", "limits", name}), error);
  }
  if (!amount) return "0";
  const std::optional<Quantity> given =
      Quantity::parse(scalar_text(reference.find("divisor")), error);
  const bool divides = given && !given->is_zero();
  // As upstream: cpu in thousandths, the rest in units, rounded up.
  const bool milli = name == "cpu";
  const std::int64_t value = milli ? amount->milli_value() : amount->value();
  const std::int64_t divisor =
      divides ? (milli ? given->milli_value() : given->value()) : (milli ? 1000 : 1);
  if (divisor <= 0) return std::to_string(value);
  return std::to_string(value / divisor + (value % divisor == 0 ? 0 : 1));
}

ContainerWorld world_of(const WorldSource& source) {
  ContainerWorld world;
  world.environment = environment_of(source);
  world.files = files_of(source);
  world.hostname = hostname_of(source.pod);
  world.working_folder = normal_path(source.spec.string_at("workingDir"));
  world.uid = identity(source, "runAsUser");
  world.gid = identity(source, "runAsGroup");
  if (world.uid != 0) world.user.clear();
  world.processes = {command_line(source.spec)};
  return world;
}

}  // namespace tabernetes::server
