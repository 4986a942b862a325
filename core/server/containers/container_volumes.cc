// The files of a container: those of its image, of its pod and of its volumes. Source: upstream
// 1.36 pkg/volume/{configmap,secret,projected,downwardapi}, pkg/kubelet/kubelet_pods.go.
#include <algorithm>

#include "base/text/base64.h"
#include "json/access.h"
#include "server/containers/container_world.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kPrograms[] = {
    "ash",  "cat",      "cp", "curl",  "date",  "echo",  "env",      "false",  "grep",
    "head", "hostname", "id", "ls",    "mkdir", "mv",    "printenv", "printf", "ps",
    "pwd",  "rm",       "sh", "sleep", "sort",  "tail",  "tar",      "test",   "touch",
    "true", "uname",    "wc", "wget",  "which", "whoami"};

// What an image has; it is the same for all.
FileTree image_files(const WorldSource& source) {
  const Time made = source.started;
  FileTree files;
  for (const std::string_view name :
       {"", "/bin", "/dev", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/tmp", "/usr",
        "/usr/bin", "/usr/local", "/usr/local/bin", "/var", "/var/log", "/var/run"}) {
    files.emplace(std::string(name), folder(made, name == "/tmp" ? 01777 : 0755));
  }
  for (const std::string_view name : kPrograms) {
    files.emplace("/bin/" + std::string(name), plain_file("", made, 0755));
  }
  const std::string host = hostname_of(source.pod);
  const std::string ns(text_at(source.pod, {"metadata", "namespace"}));
  const std::string address(text_at(source.pod, {"status", "podIP"}));
  const auto add = [&](std::string_view path, std::string text) {
    files.emplace(std::string(path), plain_file(std::move(text), made));
  };
  add("/etc/hostname", host + "\n");
  add("/etc/hosts",
      "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost "
      "ip6-loopback\nfe00::\tip6-localnet\nfe00::\tip6-mcastprefix\nfe00::1\tip6-allnodes\n"
      "fe00::2\tip6-allrouters\n" +
          (address.empty() ? std::string() : address + "\t" + host + "\n"));
  add("/etc/resolv.conf", "search " + ns +
                              ".svc.cluster.local svc.cluster.local cluster.local\n"
                              "nameserver 10.96.0.10\noptions ndots:5\n");
  add("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n");
  add("/etc/group", "root:x:0:\n");
  add("/etc/os-release", "NAME=\"tabernetes\"\nID=tabernetes\n");
  return files;
}

// A volume whose files come from objects.
class Contents {
 public:
  Contents(const WorldSource& source, int mode) : source_(source), mode_(mode) {
    files_.emplace("", folder(source.started, 0777));
  }

  void put(std::string_view path, std::string bytes, const Value& item) {
    const Value* own = item.find("mode");
    const std::string at = normal_path(path);
    for (std::size_t slash = at.find('/', 1); slash != std::string::npos;
         slash = at.find('/', slash + 1)) {
      files_.try_emplace(at.substr(0, slash), folder(source_.started));
    }
    const int mode = own != nullptr && own->is_int() ? static_cast<int>(own->as_int()) : mode_;
    files_[at] = plain_file(std::move(bytes), source_.started, mode);
  }

  void put_object(const registry::ObjectReader::Resource& resource, std::string_view name,
                  const Value& items) {
    const Value object = source_.objects.find_object(
        resource, text_at(source_.pod, {"metadata", "namespace"}), name, source_.arena);
    const bool secret = resource.plural == "secrets";
    for (const std::string_view member : {"data", "binaryData"}) {
      for (const json::Member& entry : members_at(object, {member})) {
        const bool encoded = secret || member == "binaryData";
        const std::string_view text = text_of(entry.value);
        put_key(entry.key, encoded ? base64_decode(text).value_or("") : std::string(text), items);
      }
    }
  }

  void put_downward(const Value& from) {
    for (const Value& item : items_at(from, {"items"})) {
      const Value* field = item.find("fieldRef");
      const Value* resource = item.find("resourceFieldRef");
      std::string text;
      if (field != nullptr) text = pod_field(source_.pod, field->string_at("fieldPath"));
      if (resource != nullptr) text = resource_field(source_.pod, source_.spec, *resource);
      put(item.string_at("path"), std::move(text), item);
    }
  }

  void put_token(const Value& from);

  FileTree take() { return std::move(files_); }

 private:
  void put_key(std::string_view key, std::string bytes, const Value& items) {
    if (!items.is_array() || items.size() == 0) return put(key, std::move(bytes), Value());
    for (const Value& item : items.items()) {
      if (item.string_at("key") == key) put(item.string_at("path"), bytes, item);
    }
  }

  const WorldSource& source_;
  int mode_;
  FileTree files_;
};

// What a kubelet asks a token for; signed when the file is read.
struct PodToken {
  const auth::TokenIssuer& tokens;
  std::string ns, node, pod, pod_uid, account, account_uid, audience;
  std::int64_t begun = 0, seconds = 0;

