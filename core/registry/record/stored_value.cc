#include "registry/record/stored_value.h"

#include <string>
#include <utility>

namespace tabernetes::registry {
namespace {

constexpr char kFormat = 1;
constexpr unsigned kOwned = 1, kTerminating = 2, kFormed = 4;
constexpr std::size_t kHead = 30;

void put_number(std::uint64_t number, std::size_t size, std::string& out) {
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

// Takes a number from the front.
std::uint64_t take_number(std::size_t size, std::string_view& in) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(in[i])} << (8 * i);
  }
  in.remove_prefix(size);
  return number;
}

std::string head_of(const RecordOffsets& places) {
  // Undoes what make_record() adds for the digits.
  const bool after = places.labels_begin > places.version_begin;
  std::string head;
  head.reserve(kHead);
  head += kFormat;
  put_number((places.owned ? kOwned : 0) | (places.terminating ? kTerminating : 0) |
                 (places.form != 0 ? kFormed : 0),
             1, head);
  put_number(places.version_begin, 4, head);
  put_number(places.labels_begin - (after ? places.version_size : 0), 4, head);
  put_number(places.labels_size, 4, head);
  put_number(places.metadata_begin, 4, head);
  put_number(places.metadata_end - places.version_size, 4, head);
  put_number(places.label_bloom, 8, head);
  return head;
}

bool lies_within(const RecordOffsets& places, std::string_view bytes) {
  const std::size_t labels_end = std::size_t{places.labels_begin} + places.labels_size;
  return bytes.starts_with(",{") && labels_end <= bytes.size() &&
         places.metadata_begin <= places.version_begin &&
         places.version_begin <= places.metadata_end && places.metadata_end <= bytes.size();
}

}  // namespace

Rope write_stored_value(const store::RecordPtr& record) {
  const RecordOffsets& places = offsets_of(*record);
  const std::string_view bytes = record->bytes;
  Rope value(head_of(places));
  value.append(Slice::shared(bytes.substr(0, places.version_begin), record));
  value.append(Slice::shared(bytes.substr(places.version_begin + places.version_size), record));
  return value;
}

ReadValue read_stored_value(std::string_view value, store::Revision revision) {
  if (value.size() < kHead || value[0] != kFormat) return {};
  value.remove_prefix(1);
  const std::uint64_t bits = take_number(1, value);
  EncodedObject encoded;
  RecordOffsets& places = encoded.places;
  const auto take_offset = [&] { return static_cast<std::uint32_t>(take_number(4, value)); };
  places.version_begin = take_offset();
  places.labels_begin = take_offset();
  places.labels_size = take_offset();
  places.metadata_begin = take_offset();
  places.metadata_end = take_offset();
  places.label_bloom = take_number(8, value);
  places.owned = (bits & kOwned) != 0;
  places.terminating = (bits & kTerminating) != 0;
  if (!lies_within(places, value)) return {};
  encoded.bytes = value;
  return {std::static_pointer_cast<ObjectRecord>(make_record(std::move(encoded), revision)),
          (bits & kFormed) != 0};
}

}  // namespace tabernetes::registry
