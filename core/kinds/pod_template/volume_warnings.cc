// Warnings about volumes of pods: removed plugins, and files with the same path. Source: upstream
// 1.36 pkg/api/pod/warnings.go.
#include <string>
#include <utility>
#include <vector>

#include "base/go/text.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/volumes/claim_spec.h"
#include "kinds/volumes/old_plugins.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr OldPlugin kOldPodPlugins[] = {
    {"photonPersistentDisk", kRemovedIn16},
    {"gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
    {"scaleIO", kRemovedIn22},
    {"flocker", kRemovedIn25},
    {"storageos", kRemovedIn25},
    {"quobyte", kRemovedIn25},
    {"glusterfs", kRemovedIn26},
    {"ephemeral", {}},
    {"cephfs", kRemovedIn31},
    {"rbd", kRemovedIn31},
};

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

void warn_of_volumes(const Field& volumes, Warnings& out) {
  for (const Field volume : volumes.items()) {
    for (const OldPlugin& plugin : kOldPodPlugins) {
      if (!volume.has(plugin.name)) continue;
      const Field source = volume[plugin.name];
      if (!plugin.text.empty()) {
        out.at(volume[old_plugin_path(plugin.name)], {plugin.text});
        continue;
      }
      const Field claim = source["volumeClaimTemplate"];
      const Field spec = claim["spec"];
      warn_of_claim_spec(spec["resources"], out);
    }
  }
  for (const Field volume : volumes.items()) warn_of_files(*volume.value(), out);
}

}  // namespace tabernetes::registry::kinds
