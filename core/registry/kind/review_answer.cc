#include "registry/kind/review_answer.h"

#include "base/go/text.h"
#include "codec/json_reader.h"
#include "codec/yaml.h"
#include "json/type_name.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// Returns client-go's message for a status, which does not depend on the body.
std::string_view status_message(int status) {
  struct Words {
    int status;
    std::string_view text;
  };
  static constexpr Words kWords[] = {
      {400, "the server rejected our request for an unknown reason"},
      {401, "the server has asked for the client to provide credentials"},
      {404, "the server could not find the requested resource"},
      {405, "the server does not allow this method on the requested resource"},
      {409, "the server reported a conflict"},
      {422, "the server rejected our request due to an error in our request"},
      {429, "the server has received too many requests and has asked us to try again later"},
      {503, "the server is currently unable to handle the request"},
      {504,
       "the server was unable to return a response in the time allotted, but may still be "
       "processing the request"}};
  for (const Words& words : kWords) {
    if (words.status == status) return words.text;
  }
  return {};
}

// Reads an object; returns an error, or an empty text.
std::string read_body(const WebhookAnswer& answer, json::Arena& arena, Value& review) {
  if (answer.body.empty()) {
    return "0-length response with status code: " + std::to_string(answer.status) +
           " and content type: application/json";
  }
  codec::JsonRead read = codec::read_json(answer.body, arena);
  if (!read.ok()) {
    codec::YamlDocuments documents = codec::read_yaml_documents(answer.body, arena);
    if (!documents.error.empty() || documents.documents.empty()) {
      return "couldn't get version/kind; json parse error: " + read.error;
    }
    read.value = documents.documents[0];
  }
  review = read.value;
  if (!review.is_object()) {
    return "couldn't get version/kind; json parse error: json: cannot unmarshal " +
           std::string(json::go_type_name(review)) +
           " into Go value of type struct { APIVersion string "
           "\"json:\\\"apiVersion,omitempty\\\"\";"
           " Kind string \"json:\\\"kind,omitempty\\\"\" }";
  }
  return {};
}

// Returns the error for a review of another kind or version; empty if there is none.
std::string wrong_kind(const Value& review, const ReviewKind& expected) {
  const std::string_view version = review.string_at("apiVersion"), kind = review.string_at("kind");
  if (version == expected.api_version() && kind == expected.kind) return {};
  if (version.empty() && kind.empty()) return {};
  const std::string_view group = version.substr(0, version.find('/'));
  const std::string_view name = version.substr(version.find('/') + 1);
  if (kind == expected.kind && group == expected.group && (name == "v1" || name == "v1beta1")) {
    const auto go_name = [&](std::string_view of) {
      return "(" + std::string(of) + "." + std::string(expected.kind) + ")";
    };
    return "converting " + go_name(name) + " to " + go_name(expected.version) +
           ": unknown conversion";
  }
  return "no kind " + go_quote(kind) + " is registered for version " + go_quote(version) +
         " in scheme \"" + std::string(expected.scheme) + "\"";
}

}  // namespace

// The body counts as a text unless its media type is that of JSON.
std::string refusal_of(const WebhookAnswer& answer) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(answer.body, arena);
  if (read.ok() && read.value.string_at("kind") == "Status") {
    const std::string_view message = read.value.string_at("message");
    return message.empty() ? "unknown" : std::string(message);
  }
  if (const std::string_view words = status_message(answer.status); !words.empty()) {
    return std::string(words);
  }
  const bool json = read.ok() || answer.content_type.starts_with("application/json");
  std::string_view text = json ? "unknown" : std::string_view(answer.body).substr(0, 2048);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  if (answer.status == 403 || answer.status == 415) return std::string(text);
  if (answer.status < 500) {
    return "the server responded with the status code " + std::to_string(answer.status) +
           " but did not return more information";
  }
  return "an error on the server (" + go_quote(text) +
         ") has prevented the request from succeeding";
}

std::string group_version_kind(std::string_view api_version, std::string_view kind) {
  return std::string(api_version) + ", Kind=" + std::string(kind);
}

std::string read_review(const WebhookAnswer& answer, std::string_view url, const ReviewKind& kind,
                        json::Arena& arena, Value& review) {
  if (answer.fault) {
    const std::string prefix = answer.status == 0
                                   ? "Post " + go_quote(url) + ": "
                                   : "unexpected error when reading response body. Please retry. "
                                     "Original error: ";
    return prefix + answer.fault->message;
  }
  if (answer.status < 200 || answer.status > 299) return refusal_of(answer);
  std::string fault = read_body(answer, arena, review);
  return fault.empty() ? wrong_kind(review, kind) : fault;
}

}  // namespace tabernetes::registry
