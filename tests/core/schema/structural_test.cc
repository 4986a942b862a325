// Pruning, nulls and defaults by the schema of a custom resource. Expected values are those of
// upstream's tests (apiextensions-apiserver pkg/apiserver/schema/{pruning,defaulting}).
#include "schema/structural.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::schema {
namespace {

using json::Arena;
using json::Value;

Value read(std::string_view text, Arena& arena) { return codec::read_json(text, arena).value; }

std::string written(const Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " ") + text;
  return all;
}

TEST_CASE("structural: unknown members go and are told", "[schema]") {
  struct Case {
    std::string_view name, schema, in, out, unknown;
    Whole whole = Whole::kPart;
  };
  static constexpr Case kCases[] = {
      {"of an object", R"({"type":"object","properties":{"a":{"type":"string"}}})",
       R"({"b":1,"a":"x","c":{"d":1}})", R"({"a":"x"})", "b c"},
      {"below", R"({"type":"object","properties":{"a":{"type":"object","properties":{"k":{}}}}})",
       R"({"a":{"k":1,"z":2,"y":3}})", R"({"a":{"k":1}})", "a.y a.z"},
      {"in lists",
       R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"object",
           "properties":{"k":{}}}}}})",
       R"({"l":[{"k":1},{"z":2}]})", R"({"l":[{"k":1},{}]})", "l[1].z"},
      {"in free maps",
       R"({"type":"object","additionalProperties":{"type":"object","properties":{"k":{}}}})",
       R"({"x":{"k":1,"z":2}})", R"({"x":{"k":1}})", "x.z"},
      {"anything below a free map of anything goes",
       R"({"type":"object","additionalProperties":true})", R"({"x":{"k":1},"y":5})",
       R"({"x":{},"y":5})", "x.k"},
      {"but not where they are preserved",
       R"({"type":"object","x-kubernetes-preserve-unknown-fields":true,
           "properties":{"a":{"type":"object","properties":{"k":{}}}}})",
       R"({"z":{"y":1},"a":{"k":1,"u":2}})", R"({"z":{"y":1},"a":{"k":1}})", "a.u"},
      {"also in lists directly below",
       R"({"x-kubernetes-preserve-unknown-fields":true,"type":"array",
           "items":{"type":"object","properties":{"a":{"type":"object","properties":{"k":{}}}}}})",
       R"([{"z":1,"a":{"u":1}}])", R"([{"z":1,"a":{}}])", "[0].a.u"},
      {"an object without properties loses all", R"({"type":"object"})", R"({"a":1})", "{}", "a"},
      {"a whole object keeps what every object has", R"({"type":"object"})",
       R"({"apiVersion":"v1","kind":"X","metadata":{"name":"n","zz":1},"spec":1})",
       R"({"apiVersion":"v1","kind":"X","metadata":{"name":"n","zz":1}})", "spec", Whole::kObject},
      {"so does an embedded one",
       R"({"type":"object","properties":{"e":{"type":"object","properties":{"spec":{}},
           "x-kubernetes-embedded-resource":true}}})",
       R"({"e":{"kind":"X","metadata":{"a":1},"spec":1,"status":2}})",
       R"({"e":{"kind":"X","metadata":{"a":1},"spec":1}})", "e.status"},
      {"at the top of a part they go without a word", R"({"type":"object"})", R"({"kind":"X"})",
       "{}", ""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      Arena arena;
      const auto schema = StructuralSchema::compile(read(c.schema, arena));
      Value value = read(c.in, arena);
      std::vector<std::string> unknown;
      prune(value, schema->root(), c.whole, arena, &unknown);
      CHECK(written(value) == c.out);
      CHECK(joined(unknown) == c.unknown);
    }
  }
}

TEST_CASE("structural: nulls and defaults", "[schema]") {
  struct Case {
    std::string_view name, schema, in, out;
  };
  static constexpr Case kCases[] = {
      {"a missing member gets its default",
       R"({"properties":{"a":{"default":"A"},"b":{"default":"B"}}})", R"({"a":"x"})",
       R"({"a":"x","b":"B"})"},
      {"null gets it, unless it may be null",
       R"({"properties":{"a":{"default":"A"},"b":{"default":"B","nullable":true}}})",
       R"({"a":null,"b":null})", R"({"a":"A","b":null})"},
      {"null without a default goes", R"({"properties":{"a":{},"b":{"nullable":true}}})",
       R"({"a":null,"b":null,"c":null})", R"({"b":null,"c":null})"},
      {"defaults of defaults",
       R"({"properties":{"o":{"default":{},"properties":{"a":{"default":[1,{"x":2}]}}}}})", "{}",
       R"({"o":{"a":[1,{"x":2}]}})"},
      {"nothing below what is missing",
       R"({"properties":{"o":{"properties":{"a":{"default":1}}}}})", "{}", "{}"},
      {"in items", R"({"properties":{"l":{"items":{"properties":{"a":{"default":1}}}}}})",
       R"({"l":[{},{"a":2},null]})", R"({"l":[{"a":1},{"a":2},null]})"},
      {"null items and values", R"({"properties":{"l":{"items":{"default":"i"}},
           "m":{"additionalProperties":{"default":"v"}}}})",
       R"({"l":[null],"m":{"k":null}})", R"({"l":["i"],"m":{"k":"v"}})"},
      {"null values of a free map", R"({"additionalProperties":{"type":"string"}})",
       R"({"k":null,"j":"x"})", R"({"j":"x"})"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      Arena arena;
      const auto schema = StructuralSchema::compile(read(c.schema, arena));
      Value value = read(c.in, arena);
      prune_nulls(value, schema->root(), arena);
      apply_defaults(value, schema->root(), arena);
      CHECK(written(value) == c.out);
      apply_defaults(value, schema->root(), arena);
      CHECK(written(value) == c.out);
    }
  }
}

