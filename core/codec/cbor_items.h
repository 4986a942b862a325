// A cursor over the items of well-formed CBOR, with the error messages for items of the wrong type.
// Both readers use it: cbor_values for any value, and cbor_reader for objects with a schema.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/cbor_wire.h"
#include "json/value.h"

namespace tabernetes::codec::cbor {

// Keeps the first error; but a duplicate or unknown key of a map replaces the errors inside that
// map.
struct ReadErrors {
  std::string text;
  bool unknown_field = false;  // `text` reports an unknown field
  // Position for type errors: the root's Go name, and the root's field being read ("spec").
  std::string_view root, field;

  bool any() const { return !text.empty(); }
  void note(std::string error) {
    if (!any()) text = std::move(error);
  }
  // `before`: whether there was an error already when the map began.
  void replace(bool before, std::string error) {
    if (before) return;
    text = std::move(error);
    unknown_field = false;
  }
  void mismatch(Major found, std::string_view go_type, std::string_view detail);
};

std::string duplicate_key(std::string_view key, std::size_t index);

// REQUIRES, for all: the heads are those of well-formed bytes (wellformed_error()), which outlive
// this object, and there is a next item.
class Items {
 public:
  Items(std::span<const Head> heads, json::Arena& arena, ReadErrors& errors)
      : next_(heads.data()), arena_(arena), errors_(&errors) {}

  ReadErrors& errors() { return *errors_; }
  json::Arena& arena() { return arena_; }
  ReadErrors& exchange_errors(ReadErrors& errors) { return *std::exchange(errors_, &errors); }

  Major next() const { return next_->major; }
  bool next_is(std::uint8_t primitive) const {
    return next_->major == Major::kPrimitive && next_->info == primitive;
  }
  const Head& head() { return *next_++; }
  bool take_break();
  void skip();

  // Skips tags that do not affect the value; sets `later` to the innermost one that chooses a text
  // form for byte strings (kBase64 ...). Returns false and notes an error if a tag does not fit its
  // content; the item is skipped.
  enum class Times { kStop, kPass };  // whether to stop before a time tag
  bool tags(std::uint64_t& later, Times times);

  // Reads a string; text must be UTF-8, each chunk on its own.
  bool bytes(std::string_view& out);
  // Reads a text or byte string as a Go string, null as an empty one; other items are an error.
  bool string(std::string_view go_type, std::uint64_t later, std::string_view& out);

  // Skips an item that is not a `go_type` and notes the error.
  bool mismatch(std::string_view go_type, std::string_view detail = {});
  // Like mismatch(), for a number whose head was already taken.
  bool number_mismatch(const Head& head, std::string_view go_type, std::string_view detail = {});

 private:
  bool tag_fits(const Head& tag);

  const Head* next_;
  json::Arena& arena_;
  ReadErrors* errors_;
};

// Returns -1-`argument` in decimal.
std::string negative_text(std::uint64_t argument);

}  // namespace tabernetes::codec::cbor
