// Frames of SPDY/3.1 as a client writes them.
#pragma once

#include <cstdint>
#include <string>

#include "server/spdy/connection.h"

namespace tabernetes::server::spdy_frames {

inline std::string number(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16 & 0xff),
          static_cast<char>(value >> 8 & 0xff), static_cast<char>(value & 0xff)};
}

inline std::string control(std::uint32_t type, std::uint32_t flags, const std::string& body) {
  return number(0x80030000 | type) + number(flags << 24 | static_cast<std::uint32_t>(body.size())) +
         body;
}

inline std::string opening(std::uint32_t stream, const SpdyHeaders& headers, bool first,
                           std::uint32_t flags = 0) {
  std::string block = number(static_cast<std::uint32_t>(headers.size()));
  for (const auto& [name, value] : headers) {
    block += number(static_cast<std::uint32_t>(name.size())) + name;
    block += number(static_cast<std::uint32_t>(value.size())) + value;
  }
  return control(1, flags,
                 number(stream) + std::string(6, '\0') + server::deflate_stored(block, first));
}

inline std::string data(std::uint32_t stream, const std::string& bytes, bool last = false) {
  return number(stream) + number((last ? 1U << 24 : 0) | static_cast<std::uint32_t>(bytes.size())) +
         bytes;
}

}  // namespace tabernetes::server::spdy_frames
