#include "server/request/compression.h"

#include "base/text/ascii.h"
#include "base/text/parts.h"

namespace tabernetes::server {
namespace {

// Removes and returns the text before the next `mark`.
std::string_view take_until(std::string_view& text, char mark) {
  return trim(take_part(text, mark), kBlanks);
}

// Returns true for "0", "0.000", the quality values that mean refusal.
bool is_zero(std::string_view quality) {
  return !quality.empty() && quality.find_first_not_of("0.") == std::string_view::npos;
}

void compress(Response& response) {
  response.content_encoding = ContentEncoding::kGzip;
  response.headers.emplace_back("Content-Encoding", "gzip");
}

}  // namespace

bool takes_gzip(const Request& request, const ServerContext& server) {
  if (!server.compression) return false;
  std::string_view header = find_header(request.headers, "accept-encoding");
  while (!header.empty()) {
    if (take_until(header, ',') == "gzip") return true;
  }
  return false;
}

void compress_if_large(const Request& request, const ServerContext& server, Response& response) {
  const bool large =
      response.stream ? response.stream->finite() : response.body.size() >= kCompressedFrom;
  if (!large) return;
  if (!takes_gzip(request, server)) return;
  compress(response);
  response.headers.emplace_back("Vary", "Accept-Encoding");
}

void compress_if_accepted(const Request& request, const ServerContext& server, Response& response) {
  const std::string_view header = find_header(request.headers, "accept-encoding");
  if (response.body.empty() || !server.options.compression || !accepts_gzip(header)) return;
  compress(response);
}

bool accepts_gzip(std::string_view accept_encoding) {
  bool accepted = false;  // the last one counts
  while (!accept_encoding.empty()) {
    std::string_view item = take_until(accept_encoding, ',');
    if (!equals_ignoring_case(take_until(item, ';'), "gzip")) continue;
    accepted = true;
    while (!item.empty()) {
      std::string_view parameter = take_until(item, ';');
      if (parameter.starts_with("q=")) accepted = !is_zero(parameter.substr(2));
    }
  }
  return accepted;
}

}  // namespace tabernetes::server
