// Items of well-formed CBOR one after another, and what is said of those that do not fit. Both
// readers, of any value (cbor_values) and along a schema (cbor_reader), are made of this.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/cbor_wire.h"
#include "json/value.h"

namespace tabernetes::codec::cbor {

// The first error counts; what stands twice or is unknown in a map replaces those of its inside.
struct ReadErrors {
  std::string text;
  bool unknown_field = false;  // `text` says that a field is unknown
  // Where a type error shows: the root's Go name, and its field that is being read ("spec").
  std::string_view root, field;

  bool any() const { return !text.empty(); }
  void note(std::string error) {
    if (!any()) text = std::move(error);
  }
  // `before`: whether there was an error when the map began.
  void replace(bool before, std::string error) {
    if (before) return;
    text = std::move(error);
    unknown_field = false;
  }
  void mismatch(Major found, std::string_view go_type, std::string_view detail);
};

std::string duplicate_key(std::string_view key, std::size_t index);

// REQUIRES, of all: the heads are those of well-formed bytes (wellformed_error), which live as
// long, and there is a next item.
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

  // Goes past tags that change nothing for whoever reads; sets `later` to the innermost that says
  // in which text byte strings are meant (kBase64 …). False, and an error: a tag on something that
  // it cannot stand on; the item is skipped.
  enum class Times { kStop, kPass };  // whether to stop before a tag of a time
  bool tags(std::uint64_t& later, Times times);

  // The bytes of a string; text must be UTF-8, each piece of it.
  bool bytes(std::string_view& out);
  // A text or byte string as Go's string, null as an empty one; others are an error.
  bool string(std::string_view go_type, std::uint64_t later, std::string_view& out);

  // Skips an item that is no `go_type`, and says so.
  bool mismatch(std::string_view go_type, std::string_view detail = {});
  // The same of a number whose head was taken.
  bool number_mismatch(const Head& head, std::string_view go_type, std::string_view detail = {});

 private:
  bool tag_fits(const Head& tag);

  const Head* next_;
  json::Arena& arena_;
  ReadErrors* errors_;
};

// -1-`argument` as decimal text, whatever the argument.
std::string negative_text(std::uint64_t argument);

}  // namespace tabernetes::codec::cbor
