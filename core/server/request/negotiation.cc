#include "server/request/negotiation.h"

#include <optional>
#include <vector>

namespace tabernetes::server {
namespace {

using codec::AcceptClause;
using codec::Encoding;

constexpr std::string_view kCborName = ", application/cbor";

std::string accepted_types(const NegotiationOptions& options) {
  std::string text = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  if (options.cbor) text += kCborName;
  return text;
}

bool names_type(const AcceptClause& clause, Encoding encoding) {
  const std::string_view media = codec::media_type_of(encoding);
  const std::size_t slash = media.find('/');
  if (clause.type == "*") return clause.subtype == "*";
  return clause.type == media.substr(0, slash) &&
         (clause.subtype == "*" || clause.subtype == media.substr(slash + 1));
}

std::optional<Transform> transform_named(std::string_view name) {
  if (name == "Table") return Transform::kTable;
  if (name == "PartialObjectMetadata") return Transform::kPartialMetadata;
  if (name == "PartialObjectMetadataList") return Transform::kPartialMetadataList;
  return std::nullopt;
}

// Returns the form that a clause requests in `encoding`, or nullopt if its parameters are
// unsatisfiable.
std::optional<Representation> form_of(const AcceptClause& clause, Encoding encoding, Offer offer) {
  Representation form{.encoding = encoding};
  const std::string_view as = clause.parameter("as");
  const std::string_view group = clause.parameter("g");
  const std::string_view version = clause.parameter("v");
  if (!as.empty() || !group.empty() || !version.empty()) {
    const auto transform = transform_named(as);
    if (offer == Offer::kDocuments || !transform || group != "meta.k8s.io") return std::nullopt;
    if (version != "v1" && version != "v1beta1") return std::nullopt;
    // Upstream 1.36: endpoints/handlers/rest.go, AllowsMediaTypeTransform.
    const bool text = encoding == Encoding::kJson || encoding == Encoding::kYaml;
    if (*transform == Transform::kTable && (!text || offer == Offer::kWithoutTable)) {
      return std::nullopt;
    }
    form.transform = *transform;
    form.meta_version = version == "v1" ? std::string_view("v1") : std::string_view("v1beta1");
  }
  const std::string_view stream = clause.parameter("stream");
  if (!stream.empty() && (stream != "watch" || encoding == Encoding::kYaml)) return std::nullopt;
  const std::string_view server_version = clause.parameter("sv");
  if (!server_version.empty() && (offer == Offer::kDocuments || server_version != "v1")) {
    return std::nullopt;
  }
  if (clause.parameter("pretty") == "1") form.pretty = true;
  return form;
}

bool is_offered(Encoding encoding, const NegotiationOptions& options) {
  return encoding != Encoding::kCbor || options.cbor;
}

std::optional<Representation> best_form(std::string_view accept, Offer offer,
                                        const NegotiationOptions& options) {
  for (const AcceptClause& clause : codec::parse_accept(accept)) {
    for (const Encoding encoding :
         {Encoding::kJson, Encoding::kYaml, Encoding::kProtobuf, Encoding::kCbor}) {
      if (!is_offered(encoding, options)) continue;
      if (!names_type(clause, encoding)) continue;
      auto form = form_of(clause, encoding, offer);
      if (!form) continue;
      const bool whole = form->transform == Transform::kNone && offer != Offer::kDocuments;
      if (options.protobuf || !whole || encoding != Encoding::kProtobuf) return form;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> types_of_route(RouteKind kind, const NegotiationOptions& options) {
  std::vector<std::string_view> types = {"application/json"};
  if (kind == RouteKind::kVersion) return types;
  types.insert(types.end(), {"application/yaml", "application/vnd.kubernetes.protobuf"});
  if (options.cbor) types.push_back("application/cbor");
  if (kind == RouteKind::kList) {
    types.push_back("application/json;stream=watch");
    types.push_back("application/vnd.kubernetes.protobuf;stream=watch");
    if (options.cbor) types.push_back("application/cbor-seq");
  }
  return types;
}

}  // namespace

// Go's ParseBool of `?pretty`; by default true for clients that people read directly.
bool wants_pretty(const Request& request, const Query& query) {
  const std::string_view value = query.get("pretty");
  if (!value.empty()) {
    for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"}) {
      if (value == yes) return true;
    }
    return false;
  }
  const std::string_view agent = find_header(request.headers, "user-agent");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

Result<void> check_route_accept(const Request& request, RouteKind kind,
                                const NegotiationOptions& options) {
  const std::vector<std::string_view> types = types_of_route(kind, options);
  std::string_view accept = find_header(request.headers, "accept");
  if (accept.empty()) return {};
  // Parameters are ignored, q included.
  while (!accept.empty()) {
    const std::size_t comma = accept.find(',');
    std::string_view part = accept.substr(0, comma);
    accept = comma == std::string_view::npos ? std::string_view() : accept.substr(comma + 1);
    part = part.substr(0, part.find(';'));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (part == "*/*") return {};
    for (const std::string_view type : types) {
      if (part == type) return {};
    }
  }
  std::string text = "406: Not Acceptable\n\nAvailable representations: ";
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += ", ";
    text += types[i];
  }
  Failure failure = errors::not_acceptable(text);
  failure->details.emplace();
  return failure;
}

Failure not_acceptable(const NegotiationOptions& options) {
  return errors::not_acceptable("only the following media types are accepted: " +
                                accepted_types(options));
}

Result<Representation> negotiate(const Request& request, const Query& query, Offer offer,
                                 const NegotiationOptions& options) {
  auto form = best_form(find_header(request.headers, "accept"), offer, options);
  if (!form) return not_acceptable(options);
  // The best form for an object is chosen first; only then is it checked for streaming.
  if (offer == Offer::kWatch && form->encoding == Encoding::kYaml) {
    return errors::not_acceptable(
        "only the following media types are accepted: application/json;stream=watch, "
        "application/vnd.kubernetes.protobuf;stream=watch" +
        std::string(options.cbor ? ", application/cbor-seq" : ""));
  }
  if (offer != Offer::kWatch && wants_pretty(request, query)) form->pretty = true;
  return *form;
}

Representation negotiate_error(const Request& request, const Query& query,
                               const NegotiationOptions& options) {
  if (auto form = best_form(find_header(request.headers, "accept"), Offer::kDocuments, options)) {
    if (wants_pretty(request, query)) form->pretty = true;
    return *form;
  }
  return {.encoding = Encoding::kJson, .pretty = true};
}

Result<codec::Encoding> body_encoding(const Request& request, const NegotiationOptions& options) {
  const std::string_view header = find_header(request.headers, "content-type");
  if (header.empty()) return Encoding::kJson;
  if (const auto media = codec::parse_content_type(header)) {
    if (media->type == "application/json") return Encoding::kJson;
    if (media->type == "application/yaml") return Encoding::kYaml;
    if (media->type == codec::media_type_of(Encoding::kProtobuf)) return Encoding::kProtobuf;
    if (options.cbor && media->type == "application/cbor") return Encoding::kCbor;
  }
  return errors::unsupported_media_type(
      "the body of the request was in an unknown format - accepted media types include: " +
      accepted_types(options));
}

}  // namespace tabernetes::server
