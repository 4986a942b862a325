// The body of an answer on an HTTP/2 stream, given out in pieces of any size: bytes, the pieces of
// a core's stream, either of them compressed.
//
// Reads the core's stream only when everything before was given out, so a slow peer is never read
// ahead of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "gzip_body.h"
#include "stream_reader.h"
#include "tabernetes/http.h"

namespace tabernetes::host {

class Http2Body {
 public:
  // Takes the body of `response`. Calls `on_more` whenever take() has bytes again, or is at the
  // end, after it had none.
  Http2Body(CorePort& port, Response& response, std::function<void()> on_more);
  ~Http2Body();
  Http2Body(const Http2Body&) = delete;
  Http2Body& operator=(const Http2Body&) = delete;

  // Copies up to `size` bytes. Returns 0 if there are none at present.
  std::size_t take(std::uint8_t* to, std::size_t size);
  // Returns true if everything was taken.
  bool ended() const { return bytes_left_ == 0 && !reader_ && !gzip_; }

  // Returns true if it ended before its end, on purpose: see Stream::broken().
  bool broken() const { return broken_; }

  // Ends a stream that would go on; one that ends by itself is left to.
  void finish_early();

 private:
  void put(Rope bytes);
  void refill();
  void ask();

  Rope bytes_;
  std::size_t slice_ = 0, offset_ = 0, bytes_left_ = 0;
  std::shared_ptr<StreamReader> reader_;
  std::unique_ptr<GzipBody> gzip_;
  bool broken_ = false;
  bool asked_ = false;  // the reader will answer
  std::function<void()> on_more_;
};

}  // namespace tabernetes::host
