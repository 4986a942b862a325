#include "server/list/list_body.h"

#include <cassert>
#include <utility>

#include "codec/protobuf_writer.h"

namespace tabernetes::server {
namespace {

// The bytes sent, and the bytes measured, at a time.
constexpr std::size_t kPiece = 128u << 10;

constexpr std::string_view kListMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

// The fields of every list's message.
constexpr int kMetadataField = 1, kItemsField = 2;

std::string metadata_field(const schema::Catalogue& catalogue, const json::Value& metadata) {
  std::string message, field;
  const bool written =
      codec::write_protobuf_message(*catalogue.find_type(kListMeta), metadata, message);
  assert(written);
  (void)written;
  codec::write_protobuf_field_head(kMetadataField, message.size(), field);
  return field + message;
}

std::size_t size_as_item(std::size_t size) {
  std::string head;
  codec::write_protobuf_field_head(kItemsField, size, head);
  return head.size() + size;
}

}  // namespace

ListBody::ListBody(std::shared_ptr<const ServerContext> server, const ObjectEncoder& encoder,
                   std::vector<store::RecordPtr> records, const json::Value& metadata, Time now)
    : server_(std::move(server)), encoder_(encoder), records_(std::move(records)), now_(now) {
  if (is_protobuf()) {
    list_metadata_ = metadata_field(server_->catalogue, metadata);
    message_size_ = list_metadata_.size();
    sizes_.reserve(records_.size());
    text_.after = codec::kProtobufEnvelopeTail;
  } else {
    json::Arena arena;
    text_ =
        list_framing(encoder_.form(), encoder_.empty_collection(metadata, arena), records_.size());
  }
}

// Measures more items; all sizes are needed before the first item is written.
void ListBody::measure() {
  for (std::size_t done = 0; done < kPiece && sizes_.size() < records_.size();) {
    const std::size_t size = encoder_.message_size(records_[sizes_.size()], now_).value_or(0);
    sizes_.push_back(static_cast<std::uint32_t>(size));
    message_size_ += size_as_item(size);
    done += size;
  }
}

void ListBody::begin(std::string& piece) {
  if (is_protobuf()) {
    json::Arena arena;
    const json::Value list = encoder_.empty_collection(json::Value::object(arena), arena);
    codec::write_protobuf_envelope_head(list.string_at("apiVersion"), list.string_at("kind"),
                                        message_size_, piece);
    piece += list_metadata_;
  } else {
    piece += text_.before;
  }
}

void ListBody::add_item(std::string& piece) {
  if (next_ > 0) piece += text_.between;
  if (is_protobuf()) codec::write_protobuf_field_head(kItemsField, sizes_[next_], piece);
  const bool written = encoder_.append_item(piece, records_[next_], now_);
  assert(written);
  (void)written;
  records_[next_++].reset();
}

Rope ListBody::next() {
  if (!back_.empty() || ended()) return std::exchange(back_, {});
  if (is_protobuf() && sizes_.size() < records_.size()) {
    measure();
    if (sizes_.size() < records_.size()) return {};
  }
  std::string piece;
  piece.reserve(kPiece + kPiece / 4);
  if (next_ == 0) begin(piece);
  while (next_ < records_.size() && piece.size() <= kPiece) add_item(piece);
  if (next_ == records_.size()) {
    piece += text_.after;
    ++next_;
  }
  return Rope(std::move(piece));
}

}  // namespace tabernetes::server
