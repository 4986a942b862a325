// Compresses a body piece by piece with zlib.
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

  // Adds to the body. The bytes are shared, not copied, until they are compressed.
  void add(const Rope& body) { input_.append(body); }

  // Marks the end of the body.
  void finish() { finishing_ = true; }

  // Returns the next bytes to send. Compresses a bounded part of the input, so that the thread can
  // serve others in between. May return nothing while zlib buffers.
  std::string next();

  // Returns true if all input has been compressed and, after finish(), the gzip trailer was
  // returned.
  bool drained() const { return finishing_ ? finished_ : at_ == input_.slices().size(); }

 private:
  z_stream zlib_ = {};
  Rope input_;
  std::size_t at_ = 0;      // index of the slice of `input_` being compressed
  std::size_t offset_ = 0;  // offset in that slice
  bool finishing_ = false;
  bool finished_ = false;
};

}  // namespace tabernetes::host
