#include "auth/authorization_configuration.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "auth/configuration_reader.h"
#include "base/api/names.h"
#include "base/go/duration.h"
#include "base/text/ascii.h"
#include "codec/json_writer.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr ConfigurationKind kKind{
    .kind = "AuthorizationConfiguration",
    .shape =
        "{authorizers:L{type:s,name:s,webhook:{authorizedTTL:d,cacheAuthorizedRequests:b,"
        "unauthorizedTTL:d,cacheUnauthorizedRequests:b,timeout:d,"
        "subjectAccessReviewVersion:s,matchConditionSubjectAccessReviewVersion:s,"
        "failurePolicy:s,connectionInfo:{type:s,kubeConfigFile:s},"
        "matchConditions:L{expression:s}}}}",
    .scheme = "k8s.io/apiserver/pkg/apis/apiserver/load/load.go:32"};

constexpr std::uint32_t kMostConditions = 64;

struct Type {
  std::string_view name;
  Authorization mode;
};
constexpr Type kTypes[] = {{"ABAC", Authorization::kAbac},
                           {"AlwaysAllow", Authorization::kAlwaysAllow},
                           {"AlwaysDeny", Authorization::kAlwaysDeny},
                           {"Node", Authorization::kNode},
                           {"RBAC", Authorization::kRbac},
                           {"Webhook", Authorization::kWebhook}};

const Type* find_type(std::string_view name) {
  for (const Type& type : kTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) out += ascii_lower(c);
  return out;
}

Duration duration_at(const Value& object, std::string_view key) {
  return go_parse_duration(object.string_at(key)).value;
}

class AuthorizationReader : private ConfigurationReader {
 public:
  explicit AuthorizationReader(const registry::Files& files) : ConfigurationReader(files) {}

  Expected<AuthorizationConfiguration> read(const Value& configuration) {
    const field::Path path("authorizers");
    const auto authorizers = json::items_in(configuration, "authorizers");
    if (authorizers.begin() == authorizers.end()) {
      errors_.push_back(field::required(path, "at least one authorization mode must be defined"));
    }
    std::size_t i = 0;
    for (const Value& authorizer : authorizers) read_authorizer(authorizer, path.index(i++));
    if (!errors_.empty()) return Fault{field::aggregate(errors_)};
    if (!wrong_names_.empty()) return Fault{go_aggregate(wrong_names_)};
    if (!connection_fault_.empty()) return Fault{connection_fault_};
    return std::move(read_);
  }

 private:
  void read_authorizer(const Value& authorizer, const field::Path& path) {
    const std::string_view name = authorizer.string_at("type");
    const Type* type = find_type(name);
    if (name.empty()) return fail(field::required(path.child("type")));
    if (type == nullptr) {
      std::vector<std::string> known;
      for (const Type& one : kTypes) known.emplace_back(one.name);
      return fail(field::not_supported(path.child("type"), go_quote(name), known));
    }
    const bool repeats = !types_.insert(name).second;
    if (repeats && type->mode != Authorization::kWebhook) {
      return fail(field::duplicate(path.child("type"), go_quote(name)));
    }
    read_name(authorizer, path, *type);
    const Value* webhook = authorizer.find("webhook");
    read_.modes.push_back(type->mode);
    if (type->mode != Authorization::kWebhook) {
      if (webhook == nullptr) return;
      return fail(field::invalid(path.child("webhook"), go_quote("non-null"),
                                 "may only be specified when type=Webhook"));
    }
    if (webhook == nullptr) {
      return fail(field::required(path.child("webhook"), "required when type=Webhook"));
    }
    read_webhook(*webhook, path, authorizer.string_at("name"));
  }

  void read_name(const Value& authorizer, const field::Path& path, const Type& type) {
    const std::string_view name = authorizer.string_at("name");
    if (type.mode != Authorization::kWebhook && name != lower(type.name)) {
      wrong_names_.push_back("expected name " + lower(type.name) + " for authorizer " +
                             std::string(type.name) + " instead of " + std::string(name));
    }
    if (name.empty()) return fail(field::required(path.child("name")));
    if (!names_.insert(name).second) {
      return fail(field::duplicate(path.child("name"), go_quote(name)));
    }
    std::string faults;
    for (const std::string& fault : dns1123_subdomain_faults(name)) {
      faults += (faults.empty() ? "" : ", ") + fault;
    }
    if (faults.empty()) return;
    fail(field::invalid(path.child("name"), go_quote(name),
                        "authorizer name is invalid: " + faults));
  }

