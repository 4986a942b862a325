#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "../faults.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
constexpr std::string_view kObject =
    R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"<v>"}})";

// kObject as Go's encoder writes it.
constexpr std::string_view kMessage(
    "k8s\0"
    "\x0a\x0f\x0a\x02v1\x12\x09"
    "ConfigMap"
    "\x12\x1d"
    "\x0a\x11\x0a\x01"
    "a\x12\x00\x1a\x00\x22\x00\x2a\x00\x32\x00\x38\x00\x42\x00"
    "\x12\x08\x0a\x01k\x12\x03<v>"
    "\x1a\x00\x22\x00"sv);

std::string status(int code, std::string_view reason, std::string_view message) {
  std::string text =
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" +
      std::string(message) + '"';
  if (!reason.empty()) text += R"(,"reason":")" + std::string(reason) + '"';
  return text + R"(,"code":)" + std::to_string(code) + "}";
}

TEST_CASE("encoding: an object in every form, and back", "[server]") {
  struct Case {
    std::string_view media_type, bytes;
  };
  const Case kCases[] = {
      {"application/json",
       "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},"
       "\"data\":{\"k\":\"\\u003cv\\u003e\"}}\n"},
      {"application/json;pretty=1",
       "{\n  \"kind\": \"ConfigMap\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {\n"
       "    \"name\": \"a\"\n  },\n  \"data\": {\n    \"k\": \"\\u003cv\\u003e\"\n  }\n}"},
      {"application/yaml; charset=utf-8",
       "apiVersion: v1\ndata:\n  k: <v>\nkind: ConfigMap\nmetadata:\n  name: a\n"},
      {kProtobuf, kMessage},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.media_type) {
      const auto encoded = encode(kObject, c.media_type);
      REQUIRE(encoded);
      CHECK(*encoded == c.bytes);
      const auto decoded = decode(c.bytes, c.media_type);
      REQUIRE(decoded);
      CHECK(*encode(*decoded, "application/json") == kCases[0].bytes);
    }
  }
}

TEST_CASE("encoding: a built-in kind takes the server's form, another stays as it is", "[server]") {
  const std::string_view odd =
      R"({"spec":{"n":1.0,"a":null},"apiVersion":"example.com/v1","kind":"Odd"})";
  CHECK(*encode(odd, "application/json") ==
        "{\"spec\":{\"n\":1,\"a\":null},\"apiVersion\":\"example.com/v1\",\"kind\":\"Odd\"}\n");
  const std::string_view pods =
      R"({"items":[{"metadata":{"name":"p"},"colour":1}],"kind":"PodList","apiVersion":"v1"})";
  CHECK(*decode(pods, "application/json") ==
        R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"p"},)"
        R"("spec":{"containers":null},"status":{}}]})");
}

TEST_CASE("encoding: events of a watch, in frames and in lines", "[server]") {
  const std::string events = R"([{"type":"ADDED","object":)" + std::string(kObject) +
                             R"(},{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1"}}])";
  const auto frames = encode(events, "application/vnd.kubernetes.protobuf;stream=watch");
  REQUIRE(frames);
  REQUIRE(frames->size() == 4 + 67 + 4 + 51);
  CHECK(frames->substr(0, 15) ==
        "\0\0\0\x43\x0a\x05"
        "ADDED\x12\x3a\x0a\x38"sv);
  CHECK(frames->substr(15, kMessage.size()) == kMessage);
  const auto lines = encode(events, "application/json;stream=watch");
  CHECK(
      *lines ==
      "{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{"
      "\"name\":\"a\"},\"data\":{\"k\":\"\\u003cv\\u003e\"}}}\n"
      "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{}}}"
      "\n");
  const auto back = decode(*frames, "application/vnd.kubernetes.protobuf;stream=watch");
  REQUIRE(back);
  CHECK(*back == *decode(*lines, "application/json;stream=watch"));
  CHECK(*encode(*back, "application/vnd.kubernetes.protobuf;stream=watch") == *frames);
  CHECK(tests::status_of(decode(std::string_view(*frames).substr(0, 30),
                                "application/vnd.kubernetes.protobuf;stream=watch")) ==
        status(400, "BadRequest", "unable to decode watch event: unexpected EOF"));
}

TEST_CASE("encoding: CBOR, of objects, of kinds that are not built in, of events", "[server]") {
  const auto object = encode(kObject, "application/cbor");
  CHECK(*object ==
        "\xd9\xd9\xf7\xa4\x44"
        "data\xa1\x41k\x43<v>\x44kind\x49"
        "ConfigMap\x48metadata\xa1\x44name\x41"
        "a\x4a"
        "apiVersion\x42v1"sv);
  CHECK(*decode(*object, "application/cbor") == *decode(kObject, "application/json"));
  const std::string_view odd =
      R"({"spec":{"n":1.5,"a":null},"apiVersion":"example.com/v1","kind":"Odd"})";
  CHECK(*decode(*encode(odd, "application/cbor"), "application/cbor") ==
        R"({"apiVersion":"example.com/v1","kind":"Odd","spec":{"a":null,"n":1.5}})");
  const std::string events = R"([{"type":"ADDED","object":)" + std::string(kObject) + R"(},)" +
                             R"({"type":"DELETED","object":)" + std::string(kObject) + "}]";
  const auto sequence = encode(events, "application/cbor-seq");
  CHECK(*sequence ==
        "\xd9\xd9\xf7\xa2\x44type\x45"
        "ADDED\x46object" +
            *object +
            "\xd9\xd9\xf7\xa2\x44type\x47"
            "DELETED\x46object" +
            *object);
  CHECK(*sequence == *encode(events, "application/cbor;stream=watch"));
  CHECK(*decode(*sequence, "application/cbor-seq") ==
        *decode(*encode(events, "application/json;stream=watch"), "application/json;stream=watch"));
}

