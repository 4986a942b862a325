// Formats the head of an HTTP/1.x answer and the frames of a chunked body.
#pragma once

#include <cstddef>
#include <string>

#include "tabernetes/http.h"

namespace tabernetes::host {

// How the peer recognises the end of a body.
enum class Framing {
  kNone,     // no body: HEAD keeps its Content-Length, 204 and 304 have none
  kLength,   // Content-Length
  kChunked,  // Transfer-Encoding: chunked
  kClose,    // the end of the connection (HTTP/1.0)
};

struct HeadOptions {
  bool http_1_0 = false;
  bool head_request = false;
  bool keep_alive = true;
  std::string date;  // value of the Date header
};

Framing framing_of(const Response& response, const HeadOptions& options);

// Returns status line, headers and the empty line. Line breaks in header values become spaces.
std::string format_head(const Response& response, Framing framing, const HeadOptions& options);

// Returns the line before a chunk of `size` bytes.
std::string format_chunk_size(std::size_t size);

}  // namespace tabernetes::host
