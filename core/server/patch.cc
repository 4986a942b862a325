// PATCH: the stored object, changed by a document of one of several types.
// Source: spec/rest.md 6.3, 6.4; spec/patch-apply.md.

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/go_text.h"
#include "codec/json_reader.h"
#include "json/duplicates.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "registry/scale.h"
#include "schema/decode.h"
#include "server/answer.h"
#include "server/body.h"
#include "server/options.h"
#include "server/patched_object.h"
#include "server/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

enum class PatchType { kJson, kMerge, kStrategic };

std::optional<PatchType> patch_type_named(std::string_view media) {
  if (media == "application/json-patch+json") return PatchType::kJson;
  if (media == "application/merge-patch+json") return PatchType::kMerge;
  if (media == "application/strategic-merge-patch+json") return PatchType::kStrategic;
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
      std::string(options.cbor ? ", application/apply-patch+cbor" : "")));
}

struct PatchDocument {
  PatchType type = PatchType::kMerge;
  FieldValidation validation = FieldValidation::kWarn;
  Value value;
  std::vector<std::string> strict_errors;  // of the patch itself

  // Without validation the patch is not looked at before the library reads it.
  bool is_unchecked() const { return validation == FieldValidation::kIgnore; }
};

constexpr std::string_view kBadMergePatch = "Invalid JSON Patch";

ApiStatus unreadable(const PatchDocument& patch, const std::string& error) {
  if (patch.type == PatchType::kStrategic) return errors::bad_request(error);
  if (!patch.is_unchecked()) return errors::bad_request("error decoding patch: " + error);
  return errors::bad_request(patch.type == PatchType::kMerge ? kBadMergePatch
                                                             : std::string_view(error));
}

std::vector<std::string> duplicate_fields(const Value& merge_patch) {
  std::vector<std::string> texts = json::duplicate_paths(merge_patch, {}, schema::kMaxStrictErrors);
  for (std::string& text : texts) text = "duplicate field " + go_quote(text);
  return texts;
}

Result<PatchDocument> read_patch(Call& call, PatchType type, FieldValidation validation) {
  PatchDocument patch{.type = type, .validation = validation};
  const codec::JsonRead read = codec::read_json(call.request.body, call.arena);
  if (!read.ok()) return make_unexpected(unreadable(patch, read.error));
  patch.value = read.value;
  if (type == PatchType::kJson) {
    patch.strict_errors = patch::json_patch_strict_errors(patch.value);
  } else {
    patch.strict_errors = duplicate_fields(patch.value);
    json::remove_duplicates(patch.value, call.arena);
  }
  return patch;
}

Result<Value> apply(const Call& call, const PatchDocument& patch, const Value& stored,
                    json::Arena& arena) {
  if (patch.type == PatchType::kStrategic) {
    return patch::apply_strategic_merge(patched_type(call), stored, patch.value, arena);
  }
  if (patch.type == PatchType::kJson) {
    return patch::apply_json_patch(
        stored, patch.value, arena,
        patch.is_unchecked() ? patch::OperationTypes::kUnchecked : patch::OperationTypes::kChecked);
  }
  if (patch.is_unchecked() && !patch.value.is_object()) {
    // An array takes the place of the object, which is then found to be none.
    if (patch.value.is_array()) return patch.value;
    return make_unexpected(errors::bad_request(kBadMergePatch));
  }
  return patch::apply_merge_patch(stored, patch.value, arena);
}

Result<Value> decode(Call& call, const PatchDocument& patch, const Value& patched) {
  if (patch.type == PatchType::kStrategic) {
    return decode_merged(call, patched, patch.value, patch.strict_errors, patch.validation);
  }
  return decode_patched(call, patched, patch.strict_errors, patch.validation);
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
    TAB_TRY(const PatchDocument document, read_patch(call, type, options.field_validation));
    const Value base =
        is_scale(call) ? registry::scale_of(*call.type, *stored, call.arena) : *stored;
    TAB_TRY(const Value patched, apply(call, document, base, call.arena));
    TAB_TRY(Value object, decode(call, document, patched));
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