  void read_webhook(const Value& given, const field::Path& path, std::string_view name) {
    auto webhook = std::make_shared<AccessWebhook>();
    webhook->name = name;
    webhook->timeout = duration_at(given, "timeout");
    check_timeout(webhook->timeout, path.child("timeout"));
    webhook->authorized_ttl = read_ttl(given, "authorizedTTL", "cacheAuthorizedRequests",
                                       Duration::from_seconds(300), path);
    webhook->unauthorized_ttl = read_ttl(given, "unauthorizedTTL", "cacheUnauthorizedRequests",
                                         Duration::from_seconds(30), path);
    webhook->version = read_choice(given, "subjectAccessReviewVersion", {"v1", "v1beta1"}, path);
    const Value* conditions = given.find("matchConditions");
    const bool conditional = conditions != nullptr && conditions->size() > 0;
    const std::string_view match = "matchConditionSubjectAccessReviewVersion";
    if (!given.string_at(match).empty()) {
      read_choice(given, match, {"v1"}, path);
    } else if (conditional) {
      fail(field::required(path.child(match), "required if match conditions are specified"));
    }
    webhook->denies_on_error =
        read_choice(given, "failurePolicy", {"NoOpinion", "Deny"}, path) == "Deny";
    read_connection(given, path.child("connectionInfo"), *webhook);
    if (conditional) read_conditions(*conditions, path.child("matchConditions"), *webhook);
    read_.webhooks.push_back(std::move(webhook));
  }

  void check_timeout(Duration timeout, const field::Path& path) {
    if (timeout == Duration{}) return fail(field::required(path));
    if (Duration::from_seconds(30) < timeout || timeout < Duration{}) {
      fail(field::invalid(path, go_quote(go_duration_text(timeout)), "must be > 0s and <= 30s"));
    }
  }

  Duration read_ttl(const Value& given, std::string_view key, std::string_view caches,
                    Duration usual, const field::Path& path) {
    Duration ttl = duration_at(given, key);
    if (ttl == Duration{}) ttl = usual;
    if (ttl < Duration{}) {
      fail(field::invalid(path.child(key), go_quote(go_duration_text(ttl)), "must be > 0s"));
    }
    const Value* cached = given.find(caches);
    return cached == nullptr || cached->as_bool() ? ttl : Duration{};
  }

  std::string read_choice(const Value& given, std::string_view key,
                          const std::vector<std::string>& choices, const field::Path& path) {
    std::string text(given.string_at(key));
    if (text.empty()) {
      fail(field::required(path.child(key)));
    } else if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      fail(field::not_supported(path.child(key), go_quote(text), choices));
    }
    return text;
  }

  void read_connection(const Value& given, const field::Path& path, AccessWebhook& webhook) {
    constexpr std::string_view kFile = "kubeConfigFile";
    const Value* info = json::object_in(given, "connectionInfo");
    const std::string type(info == nullptr ? std::string_view() : info->string_at("type"));
    const std::string file(info == nullptr ? std::string_view() : info->string_at(kFile));
    if (type.empty()) return fail(field::required(path.child("type")));
    if (type == "InClusterConfig") {
      if (info->find(kFile) != nullptr) {
        fail(field::invalid(path.child(kFile), go_quote(file),
                            "can only be set when type=KubeConfigFile"));
      }
      // Upstream allows it in the validation and then has no file to read.
      connection_fault_ = "connectionInfo.type InClusterConfig is not allowed for kube-apiserver";
      return;
    }
    if (type != "KubeConfigFile") {
      return fail(field::not_supported(path.child("type"), codec::json_text(*info),
                                       {"InClusterConfig", "KubeConfigFile"}));
    }
    if (file.empty()) return fail(field::required(path.child(kFile)));
    if (!file.starts_with('/')) {
      return fail(field::invalid(path.child(kFile), go_quote(file), "must be an absolute path"));
    }
    if (find_file(path.child(kFile), file) == nullptr) return;
    auto client = registry::read_kubeconfig(file, files_);
    if (client) {
      webhook.client = std::move(*client);
    } else if (connection_fault_.empty()) {
      connection_fault_ = client.fault().message;
    }
  }

  void read_conditions(const Value& conditions, const field::Path& path, AccessWebhook& webhook) {
    if (conditions.size() > kMostConditions) {
      return fail(field::too_many(path, conditions.size(), kMostConditions));
    }
    std::set<std::string_view> seen;
    for (std::uint32_t i = 0; i < conditions.size(); ++i) {
      const std::string_view expression = conditions.items()[i].string_at("expression");
      const field::Path at = path.index(i).child("expression");
      if (go_trim_space(expression).empty()) {
        fail(field::required(at));
      } else if (!seen.insert(expression).second) {
        fail(field::duplicate(at, go_quote(expression)));
      } else if (std::string fault = webhook.conditions.add(expression); !fault.empty()) {
        fail(field::invalid(at, go_quote(expression), fault));
      }
    }
  }

  AuthorizationConfiguration read_;
  std::vector<std::string> wrong_names_;
  std::string connection_fault_;
  std::set<std::string_view> types_, names_;
};

}  // namespace

