// Users that the connection names: by the certificate of the client, or in headers of a proxy that
// has shown a certificate. Source: upstream 1.36 apiserver/pkg/authentication/request/x509,
// apiserver/pkg/authentication/request/headerrequest.
#pragma once

#include <optional>

#include "auth/authorizer.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Returns the user whom a trusted proxy names, else the one of a trusted certificate, with the
// group of all authenticated users.
std::optional<auth::User> user_of_connection(const RequestContext& call);

// Returns true if the client has shown a certificate that somebody should have trusted.
bool shows_refused_certificate(const RequestContext& call);

}  // namespace tabernetes::server
