// The body of a list that is not just stored bytes: encoded in pieces from the records of the page
// while it is sent. It holds one encoded piece and the sizes of the items.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/encode/list_framing.h"
#include "server/encode/object_encoder.h"
#include "server/list/list_page.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// May be used on any thread.
class ListBody final : public Stream {
 public:
  // `metadata` is the list's. REQUIRES: the page has records, and the encoder can encode all of
  // them.
  ListBody(std::shared_ptr<const ServerContext> server, const ObjectEncoder& encoder,
           std::vector<store::RecordPtr> records, const json::Value& metadata, Time now);

  // Returns this piece first.
  void put_back(Rope piece) { back_ = std::move(piece); }

  // Returns a piece longer than the compression limit (128 KiB), or the last one.
  Rope next() override;
  bool ended() const override { return back_.empty() && next_ > records_.size(); }
  void on_ready(std::function<void()> wake) override { wake(); }
  bool finite() const override { return true; }

 private:
  bool is_protobuf() const { return encoder_.form().encoding == codec::Encoding::kProtobuf; }
  void measure();
  void begin(std::string& piece);
  void add_item(std::string& piece);

  const std::shared_ptr<const ServerContext> server_;
  const ObjectEncoder encoder_;
  std::vector<store::RecordPtr> records_;
  const Time now_;
  CollectionText text_;        // for protobuf only the text around the message
  std::string list_metadata_;  // the message's first field; protobuf only
  std::vector<std::uint32_t> sizes_;
  std::size_t message_size_ = 0;
  Rope back_;
  // Index of the next record; one beyond the number of records when all is written.
  std::size_t next_ = 0;
};

}  // namespace tabernetes::server
