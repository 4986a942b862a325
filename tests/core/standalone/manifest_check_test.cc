#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "standalone/manifest_pieces.h"
#include "tabernetes/check.h"

namespace tabernetes {
namespace {

constexpr Time kChecked = Time::from_unix_milliseconds(1'767'225'600'000);

// Returns "3 ConfigMap a: MESSAGE" for each fault of one file.
std::vector<std::string> faults_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const ManifestFault& fault : check_manifests({{"f", text}}, kChecked).faults) {
    lines.push_back(std::to_string(fault.line) + " " + fault.kind + " " + fault.name + ": " +
                    (fault.warning ? "warning: " : "") + fault.message);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("manifest check: documents are counted, empty ones are not", "[check]") {
  const std::string text =
      "# first\n---\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
      "--- # second\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: a}\n---\n";
  const ManifestCheck check = check_manifests({{"f", text}}, kChecked);
  CHECK(check.objects == 2);
  CHECK(check.faults.empty());
}

TEST_CASE("manifest check: a fault is at the line of its field", "[check]") {
  CHECK(
      faults_of("apiVersion: v1\nkind: Service\nmetadata:\n  name: s\nspec:\n  ports:\n"
                "  - port: 80\n  - name: b\n    port: 0\n") ==
      Lines{"7 Service s: spec.ports[0].name: Required value",
            "8 Service s: spec.ports[1].targetPort: Invalid value: 0: must be between 1 and 65535, "
            "inclusive",
            "9 Service s: spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, "
            "inclusive"});
}

TEST_CASE("manifest check: of lists, the lines of their items", "[check]") {
  CHECK(faults_of("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n"
                  "  metadata: {name: a}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n"
                  "    name: B\n")[0]
            .starts_with("10 ConfigMap B: metadata.name: Invalid value: \"B\""));
}

TEST_CASE("manifest check: strict decoding, part by part", "[check]") {
  CHECK(faults_of("---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  nam: b\ndat: {}\n"
                  "kind: ConfigMap\n") == Lines{"6 ConfigMap a: unknown field \"metadata.nam\"",
                                                "7 ConfigMap a: unknown field \"dat\"",
                                                "8 ConfigMap a: key \"kind\" already set in map"});
}

TEST_CASE("manifest check: what is no object of a kind", "[check]") {
  CHECK(faults_of("kind: Pod\n") == Lines{"1 Pod : apiVersion not set"});
  CHECK(faults_of("apiVersion: v1\n") == Lines{"1  : kind not set"});
  CHECK(faults_of("- a\n") == Lines{"1  : is not an object"});
  CHECK(faults_of("apiVersion: v1\nkind: Pdo\nmetadata: {name: a}\n") ==
        Lines{"1 Pdo a: no matches for kind \"Pdo\" in version \"v1\"; the definition of a custom "
              "resource must be in one of the files"});
}

TEST_CASE("manifest check: limits of the files are in force, webhooks are not called", "[check]") {
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n"
      "    image: i\n    resources: {limits: {cpu: '2'}}\n";
  const std::string range =
      "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\n"
      "spec: {limits: [{type: Container, max: {cpu: '1'}}]}\n---\n";
  CHECK(faults_of(pod).empty());
  CHECK(faults_of(range + pod) == Lines{"6 Pod a: pods \"a\" is forbidden: maximum cpu usage per "
                                        "Container is 1, but limit is 2"});
  const std::string hook =
      "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"
      "metadata: {name: h}\nwebhooks:\n- name: a.example.com\n  sideEffects: None\n"
      "  admissionReviewVersions: [v1]\n  clientConfig: {url: 'https://example.com'}\n"
      "  rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*']}]\n"
      "---\n";
  CHECK(faults_of(hook + pod).empty());
}

TEST_CASE("manifest check: the paths of fields", "[check]") {
  using Path = std::vector<std::string>;
  CHECK(field_path("") == Path{});
  CHECK(field_path("spec.ports[0].name") == Path{"spec", "ports", "0", "name"});
  CHECK(field_path("metadata.labels[a.b/c]") == Path{"metadata", "labels", "a.b/c"});
  CHECK(field_path("a..b[") == Path{"a", "b", ""});
}

TEST_CASE("manifest check: the line at the beginning of a text", "[check]") {
  const auto taken = [](std::string_view text) {
    const std::size_t line = take_line(text);
    return std::to_string(line) + "|" + std::string(text);
  };
  CHECK(taken("line 12: x") == "12|x");
  CHECK(taken("line 12 x") == "0|line 12 x");
  CHECK(taken("line : x") == "0|line : x");
  CHECK(taken("a") == "0|a");
}

}  // namespace
}  // namespace tabernetes
