// ImagePolicyWebhook: a service decides about the images of pods, in answers to ImageReviews.
// Source: upstream 1.36 plugin/pkg/admission/imagepolicy.

#include <memory>
#include <string>
#include <utility>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "json/sort_deep.h"
#include "registry/kind/review_question.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr registry::ReviewForm kImageReview{
    .group = "imagepolicy.k8s.io",
    .kind = "ImageReview",
    .scheme = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30",
    .status = {{"allowed", &Value::is_bool, "bool"},
               {"reason", &Value::is_string, "string"},
               {"auditAnnotations", &Value::is_object, "map[string]string"}},
    .empty_status = R"({"allowed":false})"};

constexpr std::string_view kReviewVersion = "v1alpha1";
constexpr std::string_view kNotePrefix = "imagepolicywebhook.image-policy.k8s.io/";

// Returns the spec of the review: images, annotations that are meant for it, namespace.
std::string spec_of(const AdmissionRequest& request) {
  json::Arena& arena = request.context.arena;
  Value containers = Value::array(arena);
  const auto add = [&](std::string_view list) {
    for (const Value& container : items_at(request.object, {"spec", list})) {
      Value image = Value::object(arena);
      const std::string_view name = container.string_at("image");
      if (!name.empty()) image.append(arena, "image", Value::string(name));
      containers.push_back(arena, image);
    }
  };
  if (request.subresource == registry::Subresource::kNone) {
    add("containers");
    add("initContainers");
  } else {
    add("ephemeralContainers");
  }
  Value annotations = Value::object(arena);
  for (const json::Member& note : json::members_at(request.object, {"metadata", "annotations"})) {
    if (note.key.find(".image-policy.k8s.io/") == note.key.npos) continue;
    annotations.append(arena, note.key, note.value);
  }
  json::sort_deep(annotations);
  Value spec = Value::object(arena);
  if (containers.size() > 0) spec.append(arena, "containers", containers);
  if (annotations.size() > 0) spec.append(arena, "annotations", annotations);
  spec.append(arena, "namespace", Value::string(request.ns));
  return codec::json_text(spec);
}

void note(const AdmissionRequest& request, std::string_view key, std::string_view value) {
  if (request.context.notes == nullptr) return;
  request.context.notes->add(std::string(kNotePrefix) + std::string(key), std::string(value));
}

// Reads the status of a review.
Result<void> obey(const AdmissionRequest& request, const Value& status) {
  for (const json::Member& each : json::members_at(status, {"auditAnnotations"})) {
    note(request, each.key, json::text_of(each.value));
  }
  if (json::bool_at(status, {"allowed"})) return {};
  const std::string_view reason = status.string_at("reason");
  if (reason.empty()) return refusal(request, "one or more images rejected by webhook backend");
  return refusal(request,
                 "image policy webhook backend denied one or more images: " + std::string(reason));
}

}  // namespace

Result<void> check_image_policy(const AdmissionRequest& request, PluginState& state) {
  if (request.context.user == nullptr) return {};  // the server's own writes cannot wait
  const std::optional<ImagePolicy>& policy = state.settings().image_policy;
  if (!policy) return refusal(request, "the plugin ImagePolicyWebhook is not configured");
  json::Arena& arena = request.context.arena;
  std::string spec = spec_of(request);
  const auto status_in = [&](std::string_view text) {
    return codec::read_json(arena.copy(text), arena).value;
  };
  if (const std::string* kept = state.image_reviews.find(spec, request.context.now)) {
    return obey(request, status_in(*kept));
  }
  registry::PendingWork* pending = request.context.pending;
  if (pending == nullptr) return refusal(request, "this request cannot wait for a webhook");
  const registry::PendingWork::Answer* answer =
      pending->ask(std::make_unique<const registry::ReviewQuestion>(
          kImageReview,
          registry::ReviewQuestion::Webhook{.client = policy->client,
                                            .version = std::string(kReviewVersion),
                                            .first_pause = policy->first_pause},
          spec, spec));
  if (answer == nullptr) return registry::may_persist(pending);
  if (!answer->error.empty()) {
    if (!policy->allows_on_error) return refusal(request, answer->error);
    note(request, "failed-open", "true");
    return {};
  }
  const Value status = status_in(answer->text);
  const Duration ttl =
      json::bool_at(status, {"allowed"}) ? policy->allowed_ttl : policy->denied_ttl;
  if (Duration{} < ttl) {
    state.image_reviews.put(std::move(spec), answer->text, request.context.now + ttl);
  }
  return obey(request, status);
}

}  // namespace tabernetes::admission
