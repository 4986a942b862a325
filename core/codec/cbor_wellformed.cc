// One pass from head to head, with an explicit stack of open containers. Tested by
// tests/core/codec/cbor_test.cc, tests/fuzz/cbor_fuzz.cc.
#include "codec/cbor_wellformed.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "codec/cbor_wire.h"

namespace tabernetes::codec::cbor {
namespace {

constexpr std::uint32_t kDeepestItem = 10000;
constexpr std::uint64_t kMostItems = 2147483647;
constexpr std::uint64_t kMostPairs = 2097152;
constexpr std::uint64_t kLargestLength = std::numeric_limits<std::int64_t>::max();

std::string quoted(std::string_view major, std::string_view rest) {
  std::string text = "cbor: ";
  return text.append(major).append(rest);
}

std::string not_accepted(Major major, std::string_view what) {
  return "cbor: data item of cbor type " + std::string(name_of(major)) +
         " is not accepted by protocol: " + std::string(what);
}

class Checker {
 public:
  Checker(std::string_view bytes, std::vector<Head>& heads) : bytes_(bytes), heads_(heads) {}

  std::string run() {
    if (bytes_.empty()) return "EOF";
    if (!item(0)) return std::move(error_);
    while (!open_.empty()) {
      if (!step()) return std::move(error_);
    }
    return {};
  }

  std::size_t size() const { return at_; }

 private:
  // A container with items still to come.
  struct Open {
    Major major;
    bool indefinite;
    std::uint64_t count;  // items left; if indefinite, items so far
    std::uint32_t depth;
  };

  bool fail(std::string text) {
    error_ = std::move(text);
    return false;
  }
  bool at_end() { return at_ == bytes_.size() && !fail("unexpected EOF"); }

  // Reads one more item of the innermost container, or its end.
  bool step() {
    Open& open = open_.back();
    if (!open.indefinite) {
      if (open.count == 0) return close();
      --open.count;
      return item(open.depth);
    }
    if (at_end()) return false;
    if (bytes_[at_] == kBreak) {
      ++at_;
      heads_.push_back(kBreakHead);
      if (open.major == Major::kMap && open.count % 2 == 1) {
        return fail("cbor: unexpected \"break\" code");
      }
      return close();
    }
    if (open.major == Major::kBytes || open.major == Major::kText) return chunk(open.major);
    if (open.major == Major::kMap && open.count / 2 >= kMostPairs) return too_many(Major::kMap);
    ++open.count;
    return item(open.depth);
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  // Reads a chunk of an indefinite-length string.
  bool chunk(Major whole) {
    const Major major = major_of(bytes_[at_]);
    const std::string name(name_of(whole));
    if (major != whole) {
      return fail("cbor: wrong element type " + std::string(name_of(major)) +
                  " for indefinite-length " + name);
    }
    if (info_of(bytes_[at_]) == 31) {
      return fail("cbor: indefinite-length " + name + " chunk is not definite-length");
    }
    return item(0);
  }

  bool item(std::uint32_t depth) {
    Head head;
    if (!read_head(head)) return false;
    while (head.major == Major::kTag) {
      if (at_end()) return false;
      if (head.value == 2 || head.value == 3) return fail(not_accepted(Major::kTag, "bignum"));
      const bool nested = major_of(bytes_[at_]) == Major::kTag;
      if (nested && ++depth > kDeepestItem) return too_deep();
      if (!read_head(head)) return false;
    }
    if (head.major == Major::kBytes || head.major == Major::kText) return string(head);
    if (head.major == Major::kArray || head.major == Major::kMap) return container(head, depth + 1);
    return true;
  }

  bool string(const Head& head) {
    if (head.indefinite()) {
      open_.push_back({head.major, true, 0, 0});
      return true;
    }
    return true;
  }

  bool container(const Head& head, std::uint32_t depth) {
    if (depth > kDeepestItem) return too_deep();
    if (head.indefinite()) {
      open_.push_back({head.major, true, 0, depth});
      return true;
    }
    if (head.value > kLargestLength) {
      return fail(
          quoted(name_of(head.major), " length " + std::to_string(head.value) +
                                          " is too large, it would cause integer overflow"));
    }
    const bool map = head.major == Major::kMap;
    if (head.value > (map ? kMostPairs : kMostItems)) return too_many(head.major);
    open_.push_back({head.major, false, map ? 2 * head.value : head.value, depth});
    return true;
  }

  bool too_deep() {
    return fail("cbor: exceeded max nested level " + std::to_string(kDeepestItem));
  }

  bool too_many(Major major) {
    return fail(major == Major::kMap ? "cbor: exceeded max number of key-value pairs " +
                                           std::to_string(kMostPairs) + " for CBOR map"
                                     : "cbor: exceeded max number of elements " +
                                           std::to_string(kMostItems) + " for CBOR array");
  }

  bool read_head(Head& head) {
    if (at_end()) return false;
    std::string_view rest = bytes_.substr(at_);
    const HeadFault fault = take_head(rest, head);
    at_ = bytes_.size() - rest.size();
    if (fault == HeadFault::kCutOff) return cut_off(head);
    heads_.push_back(head);
    if (fault == HeadFault::kReserved || head.indefinite()) return reserved(head);
    return head.major != Major::kPrimitive || primitive(head);
  }

  bool cut_off(const Head& head) {
    const bool string = head.major == Major::kBytes || head.major == Major::kText;
    if (!string || head.value <= kLargestLength) return fail("unexpected EOF");
    return fail(quoted(name_of(head.major), " length " + std::to_string(head.value) +
                                                " is too large, causing integer overflow"));
  }

  // Checks a head with additional information 28 to 31: only a break and indefinite items are
  // valid.
  bool reserved(const Head& head) {
    const bool number = head.major == Major::kUnsigned || head.major == Major::kNegative ||
                        head.major == Major::kTag;
    if (head.info == 31 && head.major == Major::kPrimitive) {
      return fail("cbor: unexpected \"break\" code");
    }
    if (head.info == 31 && !number) return true;
    return fail("cbor: invalid additional information " + std::to_string(head.info) + " for type " +
                std::string(name_of(head.major)));
  }

  bool primitive(const Head& head) {
    if (head.info == 24 && head.value < 32) {
      return fail("cbor: invalid simple value " + std::to_string(head.value) +
                  " for type primitives");
    }
    if (head.info < kHalf) return true;
    if (std::isnan(head.real)) return fail(not_accepted(head.major, "floating-point NaN"));
    if (std::isinf(head.real)) return fail(not_accepted(head.major, "floating-point infinity"));
    return true;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<Head>& heads_;
  std::vector<Open> open_;
  std::string error_;
};

}  // namespace

std::string wellformed_error(std::string_view bytes, std::vector<Head>& heads) {
  constexpr std::size_t kUsualSize = 8;  // usual bytes per item
  heads.reserve(bytes.size() / kUsualSize + 1);
  Checker checker(bytes, heads);
  std::string error = checker.run();
  const std::size_t size = checker.size();
  if (!error.empty() || size == bytes.size()) return error;
  return "cbor: " + std::to_string(bytes.size() - size) +
         " bytes of extraneous data starting at index " + std::to_string(size);
}

std::string first_item_error(std::string_view bytes, std::size_t& size) {
  std::vector<Head> heads;
  Checker checker(bytes, heads);
  std::string error = checker.run();
  size = checker.size();
  return error;
}

}  // namespace tabernetes::codec::cbor
