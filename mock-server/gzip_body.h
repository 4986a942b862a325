// A body on its way through zlib, piece by piece.
#pragma once

#include <zlib.h>

#include <string>

#include "tabernetes/buffer.h"

namespace tabernetes::host {

class GzipBody {
 public:
  GzipBody();
  ~GzipBody();
  GzipBody(const GzipBody&) = delete;
  GzipBody& operator=(const GzipBody&) = delete;

  // Takes more of the body; it is shared, not copied, until it is compressed.
  void add(const Rope& body) { input_.append(body); }

  // Nothing will be added any more.
  void finish() { finishing_ = true; }

  // The next bytes to send: of a bounded part of what was added, so that the thread has time for
  // others in between. May be empty where zlib waits for more.
  std::string next();

  // All that was added has been compressed; with finish(), the end of the format as well.
  bool drained() const { return finishing_ ? finished_ : at_ == input_.slices().size(); }

 private:
  z_stream zlib_ = {};
  Rope input_;
  std::size_t at_ = 0;      // the slice of `input_` being compressed
  std::size_t offset_ = 0;  // in it
  bool finishing_ = false;
  bool finished_ = false;
};

}  // namespace tabernetes::host
