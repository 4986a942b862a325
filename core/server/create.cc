#include "server/answer.h"
#include "server/body.h"
#include "server/options.h"
#include "server/verbs.h"

namespace tabernetes::server {

Result<Response> create(Call& call, Cluster& cluster) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.surface.negotiation));
  TAB_CHECK(body_encoding(call.request, call.surface.negotiation));
  TAB_CHECK(check_body_size(call.request));
  TAB_TRY(const WriteOptions options, parse_write_options(call.query, "CreateOptions"));
  TAB_TRY(json::Value object, decode_body(call, options.field_validation));
  TAB_TRY(
      const store::RecordPtr record,
      cluster.registry.create(call.write_context(options.dry_run), *call.type, call.ns, object));
  return answer_object(call, form, 201, record);
}

}  // namespace tabernetes::server
