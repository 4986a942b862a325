#include "codec/protobuf_unknown.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes::codec {
namespace {

using namespace std::string_literals;

const schema::Type& pod_type() {
  const schema::Type* type = schema::Catalogue::built_in().find_kind("", "v1", "Pod");
  REQUIRE(type != nullptr);
  return *type;
}

// A field that holds bytes, with a number below 2048 and fewer than 128 of them.
std::string part(unsigned number, const std::string& bytes) {
  const unsigned tag = number << 3 | 2;
  std::string out;
  if (tag >= 128) {
    out += static_cast<char>((tag & 127) | 128);
    out += static_cast<char>(tag >> 7);
  } else {
    out += static_cast<char>(tag);
  }
  out += static_cast<char>(bytes.size());
  return out += bytes;
}

std::string metadata(const std::string& name) { return part(1, part(1, name)); }
std::string container(const std::string& name, const std::string& rest = {}) {
  return part(2, part(1, name) + rest);
}

const std::string kNew = part(999, "new");
const std::string kNumber = "\xc8\x3e\x2a"s;  // field 1001, a varint

TEST_CASE("unknown fields: a message without any", "[codec]") {
  const std::string pod = metadata("a") + part(2, container("c")) + part(3, part(1, "Running"));
  CHECK(find_unknown_fields(pod_type(), pod).empty());
  CHECK(with_unknown_fields(pod_type(), pod, {}) == pod);
}

TEST_CASE("unknown fields: of every level are in the message that replaces", "[codec]") {
  const std::string old = metadata("a") + part(2, kNew + container("c", kNumber)) +
                          part(3, part(1, "Running") + kNumber) + kNew + kNumber;
  const UnknownFields unknown = find_unknown_fields(pod_type(), old);
  CHECK(unknown.fields == kNew + kNumber);
  CHECK(unknown.below.size() == 2);
  const std::string now = metadata("a") +
                          part(2, container("first") + container("c", part(2, "image"))) +
                          part(3, part(1, "Failed"));
  CHECK(with_unknown_fields(pod_type(), now, unknown) ==
        metadata("a") +
            part(2, container("first") + container("c", part(2, "image") + kNumber) + kNew) +
            part(3, part(1, "Failed") + kNumber) + kNew + kNumber);
}

TEST_CASE("unknown fields: go with the message that they were in", "[codec]") {
  const std::string old =
      metadata("a") + part(2, container("c", kNew) + container("d", kNumber)) + part(3, kNew);
  const UnknownFields unknown = find_unknown_fields(pod_type(), old);
  const std::string now = metadata("a") + part(2, container("d"));
  CHECK(with_unknown_fields(pod_type(), now, unknown) ==
        metadata("a") + part(2, container("d", kNumber)));
}

TEST_CASE("unknown fields: messages of a list that look alike are not told apart", "[codec]") {
  const std::string old = part(2, container("c", kNew) + container("c"));
  CHECK(find_unknown_fields(pod_type(), old).empty());
  CHECK(find_unknown_fields(pod_type(), part(2, part(2, kNew))).empty());
}

TEST_CASE("unknown fields: of what is no message there are none", "[codec]") {
  CHECK(find_unknown_fields(pod_type(), kNew + "\x0a\x7f").empty());
  CHECK(with_unknown_fields(pod_type(), "\x0a\x7f", {kNew, {}}) == "\x0a\x7f");
}

}  // namespace
}  // namespace tabernetes::codec
