#include "registry/life/request_size.h"

#include "codec/protobuf_writer.h"

namespace tabernetes::registry {
namespace {

constexpr std::size_t kMostRequest = 1'572'864;
constexpr std::size_t kMostMessage = 2'097'152;
// Bytes that etcd adds around a request before measuring it.
constexpr std::size_t kEnvelope = 18;

// Returns the encoded size of a protobuf field with `size` bytes of content.
std::size_t field_size(std::size_t size) {
  std::size_t head = 2;
  for (std::size_t left = size >> 7; left != 0; left >>= 7) ++head;
  return head + size;
}

// Returns the size of a transaction: compares the key's version, then puts the value or reads the
// key.
std::size_t transaction_size(std::size_t key, std::size_t value, bool replaces) {
  constexpr std::size_t kVersion = 3;
  const std::size_t compare = field_size(key) + 4 + (replaces ? kVersion - 1 : 0);
  const std::size_t put = field_size(key) + field_size(value);
  const std::size_t read = replaces ? field_size(field_size(field_size(key))) : 0;
  return field_size(compare) + field_size(field_size(put)) + read;
}

}  // namespace

Result<void> check_request_size(const ObjectRef& ref, const json::Value& object, bool replaces) {
  std::string value;
  if (!codec::write_protobuf(schema::Catalogue::built_in(), object, value)) return {};
  const std::size_t size =
      transaction_size(ref.type->etcd_key(ref.ns, ref.name).size(), value.size(), replaces);
  if (size > kMostMessage) {
    return errors::plain_error(
        "rpc error: code = ResourceExhausted desc = trying to send message larger than max (" +
        std::to_string(size) + " vs. " + std::to_string(kMostMessage) + ")");
  }
  if (size + kEnvelope > kMostRequest) {
    return errors::plain_error("etcdserver: request is too large");
  }
  return {};
}

}  // namespace tabernetes::registry