TEST_CASE("encoding: what is wrong is told as the server tells it", "[server]") {
  struct Case {
    std::string_view name, bytes, media_type;
    int code;
    std::string_view reason, message;
  };
  static constexpr Case kCases[] = {
      {"unknown media type", "{}", "text/plain", 415, "UnsupportedMediaType",
       "the body of the request was in an unknown format - accepted media types include: "
       "application/json, application/yaml, application/vnd.kubernetes.protobuf, "
       "application/cbor"},
      {"watches have no YAML", "", "application/yaml;stream=watch", 406, "NotAcceptable",
       "only the following media types are accepted: application/json, application/yaml, "
       "application/vnd.kubernetes.protobuf, application/cbor"},
      {"no JSON", "{", "application/json", 400, "BadRequest",
       "couldn't get version/kind; json parse error: unexpected end of JSON input"},
      {"no object", "[]", "application/json", 400, "BadRequest",
       "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of "
       "type struct { APIVersion string \\\"json:\\\\\\\"apiVersion,omitempty\\\\\\\"\\\"; Kind "
       "string \\\"json:\\\\\\\"kind,omitempty\\\\\\\"\\\" }"},
      {"no kind", "a: 1\n", "application/yaml", 400, "BadRequest",
       "Object 'Kind' is missing in '{\\\"a\\\":1}'"},
      {"no version", R"({"kind":"Pod2"})", "application/json", 400, "BadRequest",
       "Object 'apiVersion' is missing in '{\\\"kind\\\":\\\"Pod2\\\"}'"},
      {"wrong type", R"({"kind":"Pod","apiVersion":"v1","spec":{"containers":"x"}})",
       "application/json", 400, "BadRequest",
       "Pod in version \\\"v1\\\" cannot be handled as a Pod: json: cannot unmarshal string into "
       "Go "
       "struct field PodSpec.spec.containers of type []v1.Container"},
      {"no protobuf", "abc", kProtobuf, 400, "BadRequest",
       "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"},
      {"half of CBOR", "\xd9\xd9\xf7\xa1"sv, "application/cbor", 400, "BadRequest",
       "unable to determine group/version/kind: unexpected EOF"},
      {"half of an event", "\xd9\xd9\xf7\xa1"sv, "application/cbor-seq", 400, "BadRequest",
       "unable to decode watch event: unexpected EOF"},
      {"protobuf without a kind", "k8s\0\x0a\x04\x0a\x02v1"sv, kProtobuf, 400, "BadRequest",
       "Object 'Kind' is missing in 'runtime.TypeMeta{APIVersion:\\\"v1\\\", Kind:\\\"\\\"}'"},
      {"protobuf of an unknown kind", "k8s\0\x0a\x09\x0a\x02v1\x12\x03Odd"sv, kProtobuf, 400,
       "BadRequest",
       "no kind \\\"Odd\\\" is registered for version \\\"v1\\\" in scheme "
       "\\\"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\\\""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      const auto decoded = decode(c.bytes, c.media_type);
      CHECK(tests::status_of(decoded) == status(c.code, c.reason, c.message));
    }
  }
  CHECK(tests::status_of(encode(R"({"kind":"Odd","apiVersion":"example.com/v1"})", kProtobuf)) ==
        status(406, "NotAcceptable",
               "only the following media types are accepted: application/json, application/yaml, "
               "application/vnd.kubernetes.protobuf"));
}

TEST_CASE("encoding: unknown and double fields are dropped, or refused", "[server]") {
  const std::string_view object =
      R"({"kind":"ConfigMap","apiVersion":"v1","date":{},"data":{"a":"1","a":"2"}})";
  CHECK(*decode(object, "application/json") ==
        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"a":"2"}})");
  const std::string refusal = status(
      400, "BadRequest",
      "ConfigMap in version \\\"v1\\\" cannot be handled as a ConfigMap: strict decoding error: "
      "unknown field \\\"date\\\", duplicate field \\\"data.a\\\"");
  CHECK(tests::status_of(decode(object, "application/json", UnknownFields::kRefuse)) == refusal);
  CHECK(tests::status_of(encode(object, kProtobuf, UnknownFields::kRefuse)) == refusal);
  CHECK(tests::status_of(decode("kind: ConfigMap\napiVersion: v1\ndata: {a: x, a: z}\n",
                                "application/yaml", UnknownFields::kRefuse)) ==
        status(400, "BadRequest",
               "ConfigMap in version \\\"v1\\\" cannot be handled as a ConfigMap: strict decoding "
               "error: line 3: key \\\"a\\\" already set in map"));
}

}  // namespace
}  // namespace tabernetes