  std::string issue() const {
    json::Arena arena;
    const auto reference = [&arena](const std::string& name, const std::string& uid) {
      Value object = Value::object(arena);
      object.append(arena, "name", Value::string(name));
      if (!uid.empty()) object.append(arena, "uid", Value::string(uid));
      return object;
    };
    Value audiences = Value::array(arena);
    audiences.push_back(arena, Value::string(audience));
    Value kubernetes = Value::object(arena);
    kubernetes.append(arena, "namespace", Value::string(ns));
    kubernetes.append(arena, "node", reference(node, {}));
    kubernetes.append(arena, "pod", reference(pod, pod_uid));
    kubernetes.append(arena, "serviceaccount", reference(account, account_uid));
    const std::string subject = "system:serviceaccount:" + ns + ":" + account;
    Value claims = Value::object(arena);
    claims.append(arena, "aud", audiences);
    claims.append(arena, "exp", Value::integer(begun + seconds));
    claims.append(arena, "iat", Value::integer(begun));
    claims.append(arena, "iss", Value::string(auth::kIssuer));
    claims.append(arena, "kubernetes.io", kubernetes);
    claims.append(arena, "nbf", Value::integer(begun));
    claims.append(arena, "sub", Value::string(subject));
    return tokens.issue(claims);
  }
};

void Contents::put_token(const Value& from) {
  const Value& pod = source_.pod;
  PodToken token{.tokens = source_.tokens,
                 .ns = std::string(text_at(pod, {"metadata", "namespace"})),
                 .node = std::string(text_at(pod, {"spec", "nodeName"})),
                 .pod = std::string(text_at(pod, {"metadata", "name"})),
                 .pod_uid = std::string(text_at(pod, {"metadata", "uid"})),
                 .account = std::string(text_at(pod, {"spec", "serviceAccountName"})),
                 .account_uid = {},
                 .audience = std::string(from.string_at("audience")),
                 .begun = source_.now.unix_seconds(),
                 .seconds = number_at(from, {"expirationSeconds"})};
  const Value account =
      source_.objects.find_object(kWorldAccounts, token.ns, token.account, source_.arena);
  if (account.is_null()) return;
  token.account_uid = text_at(account, {"metadata", "uid"});
  if (token.audience.empty()) token.audience = auth::kIssuer;
  if (token.seconds == 0) token.seconds = 3600;
  const std::string path = normal_path(from.string_at("path"));
  put(path, {}, Value());
  files_[path].bytes = nullptr;
  files_[path].make = [token = std::move(token)] { return token.issue(); };
}

int mode_of(const Value& source) {
  const Value* mode = source.find("defaultMode");
  return mode != nullptr && mode->is_int() ? static_cast<int>(mode->as_int()) : 0644;
}

Value items_of(const Value& source) {
  const Value* items = source.find("items");
  return items != nullptr ? *items : Value();
}

// Returns the files of a volume that objects fill; nullopt: it is empty and can be written.
std::optional<FileTree> contents_of(const WorldSource& source, const Value& volume) {
  if (const Value* map = volume.find("configMap")) {
    Contents contents(source, mode_of(*map));
    contents.put_object(kWorldConfigMaps, map->string_at("name"), items_of(*map));
    return contents.take();
  }
  if (const Value* secret = volume.find("secret")) {
    Contents contents(source, mode_of(*secret));
    contents.put_object(kWorldSecrets, secret->string_at("secretName"), items_of(*secret));
    return contents.take();
  }
  if (const Value* downward = volume.find("downwardAPI")) {
    Contents contents(source, mode_of(*downward));
    contents.put_downward(*downward);
    return contents.take();
  }
  const Value* projected = volume.find("projected");
  if (projected == nullptr) return std::nullopt;
  Contents contents(source, mode_of(*projected));
  for (const Value& part : items_at(*projected, {"sources"})) {
    if (const Value* map = part.find("configMap")) {
      contents.put_object(kWorldConfigMaps, map->string_at("name"), items_of(*map));
    } else if (const Value* secret = part.find("secret")) {
      contents.put_object(kWorldSecrets, secret->string_at("name"), items_of(*secret));
    } else if (const Value* downward = part.find("downwardAPI")) {
      contents.put_downward(*downward);
    } else if (const Value* token = part.find("serviceAccountToken")) {
      contents.put_token(*token);
    }
  }
  return contents.take();
}

const Value* volume_named(const Value& pod, std::string_view name) {
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (volume.string_at("name") == name) return &volume;
  }
  return nullptr;
}

}  // namespace

ContainerFiles files_of(const WorldSource& source) {
  std::vector<ContainerFiles::Mount> mounts;
  mounts.push_back({.path = "",
                    .files = image_files(source),
                    .written = source.written.of_container(
                        source.pod, source.spec.string_at("name"), source.started),
                    .below = ""});
  // What an image has at its working folder exists, whatever the image is.
  for (std::string at = normal_path(source.spec.string_at("workingDir")); !at.empty();
       at.resize(at.rfind('/'))) {
    mounts.front().files.try_emplace(at, folder(source.started));
  }
  for (const Value& mount : items_at(source.spec, {"volumeMounts"})) {
    const std::string_view name = mount.string_at("name");
    const Value* volume = volume_named(source.pod, name);
    if (volume == nullptr) continue;
    std::optional<FileTree> files = contents_of(source, *volume);
    const bool writable = !files && !bool_at(mount, {"readOnly"});
    ContainerFiles::Mount mounted{.path = normal_path(mount.string_at("mountPath")),
                                  .files = {},
                                  .written = nullptr,
                                  .below = normal_path(mount.string_at("subPath"))};
    if (mounted.path.empty()) continue;
    if (files) {
      mounted.files = std::move(*files);
    } else {
      mounted.written = source.written.of_volume(source.pod, name);
      if (!writable) {
        for (const auto& [path, file] : *mounted.written) {
          if (file) mounted.files.emplace(path, *file);
        }
        mounted.written = nullptr;
      }
    }
    mounts.push_back(std::move(mounted));
  }
  return ContainerFiles(std::move(mounts));
}

}  // namespace tabernetes::server
