// PATCH: the stored object, changed by a document of one of several types.
// Source: spec/rest.md 6.3, 6.4; spec/patch-apply.md.

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/api_version.h"
#include "base/field_error.h"
#include "base/go_text.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/duplicates.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "registry/scale.h"
#include "schema/decode.h"
#include "server/answer.h"
#include "server/body.h"
#include "server/options.h"
#include "server/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

enum class PatchType { kJson, kMerge };

std::optional<PatchType> patch_type_named(std::string_view media) {
  if (media == "application/json-patch+json") return PatchType::kJson;
  if (media == "application/merge-patch+json") return PatchType::kMerge;
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The handler's own look at the type, after that of the route: all that stands before a semicolon.
Result<PatchType> patch_type(const Request& request, const NegotiationOptions& options) {
  std::string_view media = find_header(request.headers, "content-type");
  if (!media.starts_with(';')) media = media.substr(0, media.find(';'));
  if (const auto type = patch_type_named(media)) return *type;
  return make_unexpected(errors::unsupported_media_type(
      "the body of the request was in an unknown format - accepted media types include: "
      "application/json-patch+json, application/merge-patch+json, "
      "application/strategic-merge-patch+json, application/apply-patch+yaml" +
      std::string(options.cbor_named ? ", application/apply-patch+cbor" : "")));
}

struct PatchDocument {
  PatchType type = PatchType::kMerge;
  Value value;
  std::vector<std::string> strict_errors;  // of the patch itself
};

Result<PatchDocument> read_patch(Call& call, PatchType type) {
  PatchDocument patch{.type = type};
  const codec::JsonRead read = codec::read_json(call.request.body, call.arena);
  if (!read.ok()) {
    return make_unexpected(errors::bad_request("error decoding patch: " + read.error));
  }
  patch.value = read.value;
  patch.strict_errors = type == PatchType::kJson ? patch::json_patch_strict_errors(patch.value)
                                                 : json::remove_duplicates(patch.value, call.arena);
  return patch;
}

Result<Value> apply(const PatchDocument& patch, const Value& stored, FieldValidation validation,
                    json::Arena& arena) {
  if (patch.type == PatchType::kMerge) {
    return patch::apply_merge_patch(stored, patch.value, arena);
  }
  return patch::apply_json_patch(stored, patch.value, arena,
                                 validation == FieldValidation::kIgnore
                                     ? patch::OperationTypes::kUnchecked
                                     : patch::OperationTypes::kChecked);
}

// A patched object that is none of its kind: 422 that shows it whole.
ApiStatus unusable(const Value& patched, const std::string& cause) {
  std::string text;
  codec::write_json(patched, text);
  return field::invalid_status({}, "",
                               {field::invalid(field::Path("patch"), go_quote(text), cause)});
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += ", ";
    all += text;
  }
  return all;
}

// What is patched: the call's object, or its subresource's.
struct PatchedKind {
  std::string_view group, kind;
  std::string api_version;
  const schema::Type* type = nullptr;
};

PatchedKind patched_kind(const Call& call) {
  const schema::Resource& resource = *call.type->resource;
  if (!is_scale(call)) {
    return {resource.group, resource.kind, call.type->api_version, resource.type};
  }
  const schema::Subresource& scale = *call.subresource;
  return {scale.group, scale.kind,
          GroupVersion{std::string(scale.group), std::string(scale.version)}.to_string(),
          call.surface.catalogue.find_kind(scale.group, scale.version, scale.kind)};
}

// 422 for a patch that makes the object another kind.
Result<void> check_kind(Call& call, const PatchedKind& expected, const Value& patched) {
  const std::string_view kind = patched.string_at("kind");
  const std::string_view api_version = patched.string_at("apiVersion");
  if ((kind.empty() || kind == expected.kind) &&
      (api_version.empty() || api_version == expected.api_version)) {
    return {};
  }
  const auto [group, version] = split_api_version(api_version);
  const schema::Type* known = call.surface.catalogue.find_kind(group, version, kind);
  if (known == nullptr) {
    return make_unexpected(unusable(
        patched, "no kind \"" + std::string(kind) + "\" is registered for version \"" +
                     std::string(api_version) +
                     "\" in scheme \"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\""));
  }
  // It is decoded as what it says it is before that is found unfit.
  const schema::DecodeResult other = schema::decode_typed(*known, patched, call.arena);
  if (!other.error.empty()) return make_unexpected(unusable(patched, other.error));
  const std::string package(
      expected.group.empty() ? "core" : expected.group.substr(0, expected.group.find('.')));
  return make_unexpected(
      unusable(patched, "converting (" + std::string(version) + "." + std::string(kind) + ") to (" +
                            package + "." + std::string(expected.kind) + "): unknown conversion"));
}

Result<Value> decode_patched(Call& call, const PatchDocument& patch, const Value& patched,
                             FieldValidation validation) {
  const PatchedKind kind = patched_kind(call);
  TAB_CHECK(check_kind(call, kind, patched));
  schema::DecodeResult decoded = schema::decode_typed(*kind.type, patched, call.arena);
  if (!decoded.error.empty()) return make_unexpected(unusable(patched, decoded.error));
  std::vector<std::string> strict = patch.strict_errors;
  strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  if (validation == FieldValidation::kStrict && !strict.empty()) {
    return make_unexpected(unusable(patched, "strict decoding error: " + joined(strict)));
  }
  TAB_CHECK(judge_strict_errors(call, validation, strict, ""));
  return decoded.value;
}

}  // namespace

Result<void> check_patch_media(const Request& request) {
  std::string_view header = find_header(request.headers, "content-type");
  while (!header.empty()) {
    const std::string_view part = header.substr(0, header.find(','));
    header.remove_prefix(std::min(part.size() + 1, header.size()));
    if (patch_type_named(trimmed(part.substr(0, part.find(';'))))) return {};
  }
  ApiStatus status = errors::unsupported_media_type("415: Unsupported Media Type");
  status.details.emplace();
  return make_unexpected(std::move(status));
}

Result<Response> patch(Call& call, Cluster& cluster) {
  TAB_TRY(const PatchType type, patch_type(call.request, call.surface.negotiation));
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.surface.negotiation));
  TAB_CHECK(check_body_size(call.request));
  TAB_TRY(const WriteOptions options, parse_write_options(call.query, "PatchOptions"));
  const auto transform = [&](const Value* stored) -> Result<Value> {
    if (stored == nullptr) {
      return make_unexpected(errors::not_found(call.type->group_resource(), call.name));
    }
    TAB_TRY(const PatchDocument document, read_patch(call, type));
    const Value base =
        is_scale(call) ? registry::scale_of(*call.type, *stored, call.arena) : *stored;
    TAB_TRY(const Value patched, apply(document, base, options.field_validation, call.arena));
    TAB_TRY(Value object, decode_patched(call, document, patched, options.field_validation));
    TAB_CHECK(agree_with_path(call, object, call.arena));
    if (is_scale(call)) return registry::apply_scale(*stored, object, call.arena);
    return object;
  };
  TAB_TRY(const registry::Updated updated,
          cluster.registry.update(call.write_context(options.dry_run), call.ref(), part_of(call),
                                  transform));
  return answer_addressed(call, form, updated.created ? 201 : 200, updated.record);
}

}  // namespace tabernetes::server
