#include "rules/field.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"

namespace tabernetes::registry::validation {
namespace {

// An object and the errors reported about it.
struct Fixture {
  explicit Fixture(std::string_view text) : object(codec::read_json(text, arena).value) {}
  std::string said() const { return field::aggregate(errors); }

  json::Arena arena;
  json::Value object;
  field::ErrorList errors;
  Field root{object, errors};
};

TEST_CASE("fields: a missing member reads as the zero value of its type", "[registry]") {
  Fixture f(R"({"spec":{"none":null,"text":"a","number":3,"flag":true,"list":[1],"map":{"k":1}}})");
  const Field spec = f.root["spec"];
  CHECK(spec["text"].text() == "a");
  CHECK(spec.text_at("text") == "a");
  CHECK(spec["number"].number() == 3);
  CHECK(spec.number_at("number") == 3);
  CHECK(spec["flag"].flag());
  CHECK(spec["list"].size() == 1);
  CHECK(spec.has("map"));
  for (const std::string_view name : {"none", "gone"}) {
    const Field field = spec[name];
    CHECK_FALSE(field.present());
    CHECK_FALSE(spec.has(name));
    CHECK(field.text().empty());
    CHECK(field.number() == 0);
    CHECK_FALSE(field.flag());
    CHECK(field.empty());
    CHECK_FALSE(field.items().begin() != field.items().end());
    CHECK(field["below"].find("it") == nullptr);
  }
  CHECK(spec["none"].same(spec["gone"]));
  CHECK_FALSE(spec["text"].same(spec["gone"]));
  CHECK(spec["text"].same(spec.as("x", spec["text"])));
  CHECK(f.errors.empty());
}

TEST_CASE("fields: the path of a place", "[registry]") {
  Fixture f(R"({"spec":{"list":[{"a":1},{"a":2}],"labels":{"k/e.y":"v"}}})");
  CHECK(f.root.path().text().empty());
  const Field spec = f.root["spec"];
  const Field list = spec["list"];
  const Field item = list.item(1);
  CHECK(item["a"].path().text() == "spec.list[1].a");
  CHECK(item.index() == 1);
  CHECK(spec.as("other", item).path().text() == "spec.other");
  CHECK(spec.as("other", item).size() == 1);
  const Field labels = spec["labels"];
  CHECK(labels.key("x").path().text() == "spec.labels[x]");
  CHECK(f.root.key("").path().text() == "[]");
  std::string seen;
  for (const Field each : list.items()) {
    seen += each.path().text() + "=" + each["a"].printed() + " ";
  }
  for (const Field each : labels.items()) {
    seen += each.path().text() + "=" + each.printed() + " " + std::string(each.name());
  }
  CHECK(seen == "spec.list[0]=1 spec.list[1]=2 spec.labels[k/e.y]=\"v\" k/e.y");
}

TEST_CASE("fields: the message of each fault", "[registry]") {
  struct Case {
    std::string_view name;
    void (*check)(const Field&);
    std::string_view expected;
  };
  static constexpr Case kCases[] = {
      {"required", [](const Field& f) { f["gone"].required(); }, "gone: Required value"},
      {"required, and why", [](const Field& f) { f["gone"].required("so"); },
       "gone: Required value: so"},
      {"a text", [](const Field& f) { f["text"].invalid("x"); }, R"(text: Invalid value: "a": x)"},
      {"no value", [](const Field& f) { f["gone"].invalid("x"); }, R"(gone: Invalid value: "": x)"},
      {"a number", [](const Field& f) { f["number"].invalid("x"); },
       "number: Invalid value: -3: x"},
      {"an object", [](const Field& f) { f["map"].invalid("x"); },
       R"(map: Invalid value: {"k":1}: x)"},
      {"another text", [](const Field& f) { f["map"].invalid_string("q\"", "x"); },
       R"(map: Invalid value: "q\"": x)"},
      {"another value", [](const Field& f) { f["text"].invalid_printed("null", "x"); },
       "text: Invalid value: null: x"},
      {"a format", [](const Field& f) { f["bad"].format(dns1123_label_faults); },
       R"(bad: Invalid value: "A.b": a lowercase RFC 1123 label must consist of lower case )"
       "alphanumeric characters or '-', and must start and end with an alphanumeric character "
       "(e.g. 'my-name',  or '123-abc', regex used for validation is "
       "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"},
      {"no text where a format is optional",
       [](const Field& f) { f["gone"].format_or_empty(dns1123_label_faults); }, ""},
      {"one of", [](const Field& f) { f["text"].one_of("b,,c"); },
       R"(text: Unsupported value: "a": supported values: "b", "", "c")"},
      {"one of them", [](const Field& f) { f["text"].one_of("b,a"); }, ""},
      {"absent, which is one of them", [](const Field& f) { f["gone"].one_of("b,,c"); }, ""},
      {"absent, which is none of them", [](const Field& f) { f["gone"].one_of("b"); },
       R"(gone: Unsupported value: "": supported values: "b")"},
      {"absent, which is fine", [](const Field& f) { f["gone"].one_of_or_absent("b"); }, ""},
      {"forbidden", [](const Field& f) { f["map"].forbidden("x"); }, "map: Forbidden: x"},
      {"twice", [](const Field& f) { f["text"].duplicate(); }, R"(text: Duplicate value: "a")"},
      {"not there", [](const Field& f) { f["text"].not_found(); }, R"(text: Not found: "a")"},
      {"too long", [](const Field& f) { f["text"].too_long(1); },
       "text: Too long: may not be more than 1 byte"},
      {"too many", [](const Field& f) { f["list"].too_many(1); },
       "list: Too many: 2: must have at most 1 item"},
      {"an empty text", [](const Field& f) { f["gone"].require("say it"); },
       "gone: Required value: say it"},
      {"less than nothing", [](const Field& f) { f["number"].non_negative(); },
       "number: Invalid value: -3: must be greater than or equal to 0"},
      {"nothing at all", [](const Field& f) { f["gone"].positive(); },
       "gone: Invalid value: 0: must be greater than zero"},
      {"outside", [](const Field& f) { f["number"].in_range(0, 9); },
       "number: Invalid value: -3: must be between 0 and 9, inclusive"},
      {"changed", [](const Field& f) { f["text"].immutable(f["number"]); },
       R"(text: Invalid value: "a": field is immutable)"},
      {"gone", [](const Field& f) { f["gone"].immutable(f["number"]); },
       "gone: Invalid value: null: field is immutable"},
      {"unchanged", [](const Field& f) { f["map"].immutable(f["map"]); }, ""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      Fixture f(R"({"text":"a","bad":"A.b","number":-3,"list":[1,2],"map":{"k":1}})");
      c.check(f.root);
      CHECK(f.said() == c.expected);
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry::validation
