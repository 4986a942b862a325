#include "base/crypto/certificate_request.h"

#include <optional>

#include "base/crypto/der.h"
#include "base/crypto/pem.h"

namespace tabernetes {
namespace {

constexpr std::string_view kCommonName = "\x55\x04\x03", kOrganization = "\x55\x04\x0a";

// Reads the attributes of a name; returns false if it is malformed.
bool read_name(std::string_view name, RequestSubject& subject) {
  while (!name.empty()) {
    std::optional<std::string_view> parts = der::take(name, der::kSet);
    if (!parts) return false;
    while (!parts->empty()) {
      std::optional<std::string_view> part = der::take(*parts, der::kSequence);
      const auto kind = part ? der::take(*part, der::kOid) : std::nullopt;
      const auto value = kind ? der::take_any(*part) : std::nullopt;
      if (!value || !part->empty()) return false;
      if (*kind == kCommonName) subject.common_name = value->contents;
      if (*kind == kOrganization) subject.organizations.emplace_back(value->contents);
    }
  }
  return true;
}

}  // namespace

RequestSubject read_request_subject(std::string_view pem) {
  RequestSubject subject;
  const std::optional<PemBlock> block = take_pem_block(pem);
  if (!block || block->type != "CERTIFICATE REQUEST") {
    subject.fault = "PEM block type must be CERTIFICATE REQUEST";
    return subject;
  }
  std::string_view rest = block->bytes;
  std::optional<std::string_view> request = der::take(rest, der::kSequence);
  std::optional<std::string_view> info = request ? der::take(*request, der::kSequence) : request;
  const auto version = info ? der::take(*info, der::kInteger) : std::nullopt;
  const auto name = version ? der::take(*info, der::kSequence) : std::nullopt;
  if (!name || !rest.empty() || !read_name(*name, subject)) {
    subject = {};
    subject.fault = "x509: malformed certificate request";
  }
  return subject;
}

}  // namespace tabernetes
