// Secret.
// Source: upstream 1.36 pkg/apis/core/validation.
#include <string>

#include "base/text/base64.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/core/config_data.h"
#include "kinds/core/tls_key_pair.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kSecretRules, R"(
@secret-type
)");

namespace {

using json::Arena;
using json::Value;

void print_secret(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"type"}));
  row.number(members_at(object, {"data"}).size());
  row.age(object);
}

void set_secret_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  if (const Value* texts = object_in(object, "stringData")) {
    Value data = Value::object(arena);
    if (const Value* given = object_in(object, "data")) {
      for (const json::Member& entry : given->members()) {
        data.append(arena, entry.key, entry.value);
      }
    }
    for (const json::Member& text : texts->members()) {
      if (!text.value.is_string()) continue;
      data.set(arena, text.key, Value::string(arena.copy(base64_encode(text.value.as_string()))));
    }
    data.sort_members();
    object.erase("stringData");
    object.set(arena, "data", data);
  }
  fill_text(object, "type", "Opaque", arena);
}

void require_key(const Field& data, std::string_view key) {
  if (!data.has(key)) data.key(key).required();
}

void check_json(const Field& data, std::string_view key) {
  const Field entry = data.key(key);
  if (!entry.present()) return entry.required();
  json::Arena arena;
  const auto bytes = base64_decode(entry.text());
  const std::string text = bytes ? *bytes : std::string();
  const auto parsed = codec::read_json(text, arena);
  std::string error = parsed.error;
  if (error.empty() && !parsed.value.is_object() && !parsed.value.is_null()) {
    const std::string_view type = parsed.value.is_array()    ? "array"
                                  : parsed.value.is_string() ? "string"
                                  : parsed.value.is_bool()   ? "bool"
                                                             : "number";
    error = "json: cannot unmarshal " + std::string(type) +
            " into Go value of type map[string]interface {}";
  }
  if (!error.empty()) entry.invalid_string("<secret contents redacted>", error);
}

void secret_type(const Place& place) {
  const Field data = place.now["data"];
  const std::string_view type = place.now.text_at("type");
  const auto key_of = [&](std::string_view key) { return data.find(key); };
  if (type == "kubernetes.io/service-account-token") {
    const Field metadata = place.now["metadata"];
    const Field annotations = metadata["annotations"];
    annotations.key("kubernetes.io/service-account.name").require();
  } else if (type == "kubernetes.io/dockercfg") {
    check_json(data, ".dockercfg");
  } else if (type == "kubernetes.io/dockerconfigjson") {
    check_json(data, ".dockerconfigjson");
  } else if (type == "kubernetes.io/basic-auth") {
    if (key_of("username") != nullptr || key_of("password") != nullptr) return;
    data.key("username").required();
    data.key("password").required();
  } else if (type == "kubernetes.io/ssh-auth") {
    data.key("ssh-privatekey").require();
  } else if (type == "kubernetes.io/tls") {
    require_key(data, "tls.crt");
    require_key(data, "tls.key");
  }
}

void warn_of_secret(const Field& object, const Value*, Warnings& out) {
  if (object.text_at("type") != "kubernetes.io/tls") return;
  const Field data = object["data"];
  const std::string fault = key_pair_fault(data.text_at("tls.crt"), data.text_at("tls.key"));
  if (!fault.empty()) out.add({fault});
}

}  // namespace

extern const NamedCheck kSecretChecks[] = {
    {"secret-type", &secret_type},
};

extern const Kind kSecretKind{.group = "",
                              .kind = "Secret",
                              .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                           .set_defaults = &set_secret_defaults,
                                           .validate = &validate_secret,
                                           .validate_update = &validate_secret_update,
                                           .warnings = &warn_of_secret},
                              .rules = &kSecretRules,
                              .print = &print_secret};

}  // namespace tabernetes::registry::kinds
