#include "auth/webhook_kubeconfig.h"

#include <algorithm>
#include <utility>

#include "base/go/text.h"
#include "base/text/base64.h"
#include "codec/yaml.h"
#include "json/access.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr std::string_view kNothing =
    "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER "
    "environment variable";

// Returns the part of the item called `name` in a list of `{name, key: part}`; null if missing.
const Value* named(const Value& config, std::string_view list, std::string_view key,
                   std::string_view name) {
  for (const Value& item : json::items_in(config, list)) {
    if (item.string_at("name") == name) return json::object_in(item, key);
  }
  return nullptr;
}

class Kubeconfig {
 public:
  Kubeconfig(const std::string& path, const Files& files) : path_(path), files_(files) {
    const auto found = files.find(path);
    if (found == files.end()) {
      fault_ = "stat " + path + ": no such file or directory";
      return;
    }
    const codec::YamlRead read = codec::read_yaml(found->second, arena_);
    if (!read.ok()) fault_ = "error loading config file " + go_quote(path) + ": " + read.error;
    if (!read.ok() || !read.value.is_object()) return;
    const Value& config = read.value;
    const std::string_view current = config.string_at("current-context");
    const Value* context = named(config, "contexts", "context", current);
    if (!current.empty() && context == nullptr) {
      fault_ = "invalid configuration: context was not found for specified context: " +
               std::string(current);
    }
    if (context == nullptr) return;
    cluster_ = named(config, "clusters", "cluster", context->string_at("cluster"));
    user_ = named(config, "users", "user", context->string_at("user"));
    if (cluster_ == nullptr) {
      fault_ = "invalid configuration: [context was not found for specified context: " +
               std::string(current) + ", cluster has no server defined]";
    }
  }

  const std::string& fault() const { return fault_; }

  // Returns the paths of named files that are not known.
  std::vector<std::string> lacking() const {
    std::vector<std::string> paths;
    const auto need = [&](const Value* part, std::string_view data, std::string_view file) {
      if (part == nullptr || !part->string_at(data).empty()) return;
      const std::string path = resolved(part->string_at(file));
      if (!path.empty() && !files_.contains(path)) paths.push_back(path);
    };
    need(cluster_, "certificate-authority-data", "certificate-authority");
    need(user_, "client-certificate-data", "client-certificate");
    need(user_, "client-key-data", "client-key");
    need(user_, "token", "tokenFile");
    return paths;
  }

  Expected<registry::WebhookClient> client() {
    if (!fault_.empty()) return Fault{fault_};
    if (cluster_ == nullptr) return Fault{std::string(kNothing)};
    registry::WebhookClient client;
    client.url = cluster_->string_at("server");
    if (client.url.empty()) {
      return Fault{"invalid configuration: no server found for cluster"};
    }
    if (!client.url.starts_with("https://")) {
      return Fault{"server " + go_quote(client.url) + ": webhooks are called by https"};
    }
    if (client.url.find('/', 8) == std::string::npos) client.url += '/';
    client.ca_bundle = content(*cluster_, "certificate-authority-data", "certificate-authority");
    client.server_name = cluster_->string_at("tls-server-name");
    client.unverified = json::bool_at(*cluster_, {"insecure-skip-tls-verify"});
    if (user_ != nullptr) take_user(client);
    if (!fault_.empty()) return Fault{fault_};
    return client;
  }

 private:
  // Paths are relative to the kubeconfig's folder.
  std::string resolved(std::string_view path) const {
    if (path.empty() || path.starts_with('/')) return std::string(path);
    return path_.substr(0, path_.rfind('/') + 1) + std::string(path);
  }

  // Returns the content of a field with data in base64, or else of a file.
  std::string content(const Value& part, std::string_view data, std::string_view file) {
    if (const std::string_view text = part.string_at(data); !text.empty()) {
      const auto decoded = base64_decode(text);
      if (!decoded) fault_ = "illegal base64 data in " + std::string(data);
      return decoded.value_or(std::string());
    }
    const std::string path = resolved(part.string_at(file));
    if (path.empty()) return {};
    const auto found = files_.find(path);
    if (found != files_.end()) return found->second;
    fault_ = "invalid configuration: unable to read " + std::string(file) + " " + path + ": open " +
             path + ": no such file or directory";
    return {};
  }

  void take_user(registry::WebhookClient& client) {
    client.client_certificate = content(*user_, "client-certificate-data", "client-certificate");
    client.client_key = content(*user_, "client-key-data", "client-key");
    std::string token(user_->string_at("token"));
    if (token.empty()) token = content(*user_, "", "tokenFile");
    if (user_->find("exec") != nullptr || user_->find("auth-provider") != nullptr) {
      fault_ = "users with exec or auth-provider are not supported";
    }
    const std::string name(user_->string_at("username"));
    if (!token.empty()) {
      client.headers.emplace_back("Authorization", "Bearer " + std::string(go_trim_space(token)));
    } else if (!name.empty()) {
      client.headers.emplace_back(
          "Authorization",
          "Basic " + base64_encode(name + ":" + std::string(user_->string_at("password"))));
    }
  }

  const std::string& path_;
  const Files& files_;
  json::Arena arena_;
  std::string fault_;
  const Value* cluster_ = nullptr;
  const Value* user_ = nullptr;
};

}  // namespace

std::vector<std::string> files_of_kubeconfig(const std::string& path, const Files& files) {
  if (!files.contains(path)) return {path};
  return Kubeconfig(path, files).lacking();
}

Expected<registry::WebhookClient> read_kubeconfig(const std::string& path, const Files& files) {
  return Kubeconfig(path, files).client();
}

}  // namespace tabernetes::auth
