// Serves a whole document like Go's http.ServeContent: preconditions, ranges, Last-Modified.
// Source: net/http fs.go; RFC 9110 section 13.
#pragma once

#include <string>

#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

struct Content {
  const Slice& bytes;
  const std::string& tag;  // quoted
  Time modified;
};

// Completes `response`, which has its Content-Type and other headers: 200, 206 for one range, 304,
// 412, 416. Requests for several ranges get the whole document, as RFC 9110 allows.
void serve_content(const Request& request, const Content& content, Response& response);

}  // namespace tabernetes::server
