// Which answers leave compressed. The core decides and writes the headers, the host compresses.
// Source: spec/rest.md 8.
#pragma once

#include <string_view>

#include "server/request/surface.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Whether objects are compressed for this caller once they are large: some element of its
// Accept-Encoding is exactly `gzip`. No quality values, no `*`.
bool takes_gzip(const Request& request, const Surface& surface);

// Larger bodies of objects are worth it.
inline constexpr std::size_t kCompressedFrom = 131072 + 1;

// Compresses an answer of objects (Status and discovery included) if it is large and the caller
// takes it. A finite stream counts as large: who makes one looks at kCompressedFrom first. A watch
// is never compressed.
void compress_if_large(const Request& request, const Surface& surface, Response& response);

// What handlers of their own do (OpenAPI v2, metrics): any body is compressed for a caller that
// accepts it. Names are read in any case, and quality values count, so that `gzip;q=0` refuses.
// Writes no Vary.
void compress_if_accepted(const Request& request, const Surface& surface, Response& response);
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace tabernetes::server
