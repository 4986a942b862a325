#include "controllers/access/certificate_signing.h"

#include <utility>

#include "base/text/base64.h"
#include "base/time/rfc3339.h"
#include "controllers/access/certificate_checks.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

Result<void> only_error(const Result<registry::Updated>& done) {
  return done ? Result<void>() : Result<void>(Failure(done.error()));
}

Result<void> note_failure(const ReconcileContext& cluster, const Value& request,
                          std::string_view message) {
  json::Arena& arena = cluster.arena;
  return only_error(
      update_status(cluster, ref_of(cluster, kCertificateRequests, request), [&](Value& changed) {
        Value& status = object_or_new(changed, "status", arena);
        if (status.find("conditions") == nullptr) {
          status.set(arena, "conditions", Value::array(arena));
        }
        status.find("conditions")
            ->push_back(
                arena,
                object_of({{"type", Value::string("Failed")},
                           {"status", Value::string("True")},
                           {"reason", Value::string("SignerValidationFailure")},
                           {"message", text_value(message, arena)},
                           {"lastUpdateTime", text_value(format_rfc3339(cluster.now), arena)}},
                          arena));
      }));
}

}  // namespace

void CertificateSigning::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.now == nullptr || !is(change.type, kCertificateRequests)) return;
  queue_.add(change.name, change.due());
}

Result<void> CertificateSigning::sync(const ReconcileContext& cluster, const std::string& name) {
  const Value request = get(cluster, kCertificateRequests, {}, name);
  if (request.is_null() || !text_at(request, {"status", "certificate"}).empty()) return {};
  if (!has_condition(request, "Approved") || has_condition(request, "Denied") ||
      has_condition(request, "Failed", true)) {
    return {};
  }
  const std::string_view signer = text_at(request, {"spec", "signerName"});
  const RequestSubject subject = subject_of(request);
  const std::optional<std::string> fault = signer_fault(signer, subject, request);
  if (!fault || cluster.host == nullptr || !cluster.host->sign_certificate) return {};
  if (!subject.fault.empty()) {
    return errors::internal_error("unable to parse csr \"" + name + "\": " + subject.fault);
  }
  if (!fault->empty()) return note_failure(cluster, request, *fault);
  const Expected<std::string> certificate = cluster.host->sign_certificate(order_of(request));
  if (!certificate) {
    return errors::internal_error("error auto signing csr: " + certificate.fault().message);
  }
  return only_error(
      update_status(cluster, ref_of(cluster, kCertificateRequests, request), [&](Value& changed) {
        object_or_new(changed, "status", cluster.arena)
            .set(cluster.arena, "certificate",
                 text_value(base64_encode(*certificate), cluster.arena));
      }));
}

}  // namespace tabernetes::controllers
