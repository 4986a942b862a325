#include "custom/conversion/conversion_review.h"

#include "base/api/field_error.h"
#include "base/go/text.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/equality.h"
#include "json/type_name.h"
#include "registry/kind/review_answer.h"
#include "registry/meta/object_meta_validation.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

std::string review_version(const CustomVersion& to) {
  return to.kind->webhook()->beta ? "apiextensions.k8s.io/v1beta1" : "apiextensions.k8s.io/v1";
}

// Finds the converted objects; returns an error, or an empty text.
std::string read_response(const CustomVersion& to, std::string_view uid, const Value& review,
                          const Value*& objects) {
  const Value* response = review.find("response");
  if (response == nullptr || !response->is_object()) return "no response provided";
  if (!to.kind->webhook()->beta && response->string_at("uid") != uid) {
    return "expected response.uid=" + go_quote(uid) + ", got " +
           go_quote(response->string_at("uid"));
  }
  const Value* result = response->find("result");
  const std::string_view status = result == nullptr ? "" : result->string_at("status");
  if (status != "Success") {
    const std::string_view message = result == nullptr ? "" : result->string_at("message");
    if (!message.empty()) return std::string(message);
    return "response.result.status was '" + std::string(status) + "', not 'Success'";
  }
  objects = response->find("convertedObjects");
  return {};
}

// Labels and annotations may change, if they are valid.
std::string check_maps(const Value& original, const Value& converted) {
  for (const std::string_view name : {"labels", "annotations"}) {
    const Value* given = converted.find(name);
    if (given == nullptr || given->is_null()) continue;
    const std::string field = "metadata." + std::string(name);
    if (!given->is_object()) {
      return "invalid " + field + " of type " + std::string(json::go_dynamic_type(*given)) +
             " in converted object";
    }
    for (const json::Member& member : given->members()) {
      if (member.value.is_string()) continue;
      return field + "[" + std::string(member.key) + "] must be a string, but is " +
             std::string(json::go_dynamic_type(member.value)) + " in converted object";
    }
    const Value* before = original.find(name);
    if (before != nullptr && json::deep_equal(*before, *given)) continue;
    field::ErrorList errors;
    if (name == "labels") {
      validate_labels(*given, field::Path("metadata.labels"), errors);
    } else {
      validate_annotations(*given, field::Path("metadata.annotation"), errors);
    }
    if (!errors.empty()) return field::aggregate(errors);
  }
  return {};
}

// Returns what is wrong with a converted object, or an empty text. `prefix` names the webhook.
std::string check_object(const std::string& prefix, const CustomVersion& to, const Value& original,
                         const Value& converted, std::size_t index) {
  if (!converted.is_object()) {
    return "json: cannot unmarshal " + std::string(json::go_type_name(converted)) +
           " into Go value of type map[string]interface {}";
  }
  const std::string_view kind = converted.string_at("kind"), wanted = original.string_at("kind");
  if (kind.empty()) {
    return "Object 'Kind' is missing in '" + codec::json_text(converted) + "'";
  }
  const std::string at = prefix + " returned invalid object at index " + std::to_string(index);
  if (converted.string_at("apiVersion") != to.type.api_version) {
    return at + ": invalid groupVersion (expected " + to.type.api_version + ", received " +
           std::string(converted.string_at("apiVersion")) + ")";
  }
  if (kind != wanted) {
    return at + ": invalid kind (expected " + std::string(wanted) + ", received " +
           std::string(kind) + ")";
  }
  const Value nothing;
  const Value* metadata = converted.find("metadata");
  const Value& given = metadata == nullptr ? nothing : *metadata;
  const Value& own = *original.find("metadata");
  for (const std::string_view name : {"name", "namespace", "uid"}) {
    if (own.string_at(name) == given.string_at(name)) continue;
    return prefix + " returned invalid object: must have the same " +
           (name == "uid" ? "UID" : std::string(name)) + ": " + std::string(own.string_at(name)) +
           " != " + std::string(given.string_at(name));
  }
  std::string fault;
  if (metadata == nullptr) fault = "missing metadata in converted object";
  if (fault.empty() && !given.is_object()) {
    fault = "invalid metadata of type " + std::string(json::go_dynamic_type(given)) +
            " in converted object";
  }
  if (fault.empty()) fault = check_maps(own, given);
  return fault.empty() ? fault : prefix + " returned invalid metadata: " + fault;
}

}  // namespace

std::string conversion_review(const CustomVersion& to, std::string_view uid,
                              const std::vector<std::string_view>& objects) {
  std::string out = "{\"kind\":\"ConversionReview\",\"apiVersion\":\"" + review_version(to) +
                    "\",\"request\":{\"uid\":\"" + std::string(uid) +
                    "\",\"desiredAPIVersion\":\"" + to.type.api_version + "\",\"objects\":[";
  for (const std::string_view object : objects) {
    if (out.back() != '[') out += ',';
    out += object;
  }
  return out +=
         "]},\"response\":{\"uid\":\"\",\"convertedObjects\":null,\"result\":{\"metadata\":{}}}}";
}

std::vector<PendingWork::Answer> read_conversion_review(
    const CustomVersion& to, std::string_view uid, const std::vector<std::string_view>& objects,
    std::string_view url, const WebhookAnswer& answer) {
  json::Arena arena;
  std::vector<Value> originals;
  for (const std::string_view object : objects) {
    originals.push_back(codec::read_json(object, arena).value);
  }
  std::vector<PendingWork::Answer> reviewed(objects.size());
  const std::string prefix =
      "conversion webhook for " +
      group_version_kind(originals[0].string_at("apiVersion"), originals[0].string_at("kind"));
  Value review;
  const Value* converted = nullptr;
  std::string fault;
  const ReviewKind kind{"apiextensions.k8s.io", to.kind->webhook()->beta ? "v1beta1" : "v1",
                        "ConversionReview", "pkg/runtime/scheme.go:111"};
  fault = read_review(answer, url, kind, arena, review);
  if (fault.empty() && review.string_at("kind").empty()) {
    fault = "expected webhook response of " + group_version_kind(kind.api_version(), kind.kind) +
            ", got /, Kind=";
  }
  if (fault.empty()) fault = read_response(to, uid, review, converted);
  if (!fault.empty()) {
    fault = prefix + " failed: " + fault;
  } else {
    const std::size_t count = converted == nullptr ? 0 : converted->size();
    if (count != objects.size()) {
      fault = prefix + " returned " + std::to_string(count) + " objects, expected " +
              std::to_string(objects.size());
    }
  }
  for (std::size_t i = 0; i < reviewed.size(); ++i) {
    reviewed[i].error = fault;
    if (!fault.empty()) continue;
    const Value& object = converted->items()[i];
    reviewed[i].error = check_object(prefix, to, originals[i], object, i);
    if (reviewed[i].error.empty()) codec::write_json(object, reviewed[i].text);
  }
  return reviewed;
}

}  // namespace tabernetes::registry::custom
