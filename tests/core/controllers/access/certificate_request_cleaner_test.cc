#include <string>

#include "../loop_fixture.h"
#include "base/time/rfc3339.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kOldRequests{"certificates.k8s.io", "v1",
                                             "certificatesigningrequests"};

void put_request(LoopFixture& cluster, std::string_view name, std::string_view status) {
  cluster.put(kOldRequests, "",
              R"({"metadata":{"name":")" + std::string(name) +
                  R"(","creationTimestamp":"2026-01-01T00:00:00Z"},"status":{)" +
                  std::string(status) + "}}");
}

TEST_CASE("certificate requests: those that are done or forgotten are deleted", "[controllers]") {
  LoopFixture cluster("certificatesigningrequest-cleaner-controller");
  cluster.now = *parse_rfc3339("2026-01-01T00:30:00Z");
  cluster.store.advance(cluster.now);
  const auto condition = [](std::string_view type) {
    return R"("conditions":[{"type":")" + std::string(type) +
           R"(","lastUpdateTime":"2026-01-01T00:30:00Z"}])";
  };
  put_request(cluster, "approved", condition("Approved"));
  put_request(cluster, "denied", condition("Denied"));
  put_request(cluster, "issued", condition("Approved") + R"(,"certificate":"eA==")");
  put_request(cluster, "pending", "");
  cluster.run(Duration::from_seconds(3600));
  CHECK(cluster.names(kOldRequests, "") == "approved denied issued pending");
  cluster.run(Duration::from_seconds(3600));
  CHECK(cluster.names(kOldRequests, "") == "approved pending");
  for (int i = 0; i < 26; ++i) cluster.run(Duration::from_seconds(3600));
  CHECK(cluster.names(kOldRequests, "") == "");
  CHECK_FALSE(cluster.next());
}

}  // namespace
}  // namespace tabernetes::controllers
