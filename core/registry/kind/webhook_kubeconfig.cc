#include "registry/kind/webhook_kubeconfig.h"

#include <algorithm>
#include <utility>

#include "base/go/text.h"
#include "base/text/base64.h"
#include "codec/yaml.h"
#include "json/access.h"

namespace tabernetes::registry {
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
    if (path.empty()) return;
    const auto found = files.find(path);
    if (found == files.end()) {
      fault_ = "stat " + path + ": no such file or directory";
      return;
    }
    const codec::YamlRead read = codec::read_yaml(found->second, arena_);
    if (!read.ok()) fault_ = "error loading config file " + go_quote(path) + ": " + read.error;
    if (!read.ok() || !read.value.is_object()) return;
    config_ = read.value;
    const Value& config = config_;
    const std::string_view current = config.string_at("current-context");
    const Value* context = named(config, "contexts", "context", current);
    if (!current.empty() && context == nullptr) {
      context_fault_ = "invalid configuration: context was not found for specified context: " +
                       std::string(current);
    }
    if (context == nullptr) return;
    cluster_ = named(config, "clusters", "cluster", context->string_at("cluster"));
    user_ = named(config, "users", "user", context->string_at("user"));
    if (cluster_ == nullptr) {
      context_fault_ = "invalid configuration: [context was not found for specified context: " +
                       std::string(current) + ", cluster has no server defined]";
    }
  }

  // Returns the paths of named files that are not known.
  std::vector<std::string> lacking(UsersWanted users) const {
    std::vector<std::string> paths;
    const auto need = [&](const Value* part, std::string_view data, std::string_view file) {
      if (part == nullptr || !part->string_at(data).empty()) return;
      const std::string path = resolved(part->string_at(file));
      if (!path.empty() && !files_.contains(path)) paths.push_back(path);
    };
    const auto need_user = [&](const Value* user) {
      need(user, "client-certificate-data", "client-certificate");
      need(user, "client-key-data", "client-key");
      need(user, "token", "tokenFile");
    };
    if (users == UsersWanted::kAll) {
      for (const Value& item : json::items_in(config_, "users")) {
        need_user(json::object_in(item, "user"));
      }
      return paths;
    }
    need(cluster_, "certificate-authority-data", "certificate-authority");
    need_user(user_);
    return paths;
  }

  Expected<WebhookClient> client() {
    if (fault_.empty()) fault_ = context_fault_;
    if (!fault_.empty()) return Fault{fault_};
    if (cluster_ == nullptr) return Fault{std::string(kNothing)};
    WebhookClient client;
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
    if (user_ != nullptr) take_user(*user_, client);
    if (!fault_.empty()) return Fault{fault_};
    return client;
  }

  const Value& config() const { return config_; }
  const std::string& fault() const { return fault_; }

  // Takes the credentials of a user.
  void take_user(const Value& user, WebhookClient& client) {
    client.client_certificate = content(user, "client-certificate-data", "client-certificate");
    client.client_key = content(user, "client-key-data", "client-key");
    std::string token(user.string_at("token"));
    if (token.empty()) token = content(user, "", "tokenFile");
    if (user.find("exec") != nullptr || user.find("auth-provider") != nullptr) {
      fault_ = "users with exec or auth-provider are not supported";
    }
    const std::string name(user.string_at("username"));
    if (!token.empty()) {
      client.headers.emplace_back("Authorization", "Bearer " + std::string(go_trim_space(token)));
    } else if (!name.empty()) {
      client.headers.emplace_back(
          "Authorization",
          "Basic " + base64_encode(name + ":" + std::string(user.string_at("password"))));
    }
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

  const std::string& path_;
  const Files& files_;
  json::Arena arena_;
  std::string fault_;          // of the file
  std::string context_fault_;  // of its current context
  Value config_ = Value::object(arena_);
  const Value* cluster_ = nullptr;
  const Value* user_ = nullptr;
};

}  // namespace

std::vector<std::string> files_of_kubeconfig(const std::string& path, const Files& files,
                                             UsersWanted users) {
  if (!files.contains(path)) return {path};
  return Kubeconfig(path, files).lacking(users);
}

Expected<WebhookUsers> read_webhook_users(const std::string& path, const Files& files) {
  Kubeconfig kubeconfig(path, files);
  WebhookUsers users;
  for (const Value& item : json::items_in(kubeconfig.config(), "users")) {
    const Value* user = json::object_in(item, "user");
    WebhookClient client;
    if (user != nullptr) kubeconfig.take_user(*user, client);
    users.by_server_[std::string(item.string_at("name"))] = {std::move(client.client_certificate),
                                                             std::move(client.client_key),
                                                             std::move(client.headers)};
  }
  if (!kubeconfig.fault().empty()) return Fault{kubeconfig.fault()};
  const Value& config = kubeconfig.config();
  const Value* context = named(config, "contexts", "context", config.string_at("current-context"));
  if (context != nullptr) users.current_ = context->string_at("user");
  return users;
}

const WebhookUsers::Credentials* WebhookUsers::find(const std::string& target) const {
  const auto find_name = [&](std::string_view name) -> const Credentials* {
    auto found = by_server_.find(name);
    for (std::size_t dot = name.find('.'); found == by_server_.end() && dot != name.npos;
         dot = name.find('.', dot + 1)) {
      found = by_server_.find("*" + std::string(name.substr(dot)));
    }
    return found == by_server_.end() ? nullptr : &found->second;
  };
  if (const Credentials* exact = find_name(target)) return exact;
  if (target.ends_with(":443")) {
    if (const Credentials* usual = find_name(target.substr(0, target.size() - 4))) return usual;
  }
  for (const std::string& name : {std::string("*"), current_}) {
    const auto found = name.empty() ? by_server_.end() : by_server_.find(name);
    if (found != by_server_.end()) return &found->second;
  }
  return nullptr;
}

void WebhookUsers::identify(WebhookClient& client) const {
  constexpr std::string_view kScheme = "https://";
  if (!client.url.starts_with(kScheme)) return;
  std::string target = client.url.substr(kScheme.size());
  target.resize(std::min(target.find('/'), target.size()));
  const std::size_t colon = target.rfind(':');
  if (colon == target.npos || target.find(']', colon) != target.npos) target += ":443";
  const Credentials* found = find(target);
  if (found == nullptr) return;
  client.client_certificate = found->certificate;
  client.client_key = found->key;
  client.headers = found->headers;
}

Expected<WebhookClient> read_kubeconfig(const std::string& path, const Files& files) {
  return Kubeconfig(path, files).client();
}

}  // namespace tabernetes::registry
