#include "controllers/access/certificate_approval.h"

#include "admission/access.h"
#include "base/algorithm/sort.h"
#include "controllers/access/certificate_checks.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

struct Recognizer {
  std::string_view subresource;
  bool for_itself;  // only requests of the user that the certificate is for
  std::string_view message;
};

constexpr Recognizer kRecognizers[] = {
    {"selfnodeclient", true,
     "Auto approving self kubelet client certificate after SubjectAccessReview."},
    {"nodeclient", false, "Auto approving kubelet client certificate after SubjectAccessReview."}};

registry::User requester_of(const Value& request) {
  registry::User user{.name = std::string(text_at(request, {"spec", "username"})),
                      .uid = std::string(text_at(request, {"spec", "uid"})),
                      .groups = {},
                      .extra = {}};
  for (const Value& group : items_at(request, {"spec", "groups"})) {
    user.groups.emplace_back(text_of(group));
  }
  for (const json::Member& member : members_at(request, {"spec", "extra"})) {
    auto& values = user.extra.emplace_back(member.key, std::vector<std::string>()).second;
    for (const Value& value : member.value.items()) values.emplace_back(text_of(value));
  }
  sort_stable(user.extra);
  return user;
}

bool may(const ReconcileContext& cluster, const registry::User& user,
         std::string_view subresource) {
  const admission::AccessCheck none;
  return ask_access(cluster.host == nullptr ? none : cluster.host->access,
                    {.user = user,
                     .verb = "create",
                     .group = kCertificateRequests.group,
                     .version = "*",
                     .resource = kCertificateRequests.plural,
                     .subresource = subresource,
                     .ns = {},
                     .name = {}})
      .allowed;
}

Result<void> approve(const ReconcileContext& cluster, const Value& request,
                     std::string_view message) {
  json::Arena& arena = cluster.arena;
  const auto done =
      update_approval(cluster, ref_of(cluster, kCertificateRequests, request), [&](Value& changed) {
        Value& status = object_or_new(changed, "status", arena);
        if (status.find("conditions") == nullptr) {
          status.set(arena, "conditions", Value::array(arena));
        }
        status.find("conditions")
            ->push_back(arena, object_of({{"type", Value::string("Approved")},
                                          {"status", Value::string("True")},
                                          {"reason", Value::string("AutoApproved")},
                                          {"message", Value::string(message)}},
                                         arena));
      });
  return done ? Result<void>() : Result<void>(Failure(done.error()));
}

}  // namespace

void CertificateApproval::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.now == nullptr || !is(change.type, kCertificateRequests)) return;
  queue_.add(change.name, change.due());
}

Result<void> CertificateApproval::sync(const ReconcileContext& cluster, const std::string& name) {
  const Value request = get(cluster, kCertificateRequests, {}, name);
  if (request.is_null() || !text_at(request, {"status", "certificate"}).empty() ||
      has_condition(request, "Approved") || has_condition(request, "Denied")) {
    return {};
  }
  const RequestSubject subject = subject_of(request);
  if (!subject.fault.empty()) {
    return errors::internal_error("unable to parse csr \"" + name + "\": " + subject.fault);
  }
  const std::string_view signer = text_at(request, {"spec", "signerName"});
  if (signer != kKubeletClientSigner || !signer_fault(signer, subject, request)->empty()) return {};
  const registry::User user = requester_of(request);
  for (const Recognizer& recognizer : kRecognizers) {
    if (recognizer.for_itself && user.name != subject.common_name) continue;
    if (may(cluster, user, recognizer.subresource)) {
      return approve(cluster, request, recognizer.message);
    }
  }
  return errors::internal_error("recognized csr \"" + name +
                                "\" but subject access review was not approved");
}

}  // namespace tabernetes::controllers
