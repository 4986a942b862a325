// Reads whom a certificate request is for (PKCS #10). Signatures are not checked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

struct RequestSubject {
  std::string fault;  // "PEM block type must be CERTIFICATE REQUEST"; empty if it could be read
  std::string common_name;
  std::vector<std::string> organizations;
  // How many alternative names of each kind it asks for.
  std::size_t dns_names = 0, emails = 0, addresses = 0, uris = 0;
};

// Reads a request as PEM.
RequestSubject read_request_subject(std::string_view pem);

}  // namespace tabernetes
