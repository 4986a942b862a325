// Reads and validates audit policies.

#include <algorithm>
#include <string>

#include "base/api/api_version.h"
#include "base/api/field_error.h"
#include "base/api/names.h"
#include "base/go/text.h"
#include "codec/json_reader.h"
#include "codec/yaml.h"
#include "json/access.h"
#include "json/type_name.h"
#include "server/audit/audit_policy.h"

namespace tabernetes::server {
namespace {

using json::Value;
using Texts = std::vector<std::string>;

constexpr std::string_view kPolicyVersion = "audit.k8s.io/v1";
constexpr std::string_view kStagesText =
    "allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic";

// Decodes members as encoding/json does: the first type error is kept, unknown members are noted.
class PolicyDecoder {
 public:
  std::string error;
  Texts unknown;

  void policy(const Value& value, AuditPolicy& into) {
    const Place place{"Policy", "", ""};
    note_unknown(value, place,
                 {"apiVersion", "kind", "metadata", "omitManagedFields", "omitStages", "rules"});
    if (const Value* given = member(value, "omitManagedFields")) {
      into.omits_managed_fields = flag(*given, place, "omitManagedFields").value_or(false);
    }
    texts(value, place, "omitStages", "v1.Stage", into.omitted_stages);
    list(value, place, "rules", "v1.PolicyRule", [&](const Value& item, std::size_t index) {
      rule(item, index, into.rules.emplace_back());
    });
  }

 private:
  // Where a value is: the Go struct, its path as errors name it, and as strict errors do.
  struct Place {
    std::string_view type;
    std::string path, strict;

    std::string of(std::string_view name) const { return path + std::string(name); }
  };

  void rule(const Value& value, std::size_t index, AuditRule& into) {
    const Place place{"PolicyRule", "rules.", "rules[" + std::to_string(index) + "]."};
    if (!is_struct(value, {"Policy", "", ""}, "rules", "v1.PolicyRule")) return;
    note_unknown(value, place,
                 {"level", "namespaces", "nonResourceURLs", "omitManagedFields", "omitStages",
                  "resources", "userGroups", "users", "verbs"});
    if (const Value* level = member(value, "level")) {
      if (level->is_string()) {
        into.level = level->as_string();
      } else {
        mistyped(*level, place, "level", "v1.Level");
      }
    }
    texts(value, place, "namespaces", "string", into.namespaces);
    texts(value, place, "nonResourceURLs", "string", into.paths);
    if (const Value* given = member(value, "omitManagedFields")) {
      into.omits_managed_fields = flag(*given, place, "omitManagedFields");
    }
    texts(value, place, "omitStages", "v1.Stage", into.omitted_stages);
    list(value, place, "resources", "v1.GroupResources", [&](const Value& item, std::size_t at) {
      resources(item, place, at, into.resources.emplace_back());
    });
    texts(value, place, "userGroups", "string", into.groups);
    texts(value, place, "users", "string", into.users);
    texts(value, place, "verbs", "string", into.verbs);
  }

  void resources(const Value& value, const Place& rule, std::size_t index, AuditedResources& into) {
    if (!is_struct(value, rule, "resources", "v1.GroupResources")) return;
    const Place place{"GroupResources", "rules.resources.",
                      rule.strict + "resources[" + std::to_string(index) + "]."};
    note_unknown(value, place, {"group", "resourceNames", "resources"});
    if (const Value* group = member(value, "group")) {
      if (group->is_string()) {
        into.group = group->as_string();
      } else {
        mistyped(*group, place, "group", "string");
      }
    }
    texts(value, place, "resourceNames", "string", into.names);
    texts(value, place, "resources", "string", into.resources);
  }

  static const Value* member(const Value& value, std::string_view name) {
    const Value* found = value.find(name);
    return found == nullptr || found->is_null() ? nullptr : found;
  }

