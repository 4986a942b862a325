#include "server/body.h"

#include "base/api_version.h"
#include "json/type_name.h"
#include "schema/decode.h"
#include "server/raw_body.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kScheme = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30";
constexpr std::string_view kOptionsScheme =
    "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27";
constexpr std::string_view kTypeMetaType =
    R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })";
constexpr std::size_t kSnippetBytes = 30;

// The beginning of a body, as an error shows it.
std::string snippet(std::string_view body) {
  if (body.empty()) return "<empty>";
  const bool cut = body.size() > kSnippetBytes;
  const std::string_view head = body.substr(0, kSnippetBytes);
  std::string text;
  if (body.front() == '{') {
    text = head;
  } else {
    static constexpr char kHex[] = "0123456789abcdef";
    for (const char c : head) {
      text += kHex[static_cast<unsigned char>(c) >> 4];
      text += kHex[static_cast<unsigned char>(c) & 15];
    }
  }
  return cut ? text + " ..." : text;
}

ApiStatus unrecognized(const Request& request, std::string_view kind, std::string_view cause) {
  return errors::bad_request("the object provided is unrecognized (must be of type " +
                             std::string(kind) + "): " + std::string(cause) + " (" +
                             snippet(request.body) + ")");
}

// Go's complaint about a body that has no place for apiVersion and kind; empty if it has.
std::string type_meta_error(const Value& value) {
  const std::string prefix = "couldn't get version/kind; json parse error: json: cannot unmarshal ";
  if (value.is_null()) return {};
  if (!value.is_object()) {
    return prefix + std::string(json::go_type_name(value)) + " into Go value of type " +
           std::string(kTypeMetaType);
  }
  for (const json::Member& member : value.members()) {
    if (member.key != "apiVersion" && member.key != "kind") continue;
    if (member.value.is_string() || member.value.is_null()) continue;
    return prefix + std::string(json::go_type_name(member.value)) + " into Go struct field ." +
           std::string(member.key) + " of type string";
  }
  return {};
}

struct Gvk {
  std::string group, version, kind;
  std::string api_version() const { return GroupVersion{group, version}.to_string(); }
};

// What the body says it is, the rest taken from the path. False: apiVersion has too many slashes.
bool read_gvk(const Value& value, const Gvk& expected, Gvk& actual) {
  actual = expected;
  if (!value.is_object()) return true;
  const std::string_view kind = value.string_at("kind");
  if (!kind.empty()) actual.kind = kind;
  const std::string_view text = value.string_at("apiVersion");
  if (text.empty()) return true;
  const auto [group, version] = split_api_version(text);
  actual.group = group;
  actual.version = version;
  return actual.version.find('/') == std::string::npos;
}

std::string cannot_be_handled(const Gvk& actual, std::string_view target) {
  return actual.kind + " in version \"" + actual.version + "\" cannot be handled as a " +
         std::string(target) + ": ";
}

std::string not_registered(const Gvk& actual, std::string_view scheme) {
  return "no kind \"" + actual.kind + "\" is registered for version \"" + actual.api_version() +
         "\" in scheme \"" + std::string(scheme) + "\"";
}

// Versions that kube-apiserver's scheme knows but does not serve: of a group that it does serve.
bool is_known_elsewhere(const schema::Catalogue& catalogue, const Gvk& actual) {
  return actual.group == "extensions" && actual.version == "v1beta1" &&
         catalogue.find_kind("apps", "v1", actual.kind) != nullptr;
}

std::string internal_package(std::string_view group) {
  if (group.empty()) return "core";
  return std::string(group.substr(0, group.find('.')));
}

// 400 unless the body is of the expected kind.
Result<void> check_gvk(const schema::Catalogue& catalogue, const Gvk& expected, const Gvk& actual) {
  if (actual.kind == expected.kind && actual.api_version() == expected.api_version()) return {};
  const bool known = catalogue.find_kind(actual.group, actual.version, actual.kind) != nullptr;
  if (actual.kind == expected.kind && (known || is_known_elsewhere(catalogue, actual))) {
    return make_unexpected(errors::bad_request(
        "the API version in the data (" + actual.api_version() +
        ") does not match the expected API version (" + expected.api_version() + ")"));
  }
  const std::string cause = known ? "converting (" + actual.version + "." + actual.kind + ") to (" +
                                        internal_package(expected.group) + "." + expected.kind +
                                        "): unknown conversion"
                                  : not_registered(actual, kScheme);
  return make_unexpected(errors::bad_request(cannot_be_handled(actual, expected.kind) + cause));
}

