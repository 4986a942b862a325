#include "base/api/names.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

const std::string kSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const std::string kLabel =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const std::string kDns1035 =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

struct NameCase {
  std::string text;
  Faults faults;
};

void check(Faults (*faults_of)(std::string_view), const std::vector<NameCase>& cases) {
  for (const NameCase& c : cases) {
    DYNAMIC_SECTION("'" << c.text << "'") { CHECK(faults_of(c.text) == c.faults); }
  }
}

TEST_CASE("names: DNS-1123 subdomains", "[base]") {
  check(dns1123_subdomain_faults,
        {
            {"a", {}},
            {"1", {}},
            {"a.b-c.1", {}},
            {std::string(253, 'a'), {}},
            {"", {kSubdomain}},
            {"A", {kSubdomain}},
            {"a..b", {kSubdomain}},
            {".a", {kSubdomain}},
            {"a.", {kSubdomain}},
            {"-a", {kSubdomain}},
            {"a-.b", {kSubdomain}},
            {"a_b", {kSubdomain}},
            {"é", {kSubdomain}},
            {std::string(254, 'a'), {"must be no more than 253 characters"}},
            {std::string(254, 'A'), {"must be no more than 253 characters", kSubdomain}},
        });
}

TEST_CASE("names: DNS-1123 labels", "[base]") {
  check(dns1123_label_faults, {
                                  {"a-1", {}},
                                  {"1a", {}},
                                  {std::string(63, 'a'), {}},
                                  {std::string(64, 'a'), {"must be no more than 63 characters"}},
                                  {"a.b", {"must not contain dots"}},
                                  {"a..b", {kLabel}},
                                  {"", {kLabel}},
                                  {"Web", {kLabel}},
                                  {"a-", {kLabel}},
                              });
}

TEST_CASE("names: DNS-1035 labels", "[base]") {
  check(dns1035_label_faults, {
                                  {"a-1", {}},
                                  {"1a", {kDns1035}},
                                  {"a.b", {kDns1035}},
                                  {"", {kDns1035}},
                                  {std::string(64, 'a'), {"must be no more than 63 characters"}},
                              });
}

TEST_CASE("names: path segments", "[base]") {
  check(path_segment_faults, {
                                 {"system:node", {}},
                                 {"...", {}},
                                 {".", {"may not be '.'"}},
                                 {"..", {"may not be '..'"}},
                                 {"a/b", {"may not contain '/'"}},
                                 {"a%b", {"may not contain '%'"}},
                                 {"/%", {"may not contain '/'", "may not contain '%'"}},
                             });
  check(path_segment_prefix_faults, {{".", {}}, {"a/", {"may not contain '/'"}}});
}

TEST_CASE("names: qualified names", "[base]") {
  const std::string rule =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
      "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  check(qualified_name_faults,
        {
            {"a", {}},
            {"A_b.c-D", {}},
            {"example.com/A", {}},
            {std::string(253, 'p') + "/" + std::string(63, 'n'), {}},
            {"", {"name part must be non-empty", "name part " + rule}},
            {"/",
             {"prefix part must be non-empty", "name part must be non-empty", "name part " + rule}},
            {"-x", {"name part " + rule}},
            {"bad key", {"name part " + rule}},
            {"bad name/x", {"prefix part " + kSubdomain}},
            {std::string(64, 'x'), {"name part must be no more than 63 bytes"}},
            {std::string(254, 'p') + "/n", {"prefix part must be no more than 253 bytes"}},
            {"a/b/c",
             {"a valid label key " + rule +
              " with an optional DNS subdomain prefix and '/' (e.g. "
              "'example.com/MyName')"}},
        });
}

TEST_CASE("names: label values", "[base]") {
  const std::string rule =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
      "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
      "'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  check(label_value_faults, {
                                {"", {}},
                                {"V_1.x-y", {}},
                                {std::string(63, 'v'), {}},
                                {"not ok!", {rule}},
                                {"-1", {rule}},
                                {std::string(64, 'v'), {"must be no more than 63 bytes"}},
                                {std::string(64, '.'), {"must be no more than 63 bytes", rule}},
                            });
}

}  // namespace
}  // namespace tabernetes
