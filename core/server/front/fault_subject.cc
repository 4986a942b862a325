#include "server/front/fault_subject.h"

#include <optional>
#include <string_view>

#include "server/access/authentication.h"
#include "server/access/authorization.h"
#include "server/access/impersonation.h"
#include "server/http/request_info.h"
#include "server/watch/watch_event.h"

namespace tabernetes::server {
namespace {

std::string_view content_type_of(const Response& answer) {
  for (const auto& [name, value] : answer.headers) {
    if (name == "Content-Type") return value;
  }
  return {};
}

codec::Encoding encoding_of(std::string_view content_type) {
  if (content_type.starts_with("application/vnd.kubernetes.protobuf")) {
    return codec::Encoding::kProtobuf;
  }
  return content_type.starts_with("application/cbor") ? codec::Encoding::kCbor
                                                      : codec::Encoding::kJson;
}

}  // namespace

FaultSubject fault_subject(const ReadContext& reading, const Request& request) {
  json::Arena arena;
  RequestContext call(reading, request, arena);
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  if (path.size() < target.size()) call.query = Query::parse(target.substr(path.size() + 1));
  const std::optional<ResourcePath> resource = find_resource_path(path_segments(path));
  const RequestAttributes wanted(call, path, resource ? &*resource : nullptr);
  Result<void> known = authenticate(call);
  if (known) known = impersonate(call, wanted);
  const auth::Attributes attributes = wanted.of(call);
  FaultSubject subject{.verb = std::string(attributes.verb), .path = std::string(path)};
  subject.group = attributes.group;
  subject.version = attributes.version;
  subject.resource = attributes.resource;
  subject.subresource = attributes.subresource;
  subject.ns = resource ? resource->ns : std::string();
  subject.name = attributes.name;
  if (known) subject.user = call.user.name;
  subject.user_agent = find_header(request.headers, "user-agent");
  return subject;
}

Slice gone_event(const ReadContext& reading, const FaultSubject& subject, const Response& answer) {
  const registry::ResourceType* const type =
      reading.resources.find(subject.group, subject.version, subject.resource);
  if (type == nullptr) return {};
  const Representation form{.encoding = encoding_of(content_type_of(answer))};
  const WatchEncoder encoder(reading.server, *type, form, {});
  return encoder.error(*errors::expired("The resourceVersion for the provided watch is too old."))
      .bytes;
}

}  // namespace tabernetes::server
