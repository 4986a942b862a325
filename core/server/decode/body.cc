#include "server/decode/body.h"

#include "base/text/ascii.h"
#include "schema/decode.h"
#include "server/decode/custom_body.h"
#include "server/decode/patched_object.h"
#include "server/decode/raw_body.h"
#include "server/decode/registered_kinds.h"
#include "server/decode/type_meta.h"
#include "server/http/body_limit.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::size_t kSnippetBytes = 30;

// Returns the start of a body for an error message.
std::string snippet(std::string_view body) {
  if (body.empty()) return "<empty>";
  const bool cut = body.size() > kSnippetBytes;
  const std::string_view head = body.substr(0, kSnippetBytes);
  std::string text;
  if (body.front() == '{') {
    text = head;
  } else {
    text = hex_text(head);
  }
  return cut ? text + " ..." : text;
}

Failure unrecognized(const Request& request, std::string_view kind, std::string_view cause) {
  return errors::bad_request("the object provided is unrecognized (must be of type " +
                             std::string(kind) + "): " + std::string(cause) + " (" +
                             snippet(request.body) + ")");
}

Failure other_version(const Gvk& expected, const Gvk& actual) {
  return errors::bad_request("the API version in the data (" + actual.api_version() +
                             ") does not match the expected API version (" +
                             expected.api_version() + ")");
}

// Returns the type named in the body, even if it does not fit the path; that is checked later.
Result<const schema::Type*> body_type(const schema::Catalogue& catalogue, const Request& request,
                                      const Gvk& expected, const Gvk& actual) {
  const schema::Type* type =
      actual.version.empty() ? nullptr : registered_object(catalogue, actual);
  if (type != nullptr) return type;
  const std::string prefix = cannot_be_handled(actual, expected.kind);
  if (actual.version.empty()) {
    return errors::bad_request(prefix + missing_version(request.body));
  }
  if (!is_registered_elsewhere(catalogue, actual)) {
    return errors::bad_request(prefix + not_registered(actual));
  }
  if (actual.kind == expected.kind) return other_version(expected, actual);
  return errors::bad_request(
      prefix + unknown_conversion(actual.version, actual.kind, internal_type(expected)));
}

// Combines all errors of a YAML document into one, as go-yaml does. (Warnings are split up again.)
std::vector<std::string> yaml_unmarshal_errors(const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = "yaml: unmarshal errors:";
  for (const std::string& line : lines) text += "\n  " + line;
  return {text};
}

Gvk expected_gvk(const RequestContext& call) {
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
  return errors::request_entity_too_large("limit is " + std::to_string(kMaxBodyBytes));
}

std::string strict_decoding_error(const std::vector<std::string>& strict_errors) {
  std::string text = "strict decoding error: ";
  for (std::size_t i = 0; i < strict_errors.size(); ++i) {
    if (i > 0) text += ", ";
    text += strict_errors[i];
  }
  return text;
}

Result<void> judge_strict_errors(RequestContext& call, FieldValidation validation,
                                 const std::vector<std::string>& strict_errors,
                                 std::string_view refusal) {
  if (strict_errors.empty() || validation == FieldValidation::kIgnore) return {};
  if (validation == FieldValidation::kWarn) {
    call.warnings.insert(call.warnings.end(), strict_errors.begin(), strict_errors.end());
    return {};
  }
  return errors::bad_request(std::string(refusal) + strict_decoding_error(strict_errors));
}

Result<Value> decode_body(RequestContext& call, FieldValidation validation) {
  TAB_TRY(const codec::Encoding encoding, body_encoding(call.request, call.negotiation()));
  const Gvk expected = expected_gvk(call);
  RawBody raw = read_raw_body(call.request.body, encoding, call.arena);
  const bool custom = is_custom_body(call);
  TypeMeta meta = read_type_meta(raw.value, custom ? Gvk() : expected);
  // The previous version of Eviction is accepted, too.
  if (meta.gvk == Gvk{"policy", "v1beta1", "Eviction"} && meta.gvk.kind == expected.kind) {
    meta.gvk = expected;
  }
  if (raw.error.empty()) raw.error = meta.error;
  if (custom && raw.error.empty() && meta.gvk.kind.empty()) {
    raw.error = missing_kind(call.request.body);
  }
  if (!raw.error.empty()) {
    return unrecognized(call.request, expected.kind, raw.error);
  }
  if (custom) return decode_custom_body(call, validation, raw);
  TAB_TRY(const schema::Type* type,
          body_type(call.server.catalogue, call.request, expected, meta.gvk));
  const Strictness strictness =
      validation == FieldValidation::kIgnore ? Strictness::kLenient : Strictness::kStrict;
  schema::DecodeResult decoded =
      decode_raw(*type, raw, strictness, call.arena, schema::EmptyLists::kAsSent);
  const std::string prefix = cannot_be_handled(meta.gvk, expected.kind);
  if (decoded.error.empty() && meta.gvk.kind != expected.kind) {
    decoded.error = unknown_conversion(type->version, type->kind, internal_type(expected));
  }
  if (!decoded.error.empty()) return errors::bad_request(prefix + decoded.error);
  std::vector<std::string> strict = std::move(raw.duplicates);
  if (encoding == codec::Encoding::kYaml && validation == FieldValidation::kStrict) {
    strict = yaml_unmarshal_errors(strict);
  }
  strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  TAB_CHECK(judge_strict_errors(call, validation, strict, prefix));
  if (meta.gvk != expected) return other_version(expected, meta.gvk);
  keep_emptied_owners(raw.value, decoded.value, call.arena);
  return decoded.value;
}

Result<Value> decode_delete_options(RequestContext& call) {
  TAB_TRY(const codec::Encoding encoding, body_encoding(call.request, call.negotiation()));
  RawBody raw = read_raw_body(call.request.body, encoding, call.arena);
  const TypeMeta meta = read_type_meta(raw.value, {"meta.k8s.io", "v1", "DeleteOptions"});
  if (raw.error.empty()) raw.error = meta.error;
  if (!raw.error.empty()) return errors::bad_request(raw.error);
  if (meta.gvk.version.empty()) {
    return errors::bad_request(missing_version(call.request.body));
  }
  const schema::Type* type = registered_option(call.server.catalogue, meta.gvk);
  if (type == nullptr) {
    return errors::bad_request(not_registered(meta.gvk, Scheme::kOptions));
  }
  if (meta.gvk.kind != "DeleteOptions") {
    return errors::bad_request(unknown_conversion(type->version, type->kind, "v1.DeleteOptions"));
  }
  schema::DecodeResult decoded =
      decode_raw(call.server.catalogue.delete_options(), raw, Strictness::kLenient, call.arena);
  if (!decoded.error.empty()) return errors::bad_request(decoded.error);
  return decoded.value;
}

}  // namespace tabernetes::server