// All errors of a YAML document as the one error that go-yaml makes of them. (Warnings are taken
// apart again.)
std::vector<std::string> yaml_unmarshal_errors(const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = "yaml: unmarshal errors:";
  for (const std::string& line : lines) text += "\n  " + line;
  return {text};
}

Gvk expected_gvk(const Call& call) {
  const schema::Resource& resource = *call.type->resource;
  if (call.subresource != nullptr) {
    return {std::string(call.subresource->group), std::string(call.subresource->version),
            std::string(call.subresource->kind)};
  }
  return {std::string(resource.group), std::string(resource.version), std::string(resource.kind)};
}

}  // namespace

Result<void> check_body_size(const Request& request) {
  if (request.body.size() <= kMaxBodyBytes) return {};
  return make_unexpected(
      errors::request_entity_too_large("limit is " + std::to_string(kMaxBodyBytes)));
}

Result<void> judge_strict_errors(Call& call, FieldValidation validation,
                                 const std::vector<std::string>& strict_errors,
                                 std::string_view refusal) {
  if (strict_errors.empty() || validation == FieldValidation::kIgnore) return {};
  if (validation == FieldValidation::kWarn) {
    call.warnings.insert(call.warnings.end(), strict_errors.begin(), strict_errors.end());
    return {};
  }
  std::string text(refusal);
  text += "strict decoding error: ";
  for (std::size_t i = 0; i < strict_errors.size(); ++i) {
    if (i > 0) text += ", ";
    text += strict_errors[i];
  }
  return make_unexpected(errors::bad_request(text));
}

Result<Value> decode_body(Call& call, FieldValidation validation) {
  TAB_TRY(const codec::Encoding encoding, body_encoding(call.request, call.surface.negotiation));
  const Gvk expected = expected_gvk(call);
  RawBody raw = read_raw_body(call.request.body, encoding, call.arena);
  if (raw.error.empty()) raw.error = type_meta_error(raw.value);
  if (!raw.error.empty()) {
    return make_unexpected(unrecognized(call.request, expected.kind, raw.error));
  }
  Gvk actual;
  if (!read_gvk(raw.value, expected, actual)) {
    const std::string text(raw.value.string_at("apiVersion"));
    return make_unexpected(
        unrecognized(call.request, expected.kind, "unexpected GroupVersion string: " + text));
  }
  TAB_CHECK(check_gvk(call.surface.catalogue, expected, actual));

  const schema::Type* type =
      call.surface.catalogue.find_kind(expected.group, expected.version, expected.kind);
  if (type == nullptr) return make_unexpected(errors::route_not_found());
  const Strictness strictness =
      validation == FieldValidation::kIgnore ? Strictness::kLax : Strictness::kStrict;
  schema::DecodeResult decoded = decode_raw(*type, raw, strictness, call.arena);
  const std::string prefix = cannot_be_handled(actual, expected.kind);
  if (!decoded.error.empty()) return make_unexpected(errors::bad_request(prefix + decoded.error));
  std::vector<std::string> strict = std::move(raw.duplicates);
  if (encoding == codec::Encoding::kYaml && validation == FieldValidation::kStrict) {
    strict = yaml_unmarshal_errors(strict);
  }
  strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  TAB_CHECK(judge_strict_errors(call, validation, strict, prefix));
  return decoded.value;
}

Result<Value> decode_delete_options(Call& call) {
  TAB_TRY(const codec::Encoding encoding, body_encoding(call.request, call.surface.negotiation));
  RawBody raw = read_raw_body(call.request.body, encoding, call.arena);
  if (raw.error.empty()) raw.error = type_meta_error(raw.value);
  if (!raw.error.empty()) return make_unexpected(errors::bad_request(raw.error));
  Gvk actual;
  const Gvk expected{"", "v1", "DeleteOptions"};
  if (!read_gvk(raw.value, expected, actual)) {
    return make_unexpected(errors::bad_request("unexpected GroupVersion string: " +
                                               std::string(raw.value.string_at("apiVersion"))));
  }
  if (actual.kind != "DeleteOptions") {
    // The scheme that reads options has the kinds of meta/v1 alone.
    return make_unexpected(errors::bad_request(
        actual.kind == "Status" ? "converting (" + actual.version + "." + actual.kind +
                                      ") to (v1.DeleteOptions): unknown conversion"
                                : not_registered(actual, kOptionsScheme)));
  }
  schema::DecodeResult decoded =
      decode_raw(call.surface.catalogue.delete_options(), raw, Strictness::kLax, call.arena);
  if (!decoded.error.empty()) return make_unexpected(errors::bad_request(decoded.error));
  return decoded.value;
}

}  // namespace tabernetes::server
