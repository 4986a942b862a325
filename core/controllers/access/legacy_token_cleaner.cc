#include "controllers/access/legacy_token_cleaner.h"

#include <map>
#include <set>

#include "admission/service_account_secrets.h"
#include "base/time/iso_date.h"
#include "controllers/access/token_secret.h"
#include "controllers/shared/objects.h"
#include "controllers/shared/ticks.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/shared/legacy_tokens.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// How long a token must have been unused.
constexpr Duration kCleanUpPeriod{365 * kDay.nanoseconds};

class Cleaning {
 public:
  explicit Cleaning(const ReconcileContext& cluster)
      : cluster_(cluster),
        oldest_(Time{cluster.now.unix_nanoseconds - kCleanUpPeriod.nanoseconds}),
        oldest_day_(format_date(oldest_)) {}

  // Returns whether uses have been noted for long enough.
  bool may_judge() const {
    const Value map = get(cluster_, kConfigMaps, "kube-system", registry::kinds::kTokenTracking);
    if (map.is_null()) return false;
    const auto since = parse_date(text_at(map, {"data", registry::kinds::kTrackedSince}));
    return since && *since + kDay <= oldest_;
  }

  void look_at(const Value& secret) {
    if (is_in_use(secret)) return;
    const std::string_view invalid = label_of(secret, registry::kinds::kInvalidSince);
    const registry::ObjectRef ref = ref_of(cluster_, kSecrets, secret);
    if (!parse_date(invalid)) {
      const std::string today = format_date(cluster_.now);
      (void)update(cluster_, ref, [&](Value& changed) {
        object_or_new(*changed.find("metadata"), "labels", cluster_.arena)
            .set(cluster_.arena, registry::kinds::kInvalidSince, text_value(today, cluster_.arena));
      });
    } else if (invalid < oldest_day_) {
      (void)delete_object(cluster_, ref, uid_of(secret));
    }
  }

 private:
  static std::string_view label_of(const Value& secret, std::string_view name) {
    return text_at(secret, {"metadata", "labels", name});
  }

  // Returns whether the Secret was used, may be used, or was not made by a controller.
  bool is_in_use(const Value& secret) {
    const auto created = time_at(secret, {"metadata", "creationTimestamp"});
    if (!created || *created >= oldest_ || is_terminating(secret)) return true;
    const std::string_view used = label_of(secret, registry::kinds::kLastUsed);
    if (has(secret, {"metadata", "labels", registry::kinds::kLastUsed}) &&
        (!parse_date(used) || used >= oldest_day_)) {
      return true;
    }
    const Value account =
        get(cluster_, kServiceAccounts, namespace_of(secret), annotation_of(secret, kAccountName));
    const std::string_view uid = annotation_of(secret, kAccountUid);
    if (account.is_null() || (!uid.empty() && uid != uid_of(account)) ||
        !names_secret(account, name_of(secret))) {
      return true;
    }
    return secrets_of_pods(namespace_of(secret)).count(std::string(name_of(secret))) != 0;
  }

  // Returns the names of the Secrets to which the pods of a namespace refer.
  const std::set<std::string>& secrets_of_pods(std::string_view ns) {
    const auto [known, is_new] = by_namespace_.try_emplace(std::string(ns));
    if (!is_new) return known->second;
    for (const Value& pod : list(cluster_, kPods, ns)) {
      for (const std::string_view name : admission::secrets_of_pod(*pod.find("spec"))) {
        known->second.emplace(name);
      }
    }
    return known->second;
  }

  const ReconcileContext& cluster_;
  const Time oldest_;  // tokens that were made or used since then stay
  const std::string oldest_day_;
  std::map<std::string, std::set<std::string>> by_namespace_;
};

}  // namespace

void LegacyTokenCleaner::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.now == nullptr || !is_token_secret(change)) return;
  queue_.add("", next_tick(change.due(), kDay), Recurrence::kPeriodic);
}

void LegacyTokenCleaner::reconcile(const ReconcileContext& cluster, const std::string&) {
  Cleaning cleaning(cluster);
  const bool may_judge = cleaning.may_judge();
  bool any = false;
  for (const Value& secret : list(cluster, kSecrets)) {
    if (!is_token_secret(secret)) continue;
    any = true;
    if (may_judge) cleaning.look_at(secret);
  }
  if (any) queue_.add("", next_tick(cluster.now + kReactionDelay, kDay), Recurrence::kPeriodic);
}

}  // namespace tabernetes::controllers
