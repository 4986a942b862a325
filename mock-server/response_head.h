// The head of an HTTP/1.x answer, and the frames of a chunked body, as text.
#pragma once

#include <cstddef>
#include <string>

#include "tabernetes/response.h"

namespace tabernetes::host {

// How the end of a body is told to the peer.
enum class Framing {
  kNone,     // there is none: HEAD keeps its Content-Length, 204 and 304 have no body
  kLength,   // Content-Length
  kChunked,  // Transfer-Encoding: chunked
  kClose,    // until the connection ends (HTTP/1.0)
};

struct HeadOptions {
  bool http_1_0 = false;
  bool head_request = false;
  bool keep_alive = true;
  std::string date;  // value of the Date header
};

Framing framing_of(const Response& response, const HeadOptions& options);

// Status line, headers and the empty line. What a header value must not hold (line breaks) is
// replaced by spaces.
std::string format_head(const Response& response, Framing framing, const HeadOptions& options);

// The line before a chunk of `size` bytes.
std::string format_chunk_size(std::size_t size);

}  // namespace tabernetes::host
