// Decompresses the headers of SPDY/3, one stream of zlib for a whole connection.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes::server {

class SpdyInflater {
 public:
  SpdyInflater();
  ~SpdyInflater();
  SpdyInflater(const SpdyInflater&) = delete;
  SpdyInflater& operator=(const SpdyInflater&) = delete;

  // Returns the next bytes; nullopt if they are broken, or more than `most`.
  std::optional<std::string> expand(std::string_view compressed, std::size_t most);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the same as a stream of zlib that is not compressed; the first piece of a connection has
// the head of the stream.
std::string deflate_stored(std::string_view bytes, bool first);

}  // namespace tabernetes::server
