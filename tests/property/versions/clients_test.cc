// Several clients that write to one object at a time. Invariants 4 and 5.
//
// All calls come in sequence, as they do on every host: they count as concurrent because each
// client read the object before any of them wrote.
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "kinds.h"
#include "object.h"
#include "random.h"

namespace tabernetes::property {
namespace {

constexpr int kClients = 40;
const Headers kMergePatch = {{"content-type", "application/merge-patch+json"}};

class SharedObject {
 public:
  SharedObject() : client_(server_, nullptr, "main") {
    const Answer made = client_.call(
        "POST", kinds()[0].collection("default"),
        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"shared"},"data":{"k":"0"}})");
    REQUIRE(made.status == 201);
    stored = read_object(kinds()[0], made.body);
  }

  Answer put(const std::string& value) {
    return client_.call("PUT", path_,
                        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"shared",)"
                        R"("resourceVersion":")" +
                            std::to_string(stored->version) + R"("},"data":{"k":")" + value +
                            "\"}}");
  }
  Answer label(const std::string& key) {
    return client_.call("PATCH", path_, R"({"metadata":{"labels":{")" + key + "\":\"\"}}}",
                        kMergePatch);
  }
  ObjectPtr get() { return read_object(kinds()[0], client_.call("GET", path_).body); }

  ObjectPtr stored;  // as read by every client

 private:
  ApiServer server_;
  Client client_;
  const std::string path_ = kinds()[0].item("default", "shared");
};

TEST_CASE("versions property: of many PUTs with one version one succeeds", "[property]") {
  SharedObject shared;
  const Answer first = shared.put("1");
  CHECK(first.status == 200);
  for (int i = 2; i <= kClients; ++i) {
    expect_status(shared.put(std::to_string(i)), 409,
                  "Operation cannot be fulfilled on configmaps \"shared\": the object has been "
                  "modified; please apply your changes to the latest version and try again");
  }
  CHECK(shared.get()->fields.at("data.k") == "1");
  CHECK(shared.get()->version == shared.stored->version + 1);
}

TEST_CASE("versions property: merge patches without a version all land", "[property]") {
  SharedObject shared;
  std::set<Version> versions;
  for (int i = 0; i < kClients; ++i) {
    const Answer answer = shared.label("l" + std::to_string(i));
    REQUIRE(answer.status == 200);
    versions.insert(read_object(kinds()[0], answer.body)->version);
  }
  CHECK(versions.size() == kClients);
  CHECK(*versions.rbegin() == shared.stored->version + kClients);
  CHECK(shared.get()->labels.size() == kClients);
}

}  // namespace
}  // namespace tabernetes::property
