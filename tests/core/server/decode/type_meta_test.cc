// Compared with Go's encoding/json and apimachinery's ParseGroupVersion.
#include "server/decode/type_meta.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"

namespace tabernetes::server {
namespace {

TEST_CASE("type meta: what a body says it is", "[server]") {
  struct Case {
    std::string_view body, found;  // "group/version Kind", or the error
  };
  static constexpr std::string_view kUnfit = "couldn't get version/kind; json parse error: ";
  static constexpr Case kCases[] = {
      {R"({})", "apps/v1 Deployment"},
      {R"(null)", "apps/v1 Deployment"},
      {R"({"kind":"","apiVersion":null})", "apps/v1 Deployment"},
      {R"({"kind":"Pod"})", "apps/v1 Pod"},
      {R"({"apiVersion":"v2"})", "/v2 Deployment"},
      {R"({"apiVersion":"/v2"})", "/v2 Deployment"},
      {R"({"apiVersion":"/"})", "apps/v1 Deployment"},
      {R"({"apiVersion":"apps/"})", "apps/v1 Deployment"},
      {R"({"apiVersion":"batch/"})", "batch/ Deployment"},
      {R"({"apiVersion":"batch/v1","kind":"Job"})", "batch/v1 Job"},
      // The case does not matter here, and the last counts.
      {R"({"kind":"Pod","Kind":"Secret"})", "apps/v1 Secret"},
      {R"({"KIND":"Secret","kind":"Pod"})", "apps/v1 Pod"},
      {R"({"apiversion":"v3"})", "/v3 Deployment"},
      {"{\"\u212Aind\":\"Pod\",\"apiVer\u017Fion\":\"v1\"}", "/v1 Pod"},
      {R"({"kinds":"Pod","kin":"Pod"})", "apps/v1 Deployment"},
      {R"({"apiVersion":"a/b/c"})", "unexpected GroupVersion string: a/b/c"},
      {R"({"apiVersion":"a/b/c","kind":1})",
       "json: cannot unmarshal number into Go struct field .kind of type string"},
      {R"({"Kind":[],"apiVersion":true})",
       "json: cannot unmarshal array into Go struct field .kind of type string"},
      {R"([])",
       R"(json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })"},
  };
  const Gvk of_path{"apps", "v1", "Deployment"};
  for (const Case& c : kCases) {
    INFO(c.body);
    json::Arena arena;
    const TypeMeta meta = read_type_meta(codec::read_json(c.body, arena).value, of_path);
    const bool is_json = meta.error.starts_with(kUnfit);
    const std::string error = is_json ? meta.error.substr(kUnfit.size()) : meta.error;
    CHECK((meta.error.empty() ? meta.gvk.group + "/" + meta.gvk.version + " " + meta.gvk.kind
                              : error) == c.found);
  }
}

}  // namespace
}  // namespace tabernetes::server