  template <typename Visit>
  void list(const Value& value, const Place& place, std::string_view name, std::string_view item,
            const Visit& visit) {
    const Value* given = member(value, name);
    if (given == nullptr) return;
    if (!given->is_array()) return mistyped(*given, place, name, "[]" + std::string(item));
    std::size_t index = 0;
    for (const Value& one : given->items()) visit(one, index++);
  }

  void texts(const Value& value, const Place& place, std::string_view name, std::string_view type,
             Texts& into) {
    list(value, place, name, type, [&](const Value& item, std::size_t) {
      into.emplace_back(text_of(item));
      if (!item.is_string() && !item.is_null()) mistyped(item, place, name, type);
    });
  }

  std::optional<bool> flag(const Value& value, const Place& place, std::string_view name) {
    if (value.is_bool()) return value.as_bool();
    mistyped(value, place, name, "bool");
    return std::nullopt;
  }

  bool is_struct(const Value& value, const Place& place, std::string_view name,
                 std::string_view type) {
    if (value.is_object()) return true;
    if (!value.is_null()) mistyped(value, place, name, type);
    return false;
  }

  void mistyped(const Value& value, const Place& place, std::string_view name,
                std::string_view type) {
    if (!error.empty()) return;
    error = "json: cannot unmarshal " + std::string(json::go_type_name(value)) +
            " into Go struct field " + std::string(place.type) + "." + place.of(name) +
            " of type " + std::string(type);
  }

  void note_unknown(const Value& value, const Place& place,
                    std::initializer_list<std::string_view> known) {
    for (const json::Member& given : value.members()) {
      if (std::find(known.begin(), known.end(), given.key) != known.end()) continue;
      unknown.push_back("unknown field " + go_quote(place.strict + std::string(given.key)));
    }
  }
};

void check_stages(const Texts& stages, const field::Path& path, field::ErrorList& errors) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string& stage = stages[i];
    if (stage != "RequestReceived" && stage != "ResponseStarted" && stage != "ResponseComplete" &&
        stage != "Panic") {
      errors.push_back(field::invalid(path.index(i), go_quote(stage), kStagesText));
    }
  }
}

std::string go_list(const Texts& texts) {
  std::string text = "[";
  for (const std::string& one : texts) {
    text += (&one == &texts.front() ? "" : ",") + go_quote(one);
  }
  return text + "]";
}

void check_paths(const AuditRule& rule, const field::Path& path, field::ErrorList& errors) {
  if (rule.paths.empty()) return;
  if (!rule.resources.empty() || !rule.namespaces.empty()) {
    errors.push_back(
        field::invalid(path, go_list(rule.paths),
                       "rules cannot apply to both regular resources and non-resource URLs"));
    return;
  }
  for (std::size_t i = 0; i < rule.paths.size(); ++i) {
    const std::string& url = rule.paths[i];
    if (url == "*") continue;
    if (!url.starts_with('/')) {
      errors.push_back(field::invalid(path.index(i), go_quote(url),
                                      "non-resource URL rules must begin with a '/' character"));
    }
    if (!url.empty() && std::string_view(url).substr(0, url.size() - 1).find('*') != url.npos) {
      errors.push_back(
          field::invalid(path.index(i), go_quote(url),
                         "non-resource URL wildcards '*' must be the final character of the rule"));
    }
  }
}

void check_resources(const AuditRule& rule, const field::Path& path, field::ErrorList& errors) {
  for (const AuditedResources& wanted : rule.resources) {
    if (!wanted.group.empty()) {
      std::string why;
      for (const std::string& fault : dns1123_subdomain_faults(wanted.group)) {
        why += (why.empty() ? "" : ",") + fault;
      }
      if (!why.empty()) {
        errors.push_back(field::invalid(path.child("group"), go_quote(wanted.group), why));
      }
    }
    if (!wanted.names.empty() && wanted.resources.empty()) {
      errors.push_back(field::invalid(path.child("resourceNames"), go_list(wanted.names),
                                      "using resourceNames requires at least one resource"));
    }
  }
}

