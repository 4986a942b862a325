#include "registry/meta/owner_references.h"
#include "server/decode/body.h"
#include "server/encode/answer.h"
#include "server/request/options.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {

Result<DecodedRequest> read_new_object(RequestContext& call, Offer offer) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, offer, call.negotiation()));
  TAB_CHECK(body_encoding(call.request, call.negotiation()));
  TAB_CHECK(check_body_size(call.request));
  TAB_TRY(const WriteOptions options, parse_write_options(call.query, "CreateOptions"));
  TAB_TRY(const json::Value object, decode_body(call, options.field_validation));
  return DecodedRequest{form, options, object};
}

registry::AdmissionRequest creation_of(const RequestContext& call, Cluster& cluster,
                                       const registry::WriteContext& context, std::string_view name,
                                       json::Value& object) {
  return {cluster.registry,
          context,
          registry::Operation::kCreate,
          *call.type,
          registry::Subresource::kNone,
          call.ns,
          name,
          object};
}

Result<Response> create(RequestContext& call, Cluster& cluster) {
  TAB_TRY(const DecodedRequest sent, read_new_object(call, Offer::kObjects));
  audit_object(call, sent.object, &cluster);
  json::Value object = sent.object;
  registry::drop_equal_owners(object, registry::OwnersSeen::kAsSent, &call.warnings, call.arena);
  TAB_TRY(
      const store::RecordPtr record,
      cluster.registry.create(call.write_context(sent.options.dry_run, sent.options.field_manager),
                              *call.type, call.ns, object));
  return answer_written(call, cluster, sent.form, 201, record);
}

}  // namespace tabernetes::server
