#include "admission/image_policy.h"

#include <cstdint>
#include <utility>

#include "base/go/duration.h"

namespace tabernetes::admission {
namespace {

using Part = json::DocumentPart;

constexpr Duration kMostTtl = Duration::from_seconds(30 * 60);

// The limits of a number of units; 0 means `usual`, -1 no duration.
struct Limits {
  Duration unit, least, most, usual;
};

Duration read_span(const Part& part, const Limits& limits) {
  if (!part.given()) return limits.usual;
  if (!part.value().is_int()) {
    part.fail("must be a whole number");
    return limits.usual;
  }
  const std::int64_t number = part.value().as_int();
  if (number == -1) return {};
  if (number == 0) return limits.usual;
  const Duration span{saturating_multiply(number, limits.unit.nanoseconds)};
  if (span < limits.least || limits.most < span) {
    part.fail("valid value is between " + go_duration_text(limits.least) + " and " +
              go_duration_text(limits.most) + ", got " + go_duration_text(span));
  }
  return span;
}

bool read_bool(const Part& part) {
  if (!part.given()) return false;
  if (!part.value().is_bool()) part.fail("must be true or false");
  return part.value().is_bool() && part.value().as_bool();
}

}  // namespace

ImagePolicy read_image_policy(const Part& part, const registry::Files& files) {
  const Part given = part["imagePolicy"];
  ImagePolicy policy;
  policy.kubeconfig = given["kubeConfigFile"].text();
  policy.first_pause = read_span(
      given["retryBackoff"], {Duration::from_milliseconds(1), Duration{1},
                              Duration::from_seconds(5 * 60), Duration::from_milliseconds(500)});
  const Duration second = Duration::from_seconds(1);
  policy.allowed_ttl =
      read_span(given["allowTTL"], {second, second, kMostTtl, Duration::from_seconds(5 * 60)});
  policy.denied_ttl =
      read_span(given["denyTTL"], {second, second, kMostTtl, Duration::from_seconds(30)});
  policy.allows_on_error = read_bool(given["defaultAllow"]);
  auto client = registry::read_kubeconfig(policy.kubeconfig, files);
  if (!client) given["kubeConfigFile"].fail(client.fault().message);
  if (client) policy.client = std::move(*client);
  return policy;
}

}  // namespace tabernetes::admission
