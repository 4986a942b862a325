// CertificateSigningRequests: approval and status. Source: upstream 1.36
// pkg/registry/certificates/certificates/strategy.go.
#pragma once

#include "json/value.h"
#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void prepare_certificate_request_subresource(const HookContext& context, Subresource subresource,
                                             json::Value& object, const json::Value& old);

}  // namespace tabernetes::registry::kinds
