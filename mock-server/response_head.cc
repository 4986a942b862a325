#include "response_head.h"

#include <charconv>
#include <string_view>

#include "tabernetes/reason_phrase.h"

namespace tabernetes::host {
namespace {

bool has_no_body(int status) { return status < 200 || status == 204 || status == 304; }

void append_header(std::string& head, std::string_view name, std::string_view value) {
  head += name;
  head += ": ";
  const std::size_t start = head.size();
  head += value;
  for (std::size_t i = start; i < head.size(); ++i) {
    if (head[i] == '\r' || head[i] == '\n' || head[i] == '\0') head[i] = ' ';
  }
  head += "\r\n";
}

}  // namespace

Framing framing_of(const Response& response, const HeadOptions& options) {
  if (has_no_body(response.status)) return Framing::kNone;
  if (options.head_request) return Framing::kNone;
  const bool length_known =
      !response.stream && response.content_encoding == ContentEncoding::kIdentity;
  if (length_known) return Framing::kLength;
  return options.http_1_0 ? Framing::kClose : Framing::kChunked;
}

std::string format_head(const Response& response, Framing framing, const HeadOptions& options) {
  std::string head;
  head.reserve(512);
  head += options.http_1_0 ? "HTTP/1.0 " : "HTTP/1.1 ";
  head += std::to_string(response.status);
  head += ' ';
  head += reason_phrase(response.status);
  head += "\r\n";
  for (const auto& [name, value] : response.headers) append_header(head, name, value);
  append_header(head, "Date", options.date);
  const bool length_of_head = framing == Framing::kNone && !has_no_body(response.status) &&
                              !response.stream &&
                              response.content_encoding == ContentEncoding::kIdentity;
  if (framing == Framing::kLength || length_of_head) {
    append_header(head, "Content-Length", std::to_string(response.body.size()));
  } else if (framing == Framing::kChunked) {
    append_header(head, "Transfer-Encoding", "chunked");
  }
  if (!options.keep_alive) {
    append_header(head, "Connection", "close");
  } else if (options.http_1_0) {
    append_header(head, "Connection", "keep-alive");
  }
  head += "\r\n";
  return head;
}

std::string format_chunk_size(std::size_t size) {
  char text[20];
  const auto end = std::to_chars(text, text + sizeof text - 2, size, 16).ptr;
  end[0] = '\r';
  end[1] = '\n';
  return std::string(text, static_cast<std::size_t>(end + 2 - text));
}

}  // namespace tabernetes::host
