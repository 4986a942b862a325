#include "auth/reviews.h"

#include <array>
#include <string>
#include <vector>

#include "auth/access_review.h"
#include "base/time/rfc3339.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::auth {
namespace {

using json::Value;

Value text_list(const std::vector<std::string>& texts, json::Arena& arena) {
  Value list = Value::array(arena);
  for (const std::string& text : texts) list.push_back(arena, Value::string(arena.copy(text)));
  return list;
}

void append_text(Value& object, std::string_view key, std::string_view text, json::Arena& arena) {
  if (!text.empty()) object.append(arena, key, Value::string(arena.copy(text)));
}

void append_list(Value& object, std::string_view key, const std::vector<std::string>& texts,
                 json::Arena& arena) {
  if (!texts.empty()) object.append(arena, key, text_list(texts, arena));
}

// Returns a review with empty metadata and without spec.
Value fresh_review(const registry::ResourceType& type, json::Arena& arena) {
  Value review = Value::object(arena);
  review.append(arena, "kind", Value::string(type.resource->kind));
  review.append(arena, "apiVersion", Value::string(type.api_version));
  review.append(arena, "metadata", Value::object(arena));
  return review;
}

Value decision_tree(const Decision& decision, const std::string& ignored, json::Arena& arena) {
  Value status = Value::object(arena);
  status.append(arena, "allowed", Value::boolean(decision.verdict == Verdict::kAllow));
  if (decision.verdict == Verdict::kDeny) status.append(arena, "denied", Value::boolean(true));
  append_text(status, "reason", decision.reason, arena);
  const bool both = !decision.error.empty() && !ignored.empty();
  append_text(status, "evaluationError", decision.error + (both ? "; " : "") + ignored, arena);
  return status;
}

Result<Value> answer_access(const Reviewing& context, AccessReview kind, Value review) {
  const field::ErrorList errors = validate_access_review(kind, review);
  if (!errors.empty()) {
    // The kind is unknown where the real server detects this.
    return field::invalid_status({"authorization.k8s.io", ""}, "", errors);
  }
  TAB_CHECK(context.admitted());
  const Value& spec = *review.find("spec");
  const User subject = kind == AccessReview::kSelf ? context.user : subject_of(spec);
  const Decision decision = context.authorizer.authorize(attributes_of(subject, spec));
  review.set(context.arena, "status",
             decision_tree(decision, ignored_selectors(spec), context.arena));
  return review;
}

Result<Value> answer_subject_access(const Reviewing& context, const registry::ResourceType&,
                                    Value review) {
  return answer_access(context, AccessReview::kSubject, review);
}

Result<Value> answer_self_access(const Reviewing& context, const registry::ResourceType&,
                                 Value review) {
  return answer_access(context, AccessReview::kSelf, review);
}

Result<Value> answer_local_access(const Reviewing& context, const registry::ResourceType&,
                                  Value review) {
  return answer_access(context, AccessReview::kLocal, review);
}

Value rules_tree(const Rules& rules, json::Arena& arena) {
  Value status = Value::object(arena);
  status.append(arena, "resourceRules", rules.resources);
  status.append(arena, "nonResourceRules", rules.paths);
  status.append(arena, "incomplete", Value::boolean(rules.incomplete));
  append_text(status, "evaluationError", rules.error, arena);
  return status;
}

Result<Value> answer_self_rules(const Reviewing& context, const registry::ResourceType& type,
                                Value review) {
  const std::string_view ns = review.find("spec")->string_at("namespace");
  if (ns.empty()) return errors::bad_request("no namespace on request");
  TAB_CHECK(context.admitted());
  const Rules rules = context.authorizer.rules_for(context.user, ns, context.arena);
  Value answer = fresh_review(type, context.arena);
  answer.append(context.arena, "spec", Value::object(context.arena));
  answer.append(context.arena, "status", rules_tree(rules, context.arena));
  return answer;
}

Value user_tree(const User& user, json::Arena& arena) {
  Value tree = Value::object(arena);
  append_text(tree, "username", user.name, arena);
  append_text(tree, "uid", user.uid, arena);
  append_list(tree, "groups", user.groups, arena);
  if (!user.extra.empty()) {
    Value extra = Value::object(arena);
    for (const auto& [key, values] : user.extra) {
      extra.append(arena, arena.copy(key), text_list(values, arena));
    }
    tree.append(arena, "extra", extra);
  }
  return tree;
}

Result<Value> answer_self(const Reviewing& context, const registry::ResourceType& type, Value) {
  TAB_CHECK(context.admitted());
  json::Arena& arena = context.arena;
  Value answer = fresh_review(type, arena);
  answer.find("metadata")
      ->append(arena, "creationTimestamp", Value::string(arena.copy(format_rfc3339(context.now))));
  Value status = Value::object(arena);
  status.append(arena, "userInfo", user_tree(context.user, arena));
  answer.append(arena, "status", status);
  return answer;
}

// Answers a TokenReview.
Result<Value> answer_token(const Reviewing& context, const registry::ResourceType&, Value review) {
  json::Arena& arena = context.arena;
  const Value& spec = *review.find("spec");
  const std::string_view token = spec.string_at("token");
  if (token.empty()) {
    return errors::bad_request("token is required for TokenReview in authentication");
  }
  TAB_CHECK(context.admitted());
  std::vector<std::string> audiences;
  if (const Value* asked = spec.find("audiences")) {
    for (const Value& audience : asked->items()) audiences.emplace_back(audience.as_string());
  }
  if (audiences.empty()) audiences.emplace_back(kIssuer);
  const Authenticated known = context.tokens.authenticate(token, audiences);
  Value status = Value::object(arena);
  if (known.user) {
    status.append(arena, "authenticated", Value::boolean(true));
    status.append(arena, "user", user_tree(*known.user, arena));
    append_list(status, "audiences", known.audiences, arena);
  } else {
    status.append(arena, "user", Value::object(arena));
    append_text(status, "error",
                known.error.empty() ? std::string("invalid bearer token")
                                    : "[invalid bearer token, " + known.error + "]",
                arena);
  }
  review.set(arena, "status", status);
  return review;
}

struct ReviewKind {
  std::string_view kind;
  Result<Value> (*answer)(const Reviewing&, const registry::ResourceType&, Value);
};

constexpr std::array kReviews = {
    ReviewKind{"SubjectAccessReview", &answer_subject_access},
    ReviewKind{"SelfSubjectAccessReview", &answer_self_access},
    ReviewKind{"LocalSubjectAccessReview", &answer_local_access},
    ReviewKind{"SelfSubjectRulesReview", &answer_self_rules},
    ReviewKind{"SelfSubjectReview", &answer_self},
    ReviewKind{"TokenReview", &answer_token},
};

const ReviewKind* find_review(const registry::ResourceType& type) {
  const std::string_view group = type.resource->group;
  if (group != "authorization.k8s.io" && group != "authentication.k8s.io") return nullptr;
  for (const ReviewKind& review : kReviews) {
    if (review.kind == type.resource->kind) return &review;
  }
  return nullptr;
}

}  // namespace

bool is_review(const registry::ResourceType& type) { return find_review(type) != nullptr; }

Result<void> fill_review(const registry::ResourceType& type, std::string_view ns, Value& review,
                         json::Arena& arena) {
  registry::ObjectMeta meta(review, arena);
  // Fields that the server sets are cleared; others are kept, and validation may reject them.
  for (const std::string_view field : {"creationTimestamp", "uid", "deletionTimestamp",
                                       "deletionGracePeriodSeconds", "selfLink"}) {
    meta.erase(field);
  }
  return registry::set_request_namespace(type, ns, meta);
}

Result<Value> answer_review(const Reviewing& context, const registry::ResourceType& type,
                            const Value& review) {
  return find_review(type)->answer(context, type, review);
}

}  // namespace tabernetes::auth
