#include "controllers/access/certificate_checks.h"

#include <string>

#include "../loop_fixture.h"
#include "base/text/base64.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kAskedCertificates{"certificates.k8s.io", "v1",
                                                   "certificatesigningrequests"};

// Of system:node:n1 in system:nodes.
constexpr std::string_view kPlainRequest = R"(-----BEGIN CERTIFICATE REQUEST-----
MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lz
dGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASup6DtZ9yqjy6b
DAT6QM+DnBW7iNlxxaoSZ5+PFg4p0mRclL0dGFXIgafZx9TGW3b2CUwO3T+8z4Jx
d3HR7gg5oAAwCgYIKoZIzj0EAwIDSAAwRQIga1f3Za8lyEnlIn9Rc6IKIPpTYTTj
LXb4tUytitRh67oCIQCLoXgiiSB3TAaeii3u/BZR4VrvgTkELNxyLSnbluyNzA==
-----END CERTIFICATE REQUEST-----
)";

// The same with a DNS name, two addresses, a mail address and a URI.
constexpr std::string_view kRequestWithNames = R"(-----BEGIN CERTIFICATE REQUEST-----
MIIBMjCB2QIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5
c3RlbTpub2RlOm4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/eNIpvMpUsEJ
Ex5MyQXlD8DiplbUlFSdoXTUZAahGohYRx1wABgFbf13wH/iRk4o+2TTbeF0U1G1
mXgJDAh4iaBHMEUGCSqGSIb3DQEJDjE4MDYwNAYDVR0RBC0wK4IKbjEuZXhhbXBs
ZYcECgAAAYcECgAAAoEFYUBiLmOGCnNwaWZmZTovL3gwCgYIKoZIzj0EAwIDSAAw
RQIhAPWPLyuSvTolj9PmEHqZesbNjWMzgTStwU8L48h9QFv1AiB8hSRc3fOkoCxS
AtR/1hbL8ua0S+Qol2dITCcl9fx5gg==
-----END CERTIFICATE REQUEST-----
)";

std::string request_text(std::string_view name, std::string_view signer, std::string_view usages,
                         std::string_view more = "") {
  return R"({"metadata":{"name":")" + std::string(name) + R"("},"spec":{"request":")" +
         base64_encode(kPlainRequest) + R"(","signerName":")" + std::string(signer) +
         R"(","usages":[)" + std::string(usages) + R"(],"username":"joiner")" + std::string(more) +
         R"(},"status":{"conditions":[{"type":"Approved","status":"True"}]}})";
}

TEST_CASE("certificate requests: subject and alternative names are read", "[controllers]") {
  const RequestSubject plain = read_request_subject(kPlainRequest);
  CHECK(plain.fault.empty());
  CHECK(plain.common_name == "system:node:n1");
  CHECK(plain.organizations == std::vector<std::string>{"system:nodes"});
  CHECK(plain.dns_names + plain.addresses + plain.emails + plain.uris == 0);
  const RequestSubject named = read_request_subject(kRequestWithNames);
  CHECK(named.fault.empty());
  CHECK(named.dns_names == 1);
  CHECK(named.addresses == 2);
  CHECK(named.emails == 1);
  CHECK(named.uris == 1);
  CHECK(read_request_subject(kRequestWithNames.substr(0, 300)).fault ==
        "PEM block type must be CERTIFICATE REQUEST");
}

