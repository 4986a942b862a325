#include "http2_body.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tabernetes::host {

Http2Body::Http2Body(CorePort& port, Response& response, std::function<void()> on_more)
    : on_more_(std::move(on_more)) {
  if (response.stream) reader_ = std::make_shared<StreamReader>(port, std::move(response.stream));
  if (response.content_encoding != ContentEncoding::kGzip) {
    put(std::move(response.body));
    return;
  }
  gzip_ = std::make_unique<GzipBody>();
  gzip_->add(response.body);
  if (!reader_) gzip_->finish();
}

Http2Body::~Http2Body() {
  if (reader_) reader_->close();
}

void Http2Body::put(Rope bytes) {
  bytes_ = std::move(bytes);
  slice_ = offset_ = 0;
  bytes_left_ = bytes_.size();
}

// Makes the next bytes available, or asks for them.
void Http2Body::refill() {
  bytes_ = Rope();
  if (gzip_ && !gzip_->drained()) put(Rope(gzip_->next()));
  if (gzip_ && gzip_->drained() && !reader_) gzip_.reset();
  if (bytes_left_ == 0 && reader_ && !(gzip_ && !gzip_->drained())) ask();
}

void Http2Body::ask() {
  if (std::exchange(asked_, true)) return;
  reader_->read([this](Rope unit, bool ended) {
    asked_ = false;
    if (ended) {
      broken_ = reader_->broken();
      reader_->close();
      reader_.reset();
    }
    if (gzip_) {
      gzip_->add(unit);
      if (ended) gzip_->finish();
    } else {
      put(std::move(unit));
    }
    on_more_();
  });
}

std::size_t Http2Body::take(std::uint8_t* to, std::size_t size) {
  while (bytes_left_ == 0 && !ended() && !asked_) refill();
  std::size_t taken = 0;
  while (taken < size && bytes_left_ > 0) {
    const std::string_view from = bytes_.slices()[slice_].view().substr(offset_);
    const std::size_t part = std::min(size - taken, from.size());
    std::memcpy(to + taken, from.data(), part);
    taken += part;
    bytes_left_ -= part;
    offset_ += part;
    if (offset_ < bytes_.slices()[slice_].view().size()) continue;
    ++slice_;
    offset_ = 0;
  }
  if (bytes_left_ == 0) bytes_ = Rope();
  return taken;
}

void Http2Body::finish_early() {
  if (!reader_ || reader_->finite()) return;
  reader_->close();
  reader_.reset();
  asked_ = false;
  if (gzip_) gzip_->finish();
  on_more_();
}

}  // namespace tabernetes::host
