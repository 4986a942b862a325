// Decides which answers are compressed. The core writes the headers, the host compresses. Source:
// spec/rest.md 8.
#pragma once

#include <string_view>

#include "server/request/server_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Returns whether large objects are compressed for this client: some element of its Accept-Encoding
// is exactly `gzip`. Quality values and `*` are not supported.
bool takes_gzip(const Request& request, const ServerContext& server);

// The minimum size of compressed bodies of objects.
inline constexpr std::size_t kCompressedFrom = 131072 + 1;

// Compresses an answer with objects (including Status and discovery) if it is large and the client
// accepts it. A finite stream counts as large: its maker checks kCompressedFrom first. Watches are
// never compressed.
void compress_if_large(const Request& request, const ServerContext& server, Response& response);

// Compresses a body of any size if the client accepts it, like handlers of their own (OpenAPI v2,
// metrics). Names ignore case, and quality values count, so that `gzip;q=0` refuses. Writes no
// Vary.
void compress_if_accepted(const Request& request, const ServerContext& server, Response& response);
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace tabernetes::server
