// Tested by tests/conformance/cases/custom-resources.json.
#include "server/decode/custom_body.h"

#include <utility>

#include "codec/cbor_reader.h"
#include "json/duplicates.h"
#include "registry/kind/kind_behaviour.h"
#include "server/decode/body.h"
#include "server/decode/patch_document.h"
#include "server/decode/patched_object.h"
#include "server/decode/registered_kinds.h"

namespace tabernetes::server {

using json::Value;

bool is_custom_body(const RequestContext& call) {
  return !call.type->form.typed &&
         (call.subresource == nullptr || call.subresource->kind != "Scale");
}

Result<Value> decode_custom_body(RequestContext& call, FieldValidation validation, RawBody& raw) {
  if (raw.encoding == codec::Encoding::kCbor) {
    raw.value = codec::read_cbor_map(call.request.body, call.arena).value;
  }
  const TypeMeta meta = read_type_meta(raw.value, {});
  const std::string prefix = cannot_be_handled(meta.gvk, meta.gvk.kind);
  std::vector<std::string> strict = std::move(raw.duplicates);
  if (raw.encoding == codec::Encoding::kJson) {
    strict = duplicate_fields(raw.value);
    json::remove_duplicates(raw.value, call.arena);
  }
  schema::DecodeResult decoded =
      call.type->behaviour->decode(raw.value, call.arena, registry::DecodeFor::kObject);
  if (!decoded.error.empty()) return errors::bad_request(prefix + decoded.error);
  strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  TAB_CHECK(judge_strict_errors(call, validation, strict, prefix));
  if (meta.gvk.api_version() != call.type->api_version) {
    return errors::bad_request("the API version in the data (" + meta.gvk.api_version() +
                               ") does not match the expected API version (" +
                               call.type->api_version + ")");
  }
  return decoded.value;
}

}  // namespace tabernetes::server
