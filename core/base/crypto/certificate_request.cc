#include "base/crypto/certificate_request.h"

#include <optional>

#include "base/crypto/der.h"
#include "base/crypto/pem.h"

namespace tabernetes {
namespace {

constexpr std::string_view kCommonName = "\x55\x04\x03", kOrganization = "\x55\x04\x0a";
// extensionRequest of PKCS #9, subjectAltName of RFC 5280
constexpr std::string_view kExtensionRequest = "\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0e";
constexpr std::string_view kAlternativeNames = "\x55\x1d\x11";
// Tags of GeneralName.
constexpr unsigned char kEmail = 0x81, kDnsName = 0x82, kUri = 0x86, kAddress = 0x87;
constexpr unsigned char kAttributes = 0xa0;

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

// Counts the names of a subjectAltName; returns false if it is malformed.
bool count_names(std::string_view extension, RequestSubject& subject) {
  std::optional<std::string_view> names = der::take(extension, der::kSequence);
  if (!names || !extension.empty()) return false;
  while (!names->empty()) {
    const std::optional<der::Element> name = der::take_any(*names);
    if (!name) return false;
    if (name->tag == kDnsName) ++subject.dns_names;
    if (name->tag == kEmail) ++subject.emails;
    if (name->tag == kAddress) ++subject.addresses;
    if (name->tag == kUri) ++subject.uris;
  }
  return true;
}

bool read_extensions(std::string_view values, RequestSubject& subject) {
  std::optional<std::string_view> extensions = der::take(values, der::kSequence);
  if (!extensions) return false;
  while (!extensions->empty()) {
    std::optional<std::string_view> extension = der::take(*extensions, der::kSequence);
    const auto kind = extension ? der::take(*extension, der::kOid) : std::nullopt;
    if (!kind) return false;
    if (der::comes(*extension, der::kBoolean)) (void)der::take(*extension, der::kBoolean);
    const auto value = der::take(*extension, der::kOctets);
    if (!value || !extension->empty()) return false;
    if (*kind == kAlternativeNames && !count_names(*value, subject)) return false;
  }
  return true;
}

// Reads the attributes of a request; returns false if what is read of them is malformed.
bool read_attributes(std::string_view attributes, RequestSubject& subject) {
  while (!attributes.empty()) {
    std::optional<std::string_view> attribute = der::take(attributes, der::kSequence);
    const auto kind = attribute ? der::take(*attribute, der::kOid) : std::nullopt;
    if (!kind) return false;
    if (*kind != kExtensionRequest) continue;
    const auto values = der::take(*attribute, der::kSet);
    if (!values || !read_extensions(*values, subject)) return false;
  }
  return true;
}

bool read_info(std::string_view info, RequestSubject& subject) {
  const auto version = der::take(info, der::kInteger);
  const auto name = version ? der::take(info, der::kSequence) : std::nullopt;
  if (!name || !read_name(*name, subject)) return false;
  if (!der::take(info, der::kSequence)) return false;  // the public key
  if (!der::comes(info, kAttributes)) return true;
  const auto attributes = der::take(info, kAttributes);
  return attributes && read_attributes(*attributes, subject);
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
  const auto info = request ? der::take(*request, der::kSequence) : std::nullopt;
  if (!info || !rest.empty() || !read_info(*info, subject)) {
    subject = {};
    subject.fault = "x509: malformed certificate request";
  }
  return subject;
}

}  // namespace tabernetes
