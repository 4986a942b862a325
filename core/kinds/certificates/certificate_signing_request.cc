// CertificateSigningRequest of certificates.k8s.io. Source: upstream 1.36
// pkg/apis/certificates/validation.
#include <string>

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "kinds/certificate_request.h"
#include "kinds/kinds.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kCertificateSigningRequestRules, R"~(
on create
 spec
  request @pem-request
  usages required
  usages @key-usages
  signerName required @signer-name
  expirationSeconds given ge:600 "may not specify a duration less than 600 seconds (10 minutes)"
)~");

namespace {

using json::Value;

constexpr ResetFields kCertificateRequestResets[] = {{"", "spec status"},
                                                     {"status", "spec status.conditions"},
                                                     {"approval", "spec status.certificate"}};

// Only the presence of the conditions matters, not their status.
std::string request_condition(const Value& request) {
  std::string text = find_condition(request, "Denied")     ? "Denied"
                     : find_condition(request, "Approved") ? "Approved"
                                                           : "Pending";
  if (find_condition(request, "Failed")) text += ",Failed";
  if (!text_at(request, {"status", "certificate"}).empty()) text += ",Issued";
  return text;
}

void print_certificate_signing_request(const Value& object, Row& row) {
  row.name(object);
  row.age(object);
  row.text_or(text_at(object, {"spec", "signerName"}), kNone);
  row.text(text_at(object, {"spec", "username"}));
  if (has(object, {"spec", "expirationSeconds"})) {
    row.text(
        human_duration(Duration::from_seconds(number_at(object, {"spec", "expirationSeconds"}))));
  } else {
    row.text(kNone);
  }
  row.text(request_condition(object));
}

}  // namespace

const Kind kCertificateSigningRequestKind{
    .group = "certificates.k8s.io",
    .kind = "CertificateSigningRequest",
    .strategy = {.names = kAnyName,
                 .meta_passes = {"CF", "CFUF", "CFUF"},
                 .reset_fields = kCertificateRequestResets,
                 .prepare_subresource = &prepare_certificate_request_subresource},
    .rules = &kCertificateSigningRequestRules,
    .print = &print_certificate_signing_request};

}  // namespace tabernetes::registry::kinds
