// GET /: the paths of the server. Source: spec/rest.md 1.7.
#pragma once

#include "server/discovery/discovery.h"
#include "server/http/text_answer.h"

namespace tabernetes::server {

// Pretty JSON without a final newline, whatever the Accept header says.
TextAnswer answer_index(const Groups& groups);

}  // namespace tabernetes::server
