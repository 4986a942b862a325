// PATCH: changes the stored object by a patch document of one of several types. Source:
// spec/rest.md 6.3, 6.4; spec/patch-apply.md.

#include <string_view>

#include "base/text/parts.h"
#include "registry/life/scale.h"
#include "server/decode/body.h"
#include "server/decode/patch_document.h"
#include "server/encode/answer.h"
#include "server/request/options.h"
#include "server/request/readable.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The type of a patch, or the format of an apply configuration.
struct PatchMedia {
  std::optional<PatchType> type;
  std::optional<ApplyFormat> format;

  bool known() const { return type || format; }
};

PatchMedia patch_media(std::string_view media, const NegotiationOptions& options) {
  PatchMedia found{patch_type_named(media), {}};
  if (!options.strategic && found.type == PatchType::kStrategic) return {};
  if (media == "application/apply-patch+yaml") found.format = ApplyFormat::kYaml;
  if (options.cbor && media == "application/apply-patch+cbor") found.format = ApplyFormat::kCbor;
  return found;
}

// Parses the type again, like the handler after routing: everything before a semicolon.
Result<PatchMedia> sent_media(const Request& request, const NegotiationOptions& options) {
  std::string_view media = find_header(request.headers, "content-type");
  if (!media.starts_with(';')) media = media.substr(0, media.find(';'));
  const PatchMedia found = patch_media(media, options);
  if (found.known()) return found;
  return unknown_patch_type({.strategic = options.strategic, .cbor = options.cbor});
}

// Custom objects must carry apiVersion; nothing else identifies them.
Result<void> check_has_version(const RequestContext& call, const Value& object) {
  if (call.type->form.typed || is_scale(call)) return {};
  if (!read_type_meta(object, {}).gvk.version.empty()) return {};
  return errors::internal_error(
      "Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

// Applies a patch other than an apply configuration.
Result<registry::Updated> change(RequestContext& call, Cluster& cluster, PatchType type,
                                 const WriteOptions& options) {
  registry::WriteContext context = call.write_context(options.dry_run, options.field_manager);
  context.tracks_fields = !is_scale(call);
  const auto transform = [&](const Value* stored) -> Result<Value> {
    if (stored == nullptr) {
      return errors::not_found(call.type->group_resource(), call.name);
    }
    TAB_TRY(const PatchDocument document,
            read_patch(call.request.body, type, options.field_validation, call.arena));
    Value base = *stored;
    if (is_scale(call)) {
      TAB_TRY(base,
              registry::scale_with_managed_fields(scaling_of(call, cluster, context), *stored));
    }
    TAB_TRY(PatchedObject patched, apply_patch(patch_target(call), document, base, call.arena));
    TAB_CHECK(judge_strict_errors(call, document.validation, patched.strict_errors, ""));
    Value& object = patched.object;
    TAB_CHECK(agree_with_path(call, object, call.arena));
    TAB_CHECK(check_has_version(call, object));
    if (!is_scale(call)) return object;
    return registry::apply_scale(scaling_of(call, cluster, context), *stored, object);
  };
  return cluster.registry.update(context, call.ref(), subresource_of(call), transform);
}

}  // namespace

Result<void> check_patch_media(const Request& request, const NegotiationOptions& options) {
  std::string_view header = find_header(request.headers, "content-type");
  while (!header.empty()) {
    const std::string_view part = take_part(header, ',');
    if (patch_media(trimmed(part.substr(0, part.find(';'))), options).known()) return {};
  }
  Failure failure = errors::unsupported_media_type("415: Unsupported Media Type");
  failure->details.emplace();
  return failure;
}

Result<Response> patch(RequestContext& call, Cluster& cluster) {
  TAB_TRY(const PatchMedia media, sent_media(call.request, call.negotiation()));
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.negotiation()));
  TAB_CHECK(check_body_size(call.request));
  const bool applies = media.format.has_value();
  TAB_TRY(const WriteOptions options, parse_write_options(call.query, "PatchOptions", applies));
  audit_patch(call);
  TAB_CHECK(check_readable(call, ReadPurpose::kWrite));
  registry::Updated updated;
  if (applies) {
    TAB_TRY(updated, apply(call, cluster, *media.format, options));
  } else {
    TAB_TRY(updated, change(call, cluster, *media.type, options));
  }
  return answer_written(call, cluster, form, updated.created ? 201 : 200, updated.record);
}

}  // namespace tabernetes::server
