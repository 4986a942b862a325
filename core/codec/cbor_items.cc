#include "codec/cbor_items.h"

#include <limits>
#include <utility>
#include <vector>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"

namespace tabernetes::codec::cbor {
namespace {

constexpr std::uint64_t kLargestItem = std::numeric_limits<std::int64_t>::max();

std::string base64_url(std::string_view bytes) {
  std::string text = base64_encode(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

}  // namespace

void ReadErrors::mismatch(Major found, std::string_view go_type, std::string_view detail) {
  if (any()) return;
  text = "cbor: cannot unmarshal " + std::string(name_of(found)) + " into Go ";
  if (field.empty()) {
    text += "value";
  } else {
    text.append("struct field ").append(root).append(".").append(field);
  }
  text.append(" of type ").append(go_type);
  if (!detail.empty()) text.append(" (").append(detail).append(")");
}

std::string duplicate_key(std::string_view key, std::size_t index) {
  return "cbor: found duplicate map key " + go_quote(key) + " at map element index " +
         std::to_string(index);
}

std::string negative_text(std::uint64_t argument) {
  if (argument == std::numeric_limits<std::uint64_t>::max()) return "-18446744073709551616";
  return "-" + std::to_string(argument + 1);
}

bool Items::take_break() {
  const bool ends = next_is(kBreakHead.info);
  if (ends) ++next_;
  return ends;
}

void Items::skip() {
  constexpr std::uint64_t kUntilBreak = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t left = 1;  // items left in the innermost container
  std::vector<std::uint64_t> outer;
  while (true) {
    while (left == 0 || (left == kUntilBreak && take_break())) {
      if (outer.empty()) return;
      left = outer.back();
      outer.pop_back();
    }
    if (left != kUntilBreak) --left;
    const Head& item = head();
    const bool string = item.major == Major::kBytes || item.major == Major::kText;
    const bool holds = item.major == Major::kArray || item.major == Major::kMap;
    if (item.major == Major::kTag) {
      if (left != kUntilBreak) ++left;
    } else if ((string || holds) && item.indefinite()) {
      outer.push_back(std::exchange(left, kUntilBreak));
    } else if (holds) {
      const std::uint64_t count = item.major == Major::kMap ? 2 * item.value : item.value;
      outer.push_back(std::exchange(left, count));
    }
    if (outer.empty() && left == 0) return;
  }
}

// Checks the content of a time tag, as fxamacker/cbor does.
bool Items::tag_fits(const Head& tag) {
  std::string_view wanted;
  if (tag.value == kTimeText && next() != Major::kText) wanted = "text string";
  const bool number = next() == Major::kUnsigned || next() == Major::kNegative || next_is(kHalf) ||
                      next_is(kSingle) || next_is(kDouble);
  if (tag.value == kEpochTime && !number) wanted = "integer or floating-point number";
  if (wanted.empty()) return true;
  errors_->note("cbor: tag number " + std::to_string(tag.value) + " must be followed by " +
                std::string(wanted) + ", got " + std::string(name_of(next())));
  return false;
}

bool Items::tags(std::uint64_t& later, Times times) {
  if (next() != Major::kTag) return true;
  const Head* const begin = next_;
  while (next() == Major::kTag) {
    if (tag_fits(head())) continue;
    skip();
    return false;
  }
  next_ = begin;
  while (next() == Major::kTag) {
    const Head* const before = next_;
    const std::uint64_t tag = head().value;
    if (times == Times::kStop && (tag == kTimeText || tag == kEpochTime)) {
      next_ = before;
      return true;
    }
    if (tag == kBase64Url || tag == kBase64 || tag == kHex) later = tag;
  }
  return true;
}

bool Items::bytes(std::string_view& out) {
  const Head& string = head();
  const bool text = string.major == Major::kText;
  bool valid = true;
  if (!string.indefinite()) {
    out = string.text();
    valid = !text || is_valid_utf8(out);
  } else {
    std::string joined;
    while (!take_break()) {
      const std::string_view piece = head().text();
      valid = valid && (!text || is_valid_utf8(piece));
      joined += piece;
    }
    out = arena_.copy(joined);
  }
  if (!valid) errors_->note("cbor: invalid UTF-8 string");
  return valid;
}

bool Items::string(std::string_view go_type, std::uint64_t later, std::string_view& out) {
  if (!tags(later, Times::kPass)) return false;
  out = {};
  if (next_is(kNull)) {
    head();
    return true;
  }
  const bool plain = next() == Major::kText;
  if (!plain && next() != Major::kBytes) return mismatch(go_type);
  if (!bytes(out)) return false;
  if (plain || later == 0) return true;
  out = arena_.copy(later == kHex      ? hex_text(out)
                    : later == kBase64 ? base64_encode(out)
                                       : base64_url(out));
  return true;
}

bool Items::number_mismatch(const Head& head, std::string_view go_type, std::string_view detail) {
  if (head.major == Major::kPrimitive && head.info < kHalf && head.info != kFalse &&
      head.info != kTrue && head.info != kNull) {
    errors_->note(
        "cbor: data item of cbor type primitives is not accepted by protocol: simple value " +
        std::to_string(head.value) + " is not recognized");
  } else if (head.major == Major::kNegative && head.value > kLargestItem) {
    errors_->mismatch(head.major, go_type, negative_text(head.value) + " overflows Go's int64");
  } else {
    errors_->mismatch(head.major, go_type, detail);
  }
  return false;
}

bool Items::mismatch(std::string_view go_type, std::string_view detail) {
  const Major found = next();
  if (found == Major::kText) {
    std::string_view text;
    if (!bytes(text)) return false;
  } else if (found == Major::kBytes || found == Major::kArray || found == Major::kMap) {
    skip();
  } else {
    return number_mismatch(head(), go_type, detail);
  }
  errors_->mismatch(found, go_type, detail);
  return false;
}

}  // namespace tabernetes::codec::cbor