field::ErrorList faults_of(const AuditPolicy& policy) {
  static const Texts kLevels = {"None", "Metadata", "Request", "RequestResponse"};
  field::ErrorList errors;
  check_stages(policy.omitted_stages, field::Path("omitStages"), errors);
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    const AuditRule& rule = policy.rules[i];
    const field::Path path = field::Path("rules").index(i);
    if (rule.level.empty()) {
      errors.push_back(field::required(path.child("level")));
    } else if (std::find(kLevels.begin(), kLevels.end(), rule.level) == kLevels.end()) {
      errors.push_back(field::not_supported(path.child("level"), go_quote(rule.level), kLevels));
    }
    check_paths(rule, path.child("nonResourceURLs"), errors);
    check_resources(rule, path.child("resources"), errors);
    check_stages(rule.omitted_stages, path.child("omitStages"), errors);
  }
  return errors;
}

// Returns why the document is of another kind; empty if it is a policy.
std::string fault_of_kind(const Value& document) {
  const std::string_view version = document.string_at("apiVersion");
  const std::string_view kind = document.string_at("kind");
  if (version.empty()) {
    if (!kind.empty() && kind != "Policy") {
      return "failed decoding: no kind \"" + std::string(kind) +
             "\" is registered for the internal version of group \"audit.k8s.io\" in scheme "
             "\"k8s.io/apiserver/pkg/audit/scheme.go:30\"";
    }
    return "unknown group version field audit.k8s.io/__internal, Kind=Policy in policy";
  }
  if (version != kPolicyVersion || (!kind.empty() && kind != "Policy")) {
    return "failed decoding: no kind " + go_quote(kind.empty() ? "Policy" : kind) +
           " is registered for version " + go_quote(version) +
           " in scheme \"k8s.io/apiserver/pkg/audit/scheme.go:30\"";
  }
  return {};
}

std::string joined_texts(const Texts& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

}  // namespace

tl::expected<ReadAuditPolicy, std::string> read_audit_policy(std::string_view text) {
  json::Arena arena;
  codec::YamlRead read = codec::read_yaml(text, arena);
  if (!read.ok()) return tl::make_unexpected("failed decoding: " + read.error);
  if (read.value.is_null()) read.value = Value::object(arena);
  if (!read.value.is_object()) {
    return tl::make_unexpected(
        "failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal " +
        std::string(json::go_type_name(read.value)) +
        " into Go value of type struct { APIVersion "
        "string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" "
        "}");
  }
  ReadAuditPolicy made;
  std::string fault = fault_of_kind(read.value);
  PolicyDecoder decoder;
  if (fault.starts_with("unknown")) {
    // Nothing is known of the internal version but its kind.
    for (const json::Member& given : read.value.members()) {
      if (given.key == "apiVersion" || given.key == "kind") continue;
      decoder.unknown.push_back("unknown field " + go_quote(given.key));
    }
  } else if (fault.empty()) {
    decoder.policy(read.value, made.policy);
    if (!decoder.error.empty()) fault = "failed decoding: " + decoder.error;
  }
  if (!fault.empty()) return tl::make_unexpected(std::move(fault));
  if (!read.duplicates.empty()) {
    std::string lines = "yaml: unmarshal errors:";
    for (const std::string& line : read.duplicates) lines += "\n  " + line;
    decoder.unknown.insert(decoder.unknown.begin(), std::move(lines));
  }
  if (!decoder.unknown.empty()) {
    made.warning =
        "Audit policy contains errors, falling back to lenient decoding: strict decoding error: " +
        joined_texts(decoder.unknown);
  }
  const field::ErrorList errors = faults_of(made.policy);
  if (!errors.empty()) return tl::make_unexpected(field::aggregate(errors));
  if (made.policy.rules.empty()) {
    return tl::make_unexpected(std::string("loaded illegal policy with 0 rules"));
  }
  return made;
}

}  // namespace tabernetes::server
