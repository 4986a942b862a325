// POST of a review: answered, not stored.

#include "auth/reviews.h"
#include "server/answer.h"
#include "server/verbs.h"

namespace tabernetes::server {

Result<Response> review(Call& call) {
  TAB_TRY(const NewObject sent, read_new_object(call, Offer::kWithoutTable));
  const auth::User user = auth::anonymous_user();
  const auth::Reviewing context{call.arena, call.now, user, auth::always_allow()};
  TAB_TRY(const json::Value answer, auth::answer_review(context, *call.type, call.ns, sent.object));
  return answer_tree_object(call, sent.form, 201, answer);
}

}  // namespace tabernetes::server
