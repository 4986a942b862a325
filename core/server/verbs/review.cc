// POST of a review: answered, not stored.

#include "auth/reviews.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"
#include "server/access/authentication.h"
#include "server/encode/answer.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

// Answers the review; admission sees it, unless `cluster` is null.
Result<Response> answer(RequestContext& call, Cluster* cluster) {
  TAB_TRY(const DecodedRequest sent, read_new_object(call, Offer::kWithoutTable));
  audit_object(call, sent.object, nullptr);
  const auth::TokenAuthenticator tokens = token_authenticator(call);
  auth::Reviewing context{call.arena, call.now, call.user, call.authorizer, tokens, {}};
  json::Value object = sent.object;
  TAB_CHECK(auth::fill_review(*call.type, call.ns, object, call.arena));
  const auto writing = call.write_context(sent.options.dry_run, sent.options.field_manager);
  registry::track_managed_fields(writing,
                                 registry::ObjectVersions(*call.type, call.resources, call.pending),
                                 registry::writer_of(writing, *call.type), object, nullptr);
  const std::string name(registry::metadata_of(object)->string_at("name"));
  if (cluster != nullptr) {
    TAB_CHECK(cluster->registry.mutate(creation_of(call, *cluster, writing, name, object)));
    context.admit = [&] {
      return cluster->registry.validate(creation_of(call, *cluster, writing, name, object));
    };
  }
  TAB_TRY(const json::Value review, auth::answer_review(context, *call.type, object));
  return answer_tree_object(call, sent.form, 201, review);
}

}  // namespace

Result<Response> review(RequestContext& call) { return answer(call, nullptr); }

Result<Response> admit_review(RequestContext& call, Cluster& cluster) {
  return answer(call, &cluster);
}

}  // namespace tabernetes::server
