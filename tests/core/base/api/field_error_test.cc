#include "base/api/field_error.h"

#include <catch2/catch_test_macros.hpp>

#include "base/go/text.h"

namespace tabernetes::field {
namespace {

TEST_CASE("field_error: paths print as in messages", "[base]") {
  const Path spec("spec");
  CHECK(spec.child("containers").index(0).child("name").text() == "spec.containers[0].name");
  CHECK(Path("metadata").child("labels").key("a/b").text() == "metadata.labels[a/b]");
  CHECK(Path().child("kind").text() == "kind");
}

TEST_CASE("field_error: every kind of error has its reason and body", "[base]") {
  struct Case {
    const char* name;
    Error error;
    const char* reason;
    const char* message;
  };
  const Path path("spec.x");
  const Case cases[] = {
      {"required", required(path), "FieldValueRequired", "Required value"},
      {"required with detail", required(path, "or else"), "FieldValueRequired",
       "Required value: or else"},
      {"invalid", invalid(path, go_quote("a b"), "must be nice"), "FieldValueInvalid",
       R"(Invalid value: "a b": must be nice)"},
      {"invalid without detail", invalid(path, "0", ""), "FieldValueInvalid", "Invalid value: 0"},
      {"wrong type", type_invalid(path, "5", "must be a string"), "FieldValueTypeInvalid",
       "Invalid value: 5: must be a string"},
      {"not supported", not_supported(path, "\"x\"", {"A", "B"}), "FieldValueNotSupported",
       R"(Unsupported value: "x": supported values: "A", "B")"},
      {"not supported, nothing listed", not_supported(path, "\"x\"", {}), "FieldValueNotSupported",
       R"(Unsupported value: "x")"},
      {"forbidden", forbidden(path, "may not"), "FieldValueForbidden", "Forbidden: may not"},
      {"duplicate", duplicate(path, "\"x\""), "FieldValueDuplicate", R"(Duplicate value: "x")"},
      {"not found", not_found(path, "\"x\""), "FieldValueNotFound", R"(Not found: "x")"},
      {"too long", too_long(path, 262144), "FieldValueTooLong",
       "Too long: may not be more than 262144 bytes"},
      {"too long, one", too_long(path, 1), "FieldValueTooLong",
       "Too long: may not be more than 1 byte"},
      {"too many", too_many(path, 9, 8), "FieldValueTooMany",
       "Too many: 9: must have at most 8 items"},
      {"too many, one", too_many(path, 2, 1), "FieldValueTooMany",
       "Too many: 2: must have at most 1 item"},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.name) {
      CHECK(c.error.reason == c.reason);
      CHECK(c.error.field == "spec.x");
      CHECK(c.error.message == c.message);
    }
  }
  CHECK(required(Path()).field == "<nil>");
}

TEST_CASE("field_error: an Invalid status joins the errors, equal ones once", "[base]") {
  const Error a = required(Path("a"));
  const Error b = forbidden(Path("b"), "no");
  struct Case {
    const char* name;
    ErrorList errors;
    const char* message;
  };
  const Case cases[] = {
      {"none", {}, R"(Pod "p" is invalid)"},
      {"one stands bare", {a}, R"(Pod "p" is invalid: a: Required value)"},
      {"two in brackets", {a, b}, R"(Pod "p" is invalid: [a: Required value, b: Forbidden: no])"},
      {"equal texts once", {b, b}, R"(Pod "p" is invalid: b: Forbidden: no)"},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.name) {
      const ApiStatus status = invalid_status({"", "Pod"}, "p", c.errors);
      CHECK(status.code == 422);
      CHECK(status.reason == "Invalid");
      CHECK(status.message == c.message);
      REQUIRE(status.details);
      CHECK(status.details->name == "p");
      CHECK(status.details->kind == "Pod");
      CHECK(status.details->causes.size() == c.errors.size());
    }
  }
  const ApiStatus grouped = invalid_status({"batch", "CronJob"}, "c", {a});
  CHECK(grouped.message == R"(CronJob.batch "c" is invalid: a: Required value)");
  CHECK(grouped.details->group == "batch");
  CHECK(grouped.details->causes[0] == StatusCause{"FieldValueRequired", "Required value", "a"});
}

}  // namespace
}  // namespace tabernetes::field
