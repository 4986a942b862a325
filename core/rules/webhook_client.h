// The addresses of webhooks, for admission and conversion. Source: upstream 1.36 apiserver
// pkg/util/webhook/validation.go.
#pragma once

#include "rules/rules.h"

namespace tabernetes::registry::validation {

void check_webhook_url(const Place& url);
// Checks the path of a service.
void check_webhook_path(const Place& path);

}  // namespace tabernetes::registry::validation
