// Reads, makes and keeps the certificates that the flags of HTTPS ask for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "certificate_maker.h"
#include "flags.h"
#include "tls_server.h"

namespace tabernetes::host {

struct TlsFiles {
  std::shared_ptr<TlsServer> server;  // null: connections are plain
  std::string authority;              // PEM: what clients verify the server with
  Certificate signer;                 // the authority that signs for the cluster
  Certificate front_proxy_signer;     // the authority of the certificate below
  Certificate front_proxy;            // what aggregated API servers see of this one
  std::string user_authorities;       // PEM: of users' certificates
  Certificate admin;                  // of the user of the kubeconfig; empty if it needs none
};

// `hosts`: those of the listen addresses, for the certificate. `before`: what it returned at the
// start, whose authorities stay, if they are in no file; null at the start. Appends errors to
// `problems`.
TlsFiles prepare_tls(const ServeFlags& flags, const std::vector<std::string>& hosts,
                     const TlsFiles* before, std::vector<std::string>& problems);

}  // namespace tabernetes::host
