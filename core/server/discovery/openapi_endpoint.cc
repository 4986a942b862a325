#include "server/discovery/openapi_endpoint.h"

#include <optional>
#include <utility>

#include "base/time/http_date.h"
#include "codec/media_type.h"
#include "server/http/serve_content.h"

namespace tabernetes::server {
namespace {

using Document = OpenApiDocuments::Document;

constexpr std::string_view kRoot = "/openapi/v3";
constexpr std::int64_t kSecondsOfYear = 365 * 24 * 60 * 60;

enum class Form { kJson, kProtobuf };

struct Offered {
  std::string_view subtype;
  Form form;
};
// In the order in which a wildcard matches. Answers name the second, whichever was requested.
struct MediaTypes {
  Offered offered[3];
  std::string_view protobuf;
};
constexpr MediaTypes kV2 = {{{"json", Form::kJson},
                             {"com.github.proto-openapi.spec.v2.v1.0+protobuf", Form::kProtobuf},
                             {"com.github.proto-openapi.spec.v2@v1.0+protobuf", Form::kProtobuf}},
                            "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"};
constexpr MediaTypes kV3 = {{{"json", Form::kJson},
                             {"com.github.proto-openapi.spec.v3.v1.0+protobuf", Form::kProtobuf},
                             {"com.github.proto-openapi.spec.v3@v1.0+protobuf", Form::kProtobuf}},
                            "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"};

std::optional<Form> negotiate(const Request& request, const MediaTypes& types) {
  for (const codec::AcceptClause& clause :
       codec::parse_accept(find_header(request.headers, "accept"))) {
    if (clause.type != "application" && clause.type != "*") continue;
    for (const Offered& offered : types.offered) {
      if (clause.subtype == offered.subtype || clause.subtype == "*") return offered.form;
    }
  }
  return std::nullopt;
}

Response answer_empty(int status) {
  Response response;
  response.status = status;
  response.headers = {{"Cache-Control", "no-cache, private"}};
  return response;
}

Response answer_index(const OpenApiDocuments& documents) {
  Response response = answer_empty(200);
  // The aggregator sends no type, so Go's net/http sniffs one.
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.body.append(documents.v3_index());
  return response;
}

void serve(const OpenApiCall& call, const Document& document, Form form, Response& response) {
  const Slice& bytes = form == Form::kJson ? document.json() : document.protobuf();
  serve_content(call.request, {.bytes = bytes, .tag = document.tag(), .modified = call.modified},
                response);
}

std::string content_type(Form form, const MediaTypes& types) {
  return std::string(form == Form::kJson ? std::string_view("application/json") : types.protobuf);
}

}  // namespace

Response answer_openapi_v2(const OpenApiCall& call) {
  const std::optional<Form> form = negotiate(call.request, kV2);
  Response response = answer_empty(form ? 200 : 406);
  response.headers.emplace_back("Vary", "Accept-Encoding");
  response.headers.emplace_back("Vary", "Accept");
  if (!form) return response;
  response.headers.emplace_back("Content-Type", content_type(*form, kV2));
  serve(call, call.documents.v2(), *form, response);
  return response;
}

Response answer_openapi_v3(const OpenApiCall& call, std::string_view path) {
  if (path == kRoot) return answer_index(call.documents);
  const std::string_view key = path.substr(kRoot.size() + 1);
  const Document* document = call.documents.v3(key);
  if (document == nullptr) return answer_empty(404);

  const std::optional<Form> form = negotiate(call.request, kV3);
  Response response = answer_empty(form ? 200 : 406);
  response.headers.emplace_back("Vary", "Accept");
  if (!form) return response;
  response.headers.emplace_back("Content-Type", content_type(*form, kV3));
  if (!call.hash.empty() && call.hash != document->hash()) {
    response.status = 301;
    response.headers.emplace_back("Etag", document->tag());
    response.headers.emplace_back("Location", OpenApiDocuments::v3_url(key, document->hash()));
    return response;
  }
  if (!call.hash.empty()) {
    const Time expires = call.now + Duration::from_seconds(kSecondsOfYear);
    response.headers[0].second = "public, immutable";
    response.headers.emplace_back("Expires", format_http_date(expires, "UTC"));
  }
  serve(call, *document, *form, response);
  return response;
}

}  // namespace tabernetes::server
