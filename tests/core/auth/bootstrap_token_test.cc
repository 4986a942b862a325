#include "auth/bootstrap_token.h"

#include "../registry_fixture.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"

namespace tabernetes::auth {
namespace {

class BootstrapTokenFixture : public tests::RegistryFixture {
 public:
  BootstrapTokenFixture() { now = *parse_rfc3339("2026-01-01T12:00:00Z"); }

  // Stores the Secret of the token `abcdef`; `more` are further keys with their texts.
  void keep(const std::vector<std::pair<std::string, std::string>>& more,
            std::string_view type = "bootstrap.kubernetes.io/token") {
    std::string data = R"("token-id":")" + base64_encode("abcdef") + R"(","token-secret":")" +
                       base64_encode("0123456789abcdef") + "\"";
    for (const auto& [key, text] : more) {
      data += ",\"" + key + "\":\"" + base64_encode(text) + "\"";
    }
    put({"", "v1", "secrets"}, "kube-system",
        R"({"metadata":{"name":"bootstrap-token-abcdef"},"type":")" + std::string(type) +
            R"(","data":{)" + data + "}}");
  }
  // Returns the user's name and groups, or an empty text.
  std::string known(std::string_view token = "abcdef.0123456789abcdef") {
    const auto user = user_of_bootstrap_token(registry.resources(), store.tree(), now, token);
    if (!user) return "";
    std::string text = user->name;
    for (const std::string& group : user->groups) text += " " + group;
    return text;
  }
};

TEST_CASE("bootstrap token: who it authenticates", "[auth]") {
  BootstrapTokenFixture cluster;
  CHECK(cluster.known() == "");
  cluster.keep({{"usage-bootstrap-authentication", "true"},
                {"auth-extra-groups", "system:bootstrappers:z,system:bootstrappers:kubeadm:a"}});
  CHECK(cluster.known() ==
        "system:bootstrap:abcdef system:bootstrappers system:bootstrappers:kubeadm:a "
        "system:bootstrappers:z system:authenticated");
  CHECK(cluster.known("abcdef.0123456789abcdeg") == "");
  CHECK(cluster.known("abcdef.0123456789abcde") == "");
  CHECK(cluster.known("ABCDEF.0123456789abcdef") == "");
}

TEST_CASE("bootstrap token: when it does not", "[auth]") {
  BootstrapTokenFixture cluster;
  const std::pair<std::string, std::string> usable{"usage-bootstrap-authentication", "true"};
  cluster.keep({usable});
  CHECK(cluster.known() != "");
  cluster.keep({usable}, "Opaque");
  CHECK(cluster.known() == "");
  cluster.keep({{"usage-bootstrap-signing", "true"}});
  CHECK(cluster.known() == "");
  cluster.keep({usable, {"auth-extra-groups", "system:masters"}});
  CHECK(cluster.known() == "");
  cluster.keep({usable, {"expiration", "2026-01-01T12:00:01Z"}});
  CHECK(cluster.known() != "");
  cluster.keep({usable, {"expiration", "2026-01-01T12:00:00Z"}});
  CHECK(cluster.known() == "");
}

}  // namespace
}  // namespace tabernetes::auth
