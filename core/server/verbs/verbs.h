// The verbs on resources, one file each. A verb parses its options, decodes its body and calls the
// registry; the order of its checks is that of spec/rest.md 5.5.
#pragma once

#include "base/api/result.h"
#include "registry/life/scale.h"
#include "server/cluster/cluster.h"
#include "server/request/negotiation.h"
#include "server/request/options.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// These only read and can run on any thread.
Result<Response> get(RequestContext& call);
Result<Response> list(RequestContext& call);
Result<Response> review(RequestContext& call);

// These need the writer.
Result<Response> watch(RequestContext& call, Cluster& cluster);  // by ?watch= and by path
Result<Response> create(RequestContext& call, Cluster& cluster);
Result<Response> update(RequestContext& call, Cluster& cluster);
Result<Response> patch(RequestContext& call, Cluster& cluster);
Result<Response> remove(RequestContext& call, Cluster& cluster);
Result<Response> remove_collection(RequestContext& call, Cluster& cluster);
Result<Response> bind(RequestContext& call,
                      Cluster& cluster);  // pods/binding, and the bindings themselves
Result<Response> evict(RequestContext& call, Cluster& cluster);  // pods/eviction
Result<Response> log(RequestContext& call, Cluster& cluster);    // pods/log
Result<Response> connect_to_pod(RequestContext& call,
                                Cluster& cluster);               // pods/exec, attach, portforward
Result<Response> proxy(RequestContext& call, Cluster& cluster);  // of pods, services and nodes
// Answers a review that webhooks may refuse.
Result<Response> admit_review(RequestContext& call, Cluster& cluster);
Result<Response> request_token(RequestContext& call, Cluster& cluster);  // serviceaccounts/token

// The content of a POST.
struct DecodedRequest {
  Representation form;  // of the answer
  WriteOptions options;
  json::Value object;
};
Result<DecodedRequest> read_new_object(RequestContext& call, Offer offer);

// Returns the request of a POST to a subresource, or of what is not stored, for admission.
// `context` and `object` outlive it.
registry::AdmissionRequest creation_of(const RequestContext& call, Cluster& cluster,
                                       const registry::WriteContext& context, std::string_view name,
                                       json::Value& object);

// The first check of a PATCH: its media type must be a patch type. Errors: 415.
Result<void> check_patch_media(const Request& request, const NegotiationOptions& options);

// Applies an apply configuration to the call's object. Errors: those of server-side apply.
enum class ApplyFormat { kYaml, kCbor };
Result<registry::Updated> apply(RequestContext& call, Cluster& cluster, ApplyFormat format,
                                const WriteOptions& options);

// Returns the part of the object that the call addresses.
registry::Subresource subresource_of(const RequestContext& call);

// REQUIRES: is_scale(call).
registry::Scaling scaling_of(const RequestContext& call, Cluster& cluster,
                             const registry::WriteContext& context);

// Answers with the addressed object or part of it. Errors: as answer_object().
Result<Response> answer_addressed(RequestContext& call, const Representation& form, int code,
                                  const store::RecordPtr& record);

// Does the same for what the request has written, so that the answer can be made again when its
// version is known. `shown` is the version to show instead of the record's, unless 0.
Result<Response> answer_written(RequestContext& call, Cluster& cluster, const Representation& form,
                                int code, const store::RecordPtr& record,
                                store::Revision shown = 0);
// Makes such an answer again, with the record as it is now. Returns nullopt if that fails.
std::optional<Response> answer_again(const ReadContext& reading, const Request& request,
                                     const WrittenAnswer& written, const store::RecordPtr& record,
                                     store::Revision shown);

// Note for the audit log what was sent: a decoded object, the options of a deletion, a patch.
// `cluster` may be null for what is not stored.
void audit_object(RequestContext& call, const json::Value& object, Cluster* cluster);
void audit_delete_options(RequestContext& call, const json::Value& options);
void audit_patch(RequestContext& call);

// Returns 400 unless the body's name and namespace are those of the path; fills in empty ones.
Result<void> agree_with_path(const RequestContext& call, json::Value& object, json::Arena& arena);

}  // namespace tabernetes::server
