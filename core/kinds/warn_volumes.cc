// Warnings about volumes: removed plugins, and files with the same path. Source: upstream 1.36
// pkg/api/pod/warnings.go, pkg/api/persistentvolume/util.go, pkg/api/persistentvolumeclaim/util.go,
// pkg/api/storage/util.go.

#include <string>
#include <vector>

#include "base/api/quantity.h"
#include "base/go/text.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

struct OldPlugin {
  std::string_view name, text;
};
constexpr std::string_view k16 = "deprecated in v1.11, non-functional in v1.16+";
constexpr std::string_view k22 = "deprecated in v1.16, non-functional in v1.22+";
constexpr std::string_view k25 = "deprecated in v1.22, non-functional in v1.25+";
constexpr std::string_view k26 = "deprecated in v1.25, non-functional in v1.26+";
constexpr std::string_view k31 = "deprecated in v1.28, non-functional in v1.31+";
constexpr OldPlugin kOfPods[] = {
    {"photonPersistentDisk", k16},
    {"gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
    {"scaleIO", k22},
    {"flocker", k25},
    {"storageos", k25},
    {"quobyte", k25},
    {"glusterfs", k26},
    {"ephemeral", {}},
    {"cephfs", k31},
    {"rbd", k31},
};
constexpr OldPlugin kOfVolumes[] = {
    {"cephfs", k31},    {"photonPersistentDisk", k16},
    {"scaleIO", k22},   {"storageos", k25},
    {"glusterfs", k26}, {"rbd", k31},
};
// Upstream's paths do not always use the API's names.
std::string_view path_name(std::string_view name) {
  return name == "storageos" ? "storageOS" : name;
}

constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";
constexpr std::string_view kUseClass =
    "deprecated since v1.8; use \"storageClassName\" attribute instead";

void warn_of_annotation(const Field& object, std::string_view key, std::string_view text,
                        Warnings& out) {
  const Field metadata = object["metadata"];
  const Field annotations = metadata["annotations"];
  if (annotations.find(key) != nullptr) out.at(annotations.key(key), {text});
}

// A file in a volume, and its source.
struct File {
  std::string_view path;
  std::string source;
  std::string shown() const {
    return source.empty() ? go_quote(path) : go_quote(path) + " (" + source + ")";
  }
};

bool is_within(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// The files of a volume; each new one is compared with the earlier ones.
class Files {
 public:
  Files(std::string volume, Warnings& out) : volume_(std::move(volume)), out_(out) {}

  void add(std::string_view path, const std::string& source) {
    while (path.ends_with('/')) path.remove_suffix(1);
    File file{path, source};
    for (const File& other : files_) {
      if (path.empty() || out_.full()) break;
      if (other.path.empty() || !(is_within(path, other.path) || is_within(other.path, path))) {
        continue;
      }
      out_.add({volume_, ": overlapping paths: ", file.shown(), " with ", other.shown()});
    }
    if (files_.size() < kMostCompared) files_.push_back(std::move(file));
  }
  void add_items(const Value& holder, const std::string& source) {
    const Value* items = holder.find("items");
    if (items == nullptr || !items->is_array()) return;
    for (const Value& item : items->items()) add(item.string_at("path"), source);
  }

 private:
  static constexpr std::size_t kMostCompared = 10'000;

  std::string volume_;
  Warnings& out_;
  std::vector<File> files_;
};

std::string named(std::string_view kind, std::string_view name) {
  return std::string(kind) + " " + go_quote(name);
}

void warn_of_projected(const Value& projected, const std::string& volume, Warnings& out) {
  const Value* sources = projected.find("sources");
  if (sources == nullptr || !sources->is_array()) return;
  Files files("volume " + volume + " (Projected)", out);
  for (const Value& source : sources->items()) {
    if (source.size() == 0) {
      out.add({"volume ", volume, " (Projected) has no sources provided"});
    } else if (const Value* map = source.find("configMap"); map && map->find("items")) {
      files.add_items(*map, named("ConfigMap", map->string_at("name")));
    } else if (const Value* secret = source.find("secret"); secret && secret->find("items")) {
      files.add_items(*secret, named("Secret", secret->string_at("name")));
    } else if (const Value* api = source.find("downwardAPI"); api && api->find("items")) {
      files.add_items(*api, "DownwardAPI");
    } else if (const Value* token = source.find("serviceAccountToken")) {
      files.add(token->string_at("path"), "ServiceAccountToken");
    }
  }
}

void warn_of_files(const Value& volume, Warnings& out) {
  const std::string name = go_quote(volume.string_at("name"));
  const std::string start = "volume " + name + " (";
  if (const Value* map = volume.find("configMap")) {
    Files(start + named("ConfigMap", map->string_at("name")) + ")", out).add_items(*map, {});
  }
  if (const Value* secret = volume.find("secret")) {
    Files(start + named("Secret", secret->string_at("secretName")) + ")", out)
        .add_items(*secret, {});
  }
  if (const Value* api = volume.find("downwardAPI")) {
    Files(start + "DownwardAPI)", out).add_items(*api, {});
  }
  if (const Value* projected = volume.find("projected")) warn_of_projected(*projected, name, out);
}

}  // namespace

void warn_of_fraction(const Field& list, std::string_view resource, Warnings& out) {
  const Value* value = list.find(resource);
  if (value == nullptr || !value->is_string()) return;
  std::string_view error;
  const auto quantity = Quantity::parse(value->as_string(), error);
  if (!quantity || quantity->milli_value() % 1000 == 0) return;
  out.at(list.key(resource), {"fractional byte value ", go_quote(quantity->to_string()),
                              " is invalid, must be an integer"});
}

void warn_of_claim_spec(const Field& resources, Warnings& out) {
  warn_of_fraction(resources["requests"], "storage", out);
  warn_of_fraction(resources["limits"], "storage", out);
}

void warn_of_volumes(const Field& volumes, Warnings& out) {
  for (const Field volume : volumes.items()) {
    for (const OldPlugin& plugin : kOfPods) {
      if (!volume.has(plugin.name)) continue;
      const Field source = volume[plugin.name];
      if (!plugin.text.empty()) {
        out.at(volume[path_name(plugin.name)], {plugin.text});
        continue;
      }
      const Field claim = source["volumeClaimTemplate"];
      const Field spec = claim["spec"];
      warn_of_claim_spec(spec["resources"], out);
    }
  }
  for (const Field volume : volumes.items()) warn_of_files(*volume.value(), out);
}

void warn_of_persistent_volume(const Field& object, const Value*, Warnings& out) {
  warn_of_annotation(object, kClassAnnotation, kUseClass, out);
  warn_of_annotation(object, "volume.beta.kubernetes.io/mount-options",
                     "deprecated since v1.31; use \"mountOptions\" attribute instead", out);
  const Field spec = object["spec"];
  if (spec.text_at("persistentVolumeReclaimPolicy") == "Recycle") {
    out.at(spec["persistentVolumeReclaimPolicy"],
           {"The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use "
            "dynamic provisioning."});
  }
  const Field affinity = spec["nodeAffinity"];
  const Field required = affinity["required"];
  const Field terms = required["nodeSelectorTerms"];
  for (const Field term : terms.items()) warn_of_node_term(term, false, out);
  for (const OldPlugin& plugin : kOfVolumes) {
    if (spec.has(plugin.name)) out.at(spec[path_name(plugin.name)], {plugin.text});
  }
}

void warn_of_persistent_volume_claim(const Field& object, const Value*, Warnings& out) {
  warn_of_annotation(object, kClassAnnotation, kUseClass, out);
  const Field spec = object["spec"];
  warn_of_claim_spec(spec["resources"], out);
}

}  // namespace tabernetes::registry::kinds