TEST_CASE("certificate requests: what each signer demands", "[controllers]") {
  struct Case {
    std::string_view signer, usages;
    RequestSubject subject;
    std::string_view fault;
  };
  RequestSubject node{.common_name = "system:node:n1", .organizations = {"system:nodes"}};
  const auto with = [&](auto change) {
    RequestSubject changed = node;
    change(changed);
    return changed;
  };
  constexpr std::string_view kClient = R"("digital signature","client auth")";
  constexpr std::string_view kServer = R"("server auth","key encipherment","digital signature")";
  const Case cases[] = {
      {kClientSigner, R"("client auth")", {}, ""},
      {kClientSigner,
       R"("digital signature")",
       {},
       "missing required usage for client certificate: client auth"},
      {kClientSigner, R"("client auth","any")", {}, "invalid usage for client certificate: any"},
      {kKubeletClientSigner, kClient, node, ""},
      {kKubeletClientSigner, R"("client auth")", node,
       "usages did not match [client auth digital signature key encipherment]"},
      {kKubeletClientSigner, kClient, with([](auto& s) { s.organizations.push_back("x"); }),
       "subject organization is not system:nodes"},
      {kKubeletClientSigner, kClient, with([](auto& s) { s.common_name = "n1"; }),
       "subject common name does not begin with system:node:"},
      {kKubeletClientSigner, kClient, with([](auto& s) { s.dns_names = 1; }),
       "DNS subjectAltNames are not allowed"},
      {kKubeletClientSigner, kClient, with([](auto& s) { s.emails = 1; }),
       "Email subjectAltNames are not allowed"},
      {kKubeletClientSigner, kClient, with([](auto& s) { s.addresses = 1; }),
       "IP subjectAltNames are not allowed"},
      {kKubeletClientSigner, kClient, with([](auto& s) { s.uris = 1; }),
       "URI subjectAltNames are not allowed"},
      {kKubeletServingSigner, kServer, node, "DNS or IP subjectAltName is required"},
      {kKubeletServingSigner, kServer, with([](auto& s) { s.addresses = 1; }), ""},
      {kKubeletServingSigner, kClient, with([](auto& s) { s.dns_names = 1; }),
       "usages did not match [digital signature key encipherment server auth]"},
      {kLegacySigner, "", {}, ""},
  };
  LoopFixture cluster;
  for (const Case& one : cases) {
    INFO(one.signer << " " << one.usages << " " << one.fault);
    const std::string text = request_text("any", one.signer, one.usages);
    const json::Value request = codec::read_json(cluster.arena.copy(text), cluster.arena).value;
    CHECK(signer_fault(one.signer, one.subject, request) == std::string(one.fault));
  }
  CHECK_FALSE(signer_fault("example.com/mine", node, json::Value()));
}

TEST_CASE("certificate requests: signed by the host, once", "[controllers]") {
  LoopFixture cluster("certificatesigningrequest-signing-controller");
  std::vector<CertificateOrder> orders;
  LoopHost host;
  host.sign_certificate = [&](const CertificateOrder& order) -> Expected<std::string> {
    orders.push_back(order);
    if (orders.size() == 1) return Fault{"not now"};
    return std::string("a certificate");
  };
  cluster.put(
      kAskedCertificates, "",
      request_text("one", kClientSigner, R"("client auth","key encipherment","digital signature")",
                   R"(,"expirationSeconds":60)"));
  cluster.put(kAskedCertificates, "", request_text("other", "example.com/mine", ""));
  cluster.run();
  CHECK(orders.empty());  // nobody signs

  cluster.set_host(&host);
  cluster.start_anew();
  cluster.run();
  cluster.run();
  REQUIRE(orders.size() == 2);
  CHECK(orders[0].request == kPlainRequest);
  CHECK(orders[0].key_usages == std::vector<std::string>{"digitalSignature", "keyEncipherment"});
  CHECK(orders[0].extended_key_usages == std::vector<std::string>{"1.3.6.1.5.5.7.3.2"});
  CHECK(orders[0].life == Duration::from_seconds(600));
  const json::Value request =
      cluster.registry.find_object(kAskedCertificates, "", "one", cluster.arena);
  CHECK(base64_decode(text_at(request, {"status", "certificate"})) == "a certificate");
}

TEST_CASE("certificate requests: kubelets' are approved if who asks may", "[controllers]") {
  LoopFixture cluster("certificatesigningrequest-approving-controller");
  std::string asked;
  LoopHost host;
  host.access = [&](const admission::AccessQuestion& question) {
    asked += question.user.name + " " + std::string(question.verb) + " " +
             std::string(question.resource) + "/" + std::string(question.subresource) + "\n";
    return admission::AccessAnswer{.allowed = question.subresource == "nodeclient"};
  };
  cluster.set_host(&host);
  std::string text =
      request_text("kubelet", kKubeletClientSigner, R"("digital signature","client auth")");
  text.erase(text.find(R"(,"status")")) += "}";
  cluster.put(kAskedCertificates, "", text);
  cluster.run();
  CHECK(asked == "joiner create certificatesigningrequests/nodeclient\n");
  CHECK(cluster.stored(kAskedCertificates, "", "kubelet", "status.conditions.0.message") ==
        R"("Auto approving kubelet client certificate after SubjectAccessReview.")");
}

}  // namespace
}  // namespace tabernetes::controllers