TEST_CASE("structural: what a schema owns outlives the text it was made from", "[schema]") {
  std::shared_ptr<const StructuralSchema> schema;
  {
    Arena arena;
    const std::string text =
        R"({"type":"object","required":["b","a"],"properties":{"b":{"type":"integer",
            "format":"int32","maximum":5,"enum":[1,2]},"a":{"type":"string","pattern":"^x","format":
            "date-time"}}})";
    schema = StructuralSchema::compile(read(text, arena));
  }
  const Structural& root = schema->root();
  REQUIRE(root.limits != nullptr);
  CHECK(root.limits->required[0] == "b");
  CHECK(root.properties[0].name == "a");
  const Structural* b = root.member("b");
  REQUIRE(b != nullptr);
  CHECK(b->format == StringFormat::kInt32);
  CHECK(b->limits->gives(ValueLimits::kMaximum));
  CHECK_FALSE(b->limits->gives(ValueLimits::kMinimum));
  CHECK(b->limits->enum_values->size() == 2);
  CHECK(root.property("a")->format == StringFormat::kDateTime);
  CHECK(root.property("c") == nullptr);
}

TEST_CASE("structural: formats", "[schema]") {
  struct Case {
    std::string_view format, good, bad;
  };
  // Several texts are separated by "|".
  static constexpr Case kCases[] = {
      {"date", "2024-02-29|1999-12-31", "2023-02-29|2024-13-01|2024-1-01|2024-04-31|"},
      {"date-time", "2024-01-01T00:00:00Z|2024-01-01t23:59:59.123+02:00|2024-01-01T00:00:00x5Z",
       "2024-01-01|2024-01-01T24:00:00Z|2024-01-01T00:00:60Z|2024-01-01T00:00:00|x"},
      {"duration", "1h2m|-1.5s|3 days|5wk|2micros", "|1|h|1 fortnight|99999999999999999999 s"},
      {"uuid", "aAaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee|aaaaaaaabbbbccccddddeeeeeeeeeeee",
       "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeee|gaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee|"},
      {"uuid3", "aaaaaaaa-bbbb-3ccc-dddd-eeeeeeeeeeee", "aaaaaaaa-bbbb-4ccc-dddd-eeeeeeeeeeee"},
      {"uuid4", "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee", "aaaaaaaa-bbbb-4ccc-7ddd-eeeeeeeeeeee"},
      {"uuid5", "aaaaaaaa-bbbb-5ccc-Bddd-eeeeeeeeeeee", "aaaaaaaa-bbbb-5ccc-cddd-eeeeeeeeeeee"},
      {"ipv4", "1.2.3.4|01.2.3.4", "1.2.3|::1|1.2.3.256"},
      {"ipv6", "::1|fe80::1", "1.2.3.4|:::|"},
      {"cidr", "10.0.0.0/8|::/0", "10.0.0.0|10.0.0.0/33"},
      {"mac", "01:23:45:67:89:ab|01-23-45-67-89-AB|0123.4567.89ab|0123456789ab",
       "01:23:45:67:89|0123.4567.89|0123456789a"},
      {"uri", "http://a/b|/path", "a/b|"},
      {"hostname", "a|a-b|example.com|1a.example.org", "-a|a-b-c|a..b|example.1|"},
      {"email", "a@b.c|X <a@b.c>|\"x y\"@b.c", "a|@b.c|a@|a b@c.d|"},
      {"byte", "YQ==|YWI=|YWJj", "|YQ|YQ=|Y-=="},
      {"isbn", "0321751043|978-0321751041", "0321751044|x"},
      {"isbn10", "0321751043", "978-0321751041"},
      {"isbn13", "978-0321751041", "0321751043|9780321751042"},
      {"creditcard", "4111-1111-1111-1111|378282246310005", "4111111111111112|1|"},
      {"ssn", "111-22-3333|111 22 3333", "111-22-333|111223333"},
      {"hexcolor", "#FFF|a1b2c3", "#FFFF|g00|"},
      {"rgbcolor", "rgb(1,2,3)|rgb( 255 , 0,10 )", "rgb(1,2)|rgb(256,0,0)|rgb(01,0,0)|red"},
      {"bsonobjectid", "507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901|"},
      {"k8s-short-name", "a|a-b9", "A|-a|a-|a.b|"},
      {"k8s-long-name", "a.b-c.d", "a..b|a.-b|A.b|"},
      {"password", "|anything", ""},
  };
  const auto each = [](std::string_view list, const auto& check) {
    for (std::size_t bar = list.find('|');; bar = list.find('|')) {
      check(list.substr(0, bar));
      if (bar == std::string_view::npos) return;
      list.remove_prefix(bar + 1);
    }
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.format) {
      const StringFormat format = find_string_format(c.format);
      REQUIRE(format != StringFormat::kNone);
      each(c.good, [&](std::string_view text) {
        INFO(text);
        CHECK(matches_format(format, text));
      });
      if (c.bad.empty()) return;
      each(c.bad, [&](std::string_view text) {
        INFO(text);
        CHECK_FALSE(matches_format(format, text));
      });
    }
  }
  CHECK(find_string_format("nonsense") == StringFormat::kNone);
  CHECK(find_string_format("int32") == StringFormat::kNone);
  CHECK(find_number_format("int64") == StringFormat::kInt64);
}

}  // namespace
}  // namespace tabernetes::schema
