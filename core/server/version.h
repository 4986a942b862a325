// GET /version: which Kubernetes this server is. Source: spec/rest.md 1.8.
#pragma once

#include "server/text_answer.h"

namespace tabernetes::server {

// Pretty JSON without a final newline.
TextAnswer answer_version();

}  // namespace tabernetes::server
