// Converts tagged times to RFC 3339 text, as the real server does.
#pragma once

#include <string>
#include <string_view>

#include "codec/cbor_wire.h"

namespace tabernetes::codec::cbor {

struct TimeText {
  std::string text;   // "2013-03-21T20:04:00.5Z": up to nine fraction digits, offset kept
  std::string error;  // empty if converted
};

// Converts the content of tag 0.
TimeText time_of_text(std::string_view text);
// Converts the content of tag 1, the head of an integer or float.
TimeText time_of_epoch(const Head& number);

}  // namespace tabernetes::codec::cbor
