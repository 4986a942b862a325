// What admission costs a request that no webhook and no policy matches. Prints rows as JSON.
//
// Clusters with nothing, a little and much configured create the same objects in turn, in many
// short rounds; the least time of a round counts, which other programs disturb least.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tabernetes/api_server.h"

namespace {

using namespace tabernetes;

constexpr int kRounds = 60;
constexpr int kCreates = 400;  // in a round

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Returns configurations of both kinds of webhooks, and policies with bindings, `count` of each;
// none is for ConfigMaps.
std::string configured(int count) {
  std::string list = R"({"apiVersion":"v1","kind":"List","items":[)";
  const auto add = [&list](const std::string& item) {
    if (list.back() == '}') list += ',';
    list += item;
  };
  const std::string group = "admissionregistration.k8s.io/v1";
  for (int i = 0; i < count; ++i) {
    const std::string name = "other-" + std::to_string(i);
    for (const std::string kind : {"Mutating", "Validating"}) {
      add(R"({"apiVersion":")" + group + R"(","kind":")" + kind +
          R"(WebhookConfiguration","metadata":{"name":")" + name +
          R"("},"webhooks":[{"name":"a.b.c","clientConfig":{"url":"https://hook.example/x"},)"
          R"("rules":[{"apiGroups":["example.com"],"apiVersions":["v1"],"operations":["CREATE"],)"
          R"("resources":["widgets"]}],"admissionReviewVersions":["v1"],"sideEffects":"None"}]})");
    }
    add(R"({"apiVersion":")" + group +
        R"(","kind":"ValidatingAdmissionPolicy","metadata":{"name":")" + name +
        R"("},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":["example.com"],)"
        R"("apiVersions":["v1"],"operations":["CREATE"],"resources":["widgets"]}]},)"
        R"("validations":[{"expression":"object.metadata.name != 'x'"}]}})");
    add(R"({"apiVersion":")" + group +
        R"(","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":")" + name +
        R"("},"spec":{"policyName":")" + name + R"(","validationActions":["Deny"]}})");
  }
  return list + "]}";
}

class Measured {
 public:
  explicit Measured(int count) : server_(std::make_unique<ApiServer>()) {
    for (const LoadFault& found : server_->load(configured(count))) {
      std::fprintf(stderr, "%s\n", found.fault.message.c_str());
    }
    round();
    least_ = round();
  }

  void measure() { least_ = std::min(least_, round()); }
  // Returns the microseconds of one create.
  double each() const { return least_ / kCreates * 1e6; }

 private:
  double round() {
    const double start = seconds();
    for (int i = 0; i < kCreates; ++i) {
      Request request;
      request.method = "POST";
      request.target = "/api/v1/namespaces/default/configmaps";
      request.headers = {{"content-type", "application/json"}};
      request.body = R"({"metadata":{"name":"c-)" + std::to_string(++number_) +
                     R"("},"data":{"key":"value"}})";
      server_->handle(std::move(request), [](const Response& answer) {
        if (answer.status != 201) std::fprintf(stderr, "%s\n", answer.body.flatten().c_str());
      });
    }
    return seconds() - start;
  }

  std::unique_ptr<ApiServer> server_;
  int number_ = 0;
  double least_ = 0;
};

}  // namespace

int main() {
  Measured nothing(0), some(1), many(1000);
  for (int i = 0; i < kRounds; ++i) {
    for (Measured* each : {&nothing, &some, &many}) each->measure();
  }
  std::printf(
      R"([{"measure":"create of a ConfigMap, nothing configured","value":%.3f,"unit":"µs"},)"
      R"({"measure":"with one of each configured, none for it","value":%.4f,"unit":"times"},)"
      R"({"measure":"with 1,000 of each configured: more","value":%.3f,"unit":"µs"}])"
      "\n",
      nothing.each(), some.each() / nothing.each(), many.each() - nothing.each());
}