Expected<AuthorizationConfiguration> read_authorization_configuration(
    std::string_view text, const registry::Files& files) {
  json::Arena arena;
  const auto read = read_strictly(text, kKind, arena);
  if (!read) {
    return Fault{"failed to load AuthorizationConfiguration from file: " + read.fault().message};
  }
  return AuthorizationReader(files).read(*read);
}

std::vector<std::string> kubeconfigs_of(const Options& options) {
  std::vector<std::string> paths;
  if (!options.token_webhook.kubeconfig.empty()) paths.push_back(options.token_webhook.kubeconfig);
  json::Arena arena;
  const auto read = read_strictly(options.authorization_configuration, kKind, arena);
  if (!read) return paths;
  for (const Value& authorizer : json::items_in(*read, "authorizers")) {
    paths.emplace_back(json::text_at(authorizer, {"webhook", "connectionInfo", "kubeConfigFile"}));
  }
  return paths;
}

AuthorizationConfiguration authorization_of(const Options& options) {
  if (options.authorization_configuration.empty()) return {options.authorization, {}};
  auto read = read_authorization_configuration(options.authorization_configuration, options.files);
  if (read) return std::move(*read);
  return {{Authorization::kAlwaysDeny}, {}};
}

}  // namespace tabernetes::auth

namespace tabernetes {

Expected<std::vector<Authorization>> check_authorization_configuration(
    std::string_view text, const std::map<std::string, std::string>& files) {
  auto read = auth::read_authorization_configuration(text, files);
  if (!read) return std::move(read).fault();
  return std::move(read->modes);
}

std::string authorization_configuration_of(const std::vector<Authorization>& modes,
                                           const AuthorizationWebhook& webhook) {
  std::string text =
      R"({"apiVersion":"apiserver.config.k8s.io/v1","kind":"AuthorizationConfiguration",)"
      R"("authorizers":[)";
  const auto cached = [](std::string_view ttl, std::string_view caches, Duration span) {
    // No duration means the usual one there.
    const bool keeps = Duration{} < span;
    return "\"" + std::string(ttl) + "\":\"" + (keeps ? go_duration_text(span) : "1s") + "\",\"" +
           std::string(caches) + "\":" + (keeps ? "true" : "false") + ",";
  };
  for (const Authorization mode : modes) {
    const std::string name = authorization_modes_text({mode});
    if (!text.ends_with('[')) text += ',';
    if (mode != Authorization::kWebhook) {
      text += "{\"type\":\"" + name + "\",\"name\":\"" + auth::lower(name) + "\"}";
      continue;
    }
    text += R"({"type":"Webhook","name":"default","webhook":{"timeout":"30s",)" +
            cached("authorizedTTL", "cacheAuthorizedRequests", webhook.authorized_ttl) +
            cached("unauthorizedTTL", "cacheUnauthorizedRequests", webhook.unauthorized_ttl) +
            R"("failurePolicy":"NoOpinion","subjectAccessReviewVersion":)";
    codec::write_json_string(webhook.version, text);
    text += R"(,"connectionInfo":{"type":"KubeConfigFile","kubeConfigFile":)";
    codec::write_json_string(webhook.kubeconfig, text);
    text += "}}}";
  }
  return text + "]}";
}

}  // namespace tabernetes
