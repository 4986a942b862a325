#include "server/openapi_endpoint.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/hash.h"
#include "base/rfc3339.h"
#include "codec/media_type.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kRoot = "/openapi/v3";
constexpr std::string_view kNotCached = "no-cache, private";
constexpr std::int64_t kSecondsOfYear = 365 * 24 * 60 * 60;

bool accepts_json(std::string_view header) {
  for (const codec::AcceptClause& clause : codec::parse_accept(header)) {
    if (clause.type == "*") return true;
    if (clause.type == "application" && (clause.subtype == "*" || clause.subtype == "json")) {
      return true;
    }
  }
  return false;
}

// If-None-Match as net/http compares it: a list of tags, weak or not, or `*`.
bool matches_tag(std::string_view header, std::string_view tag) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(','), header.size());
    std::string_view item = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (item.starts_with("W/")) item.remove_prefix(2);
    if (item == "*" || item == tag) return true;
  }
  return false;
}

Response answer_index(const OpenApiDocuments& documents) {
  Response response;
  // The aggregator sends no type, so that Go's net/http guesses one.
  response.headers = {{"Cache-Control", std::string(kNotCached)},
                      {"Content-Type", "text/plain; charset=utf-8"}};
  response.body.append(documents.index());
  return response;
}

Response answer_empty(int status) {
  Response response;
  response.status = status;
  response.headers = {{"Cache-Control", std::string(kNotCached)}};
  return response;
}

// "Mon, 02 Jan 2006 15:04:05 UTC"
std::string format_rfc1123(Time time) {
  constexpr std::string_view kDays[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::string text = format_rfc3339(time);  // 2006-01-02T15:04:05Z
  const std::int64_t seconds = std::max<std::int64_t>(time.unix_seconds(), 0);
  const std::size_t month = static_cast<std::size_t>((text[5] - '0') * 10 + (text[6] - '0'));
  std::string date(kDays[static_cast<std::size_t>(seconds / 86'400 % 7)]);
  date.append(", ").append(text, 8, 2).append(" ").append(kMonths[month - 1]);
  return date.append(" ").append(text, 0, 4).append(" ").append(text, 11, 8).append(" UTC");
}

std::string url_of(std::string_view key, std::string_view hash) {
  std::string url(kRoot);
  return url.append("/").append(key).append("?hash=").append(hash);
}

}  // namespace

OpenApiDocuments::OpenApiDocuments(const schema::Catalogue& catalogue,
                                   const schema::OpenApiOptions& options)
    : catalogue_(catalogue), options_(options) {
  for (std::string& key : schema::openapi_v3_keys(catalogue)) {
    documents_.try_emplace(std::move(key));
  }
}

const OpenApiDocuments::Document* OpenApiDocuments::find(std::string_view key) const {
  const auto known = documents_.find(key);
  if (known == documents_.end()) return nullptr;
  return &known->second.get_or_make([&] {
    std::string json = schema::openapi_v3_document(catalogue_, key, options_).value_or("");
    Document document;
    document.hash = sha512_hex_upper(json);
    document.json = Slice::from_string(std::move(json));
    return document;
  });
}

const Slice& OpenApiDocuments::index() const {
  return index_.get_or_make([&] {
    std::string text = R"({"paths":{)";
    for (const auto& [key, document] : documents_) {
      if (text.back() == '}') text += ',';
      text += "\"" + key + R"(":{"serverRelativeURL":")" + url_of(key, find(key)->hash) + "\"}";
    }
    text += "}}";
    return Slice::from_string(std::move(text));
  });
}

Response answer_openapi_v3(const OpenApiDocuments& documents, const OpenApiRequest& request,
                           Time now) {
  if (request.path == kRoot) return answer_index(documents);
  const std::string prefix = std::string(kRoot) + "/";
  if (!request.path.starts_with(prefix)) return answer_empty(404);
  const std::string_view key = request.path.substr(prefix.size());
  const OpenApiDocuments::Document* document = documents.find(key);
  if (document == nullptr) return answer_empty(404);

  if (!accepts_json(request.accept)) {
    Response response = answer_empty(406);
    response.headers.emplace_back("Vary", "Accept");
    return response;
  }

  const std::string tag = "\"" + document->hash + "\"";
  Response response;
  const bool current = request.hash && *request.hash == document->hash;
  response.headers = {
      {"Cache-Control", current ? "public, immutable" : std::string(kNotCached)},
      {"Content-Type", "application/json"},
      {"Etag", tag},
      {"Vary", "Accept"},
  };
  if (request.hash && !current) {
    response.status = 301;
    response.headers.emplace_back("Location", url_of(key, document->hash));
    return response;
  }
  if (current) {
    const Time expires = now + Duration::from_seconds(kSecondsOfYear);
    response.headers.emplace_back("Expires", format_rfc1123(expires));
  }
  if (matches_tag(request.if_none_match, tag)) {
    response.status = 304;
    std::erase_if(response.headers, [](const auto& h) { return h.first == "Content-Type"; });
    return response;
  }
  response.body.append(document->json);
  return response;
}

}  // namespace tabernetes::server
