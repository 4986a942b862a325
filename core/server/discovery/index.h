// GET /: the paths of the server. Source: spec/rest.md 1.7.
#pragma once

#include "server/discovery/discovery.h"
#include "server/http/text_answer.h"

namespace tabernetes::server {

// Returns pretty JSON without a final newline, regardless of the Accept header.
TextResponse answer_index(const Groups& groups, bool over_etcd = false);

}  // namespace tabernetes::server
