#include "gzip_body.h"

#include <algorithm>
#include <new>
#include <string_view>

namespace tabernetes::host {
namespace {

constexpr int kLevel = 1;             // as kube-apiserver
constexpr int kGzipFormat = 16 + 15;  // with the largest window
constexpr int kMemoryLevel = 8;
constexpr std::size_t kInput = 256 * 1024;  // most input per piece
constexpr std::size_t kOutput = 64 * 1024;  // most output per piece

}  // namespace

GzipBody::GzipBody() {
  if (deflateInit2(&zlib_, kLevel, Z_DEFLATED, kGzipFormat, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
}

GzipBody::~GzipBody() { deflateEnd(&zlib_); }

std::string GzipBody::next() {
  std::string piece(kOutput, '\0');
  zlib_.next_out = reinterpret_cast<Bytef*>(piece.data());
  zlib_.avail_out = kOutput;
  for (std::size_t left = kInput; left > 0 && zlib_.avail_out > 0;) {
    if (at_ == input_.slices().size()) {
      input_ = Rope();
      at_ = 0;
      if (finishing_ && !finished_) finished_ = deflate(&zlib_, Z_FINISH) == Z_STREAM_END;
      break;
    }
    const std::string_view bytes = input_.slices()[at_].view().substr(offset_);
    const std::size_t taken = std::min(bytes.size(), left);
    zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    zlib_.avail_in = static_cast<uInt>(taken);
    deflate(&zlib_, Z_NO_FLUSH);
    const std::size_t used = taken - zlib_.avail_in;
    left -= used;
    offset_ += used;
    if (used == bytes.size()) {
      offset_ = 0;
      ++at_;
    }
  }
  piece.resize(kOutput - zlib_.avail_out);
  return piece;
}

}  // namespace tabernetes::host
