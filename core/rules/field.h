// A place in an object under validation: the value there, if any, and how to say what is wrong.
//
//   const Field spec = object["spec"];
//   const Field containers = spec["containers"];
//   if (containers.empty()) containers.required();
//   for (const Field container : containers.items()) {
//     container["image"].require();
//     container["imagePullPolicy"].one_of("Always,IfNotPresent,Never");
//   }
//
// A Field knows its parent by pointer and makes its path only for an error, so going through a
// valid object allocates nothing. A parent must outlive its children, hence a Field that has
// children needs a name: `object["spec"]["x"]` does not compile.
//
// Values are read as Go reads its typed form: what is absent (or null) has the zero value of its
// type, text() "", number() 0, flag() false, no items. REQUIRES (throughout): the object is in its
// typed form (schema::decode_typed), so a member has the type of the kind's field.
//
// Errors go to the list in the order in which they are reported; upstream's order is the order to
// report in, since clients print it. Words: spec/rest.md 4.4; upstream 1.36 apimachinery
// pkg/util/validation/field/errors.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/field_error.h"
#include "base/names.h"
#include "json/value.h"

namespace tabernetes::registry::validation {

// What the cluster lets pass.
enum class Policy : std::uint8_t {
  kUnprivileged,
  kPrivileged,  // --allow-privileged: containers that are as powerful as their node
};

class Field {
 public:
  // The whole object. Its path is empty and shows in no child's.
  Field(const json::Value& object, field::ErrorList& errors, Policy policy = Policy::kUnprivileged)
      : value_(&object), parent_(nullptr), errors_(&errors), policy_(policy) {}

  // --- Other places

  // `.name`, there or not.
  Field operator[](std::string_view name) const&;
  Field operator[](std::string_view name) const&& = delete;
  // `[i]` of a list; REQUIRES: i < size().
  Field item(std::size_t i) const&;
  Field item(std::size_t i) const&& = delete;
  // `[i]` without a value, of anything.
  Field item_place(std::size_t i) const& { return {nullptr, this, Step::kItem, nullptr, i}; }
  Field item_place(std::size_t i) const&& = delete;
  // `[name]`, the member of a map, there or not.
  Field key(std::string_view name) const&;
  Field key(std::string_view name) const&& = delete;
  // A place whose path is this one's and `.name`, with another's value: upstream's paths do not
  // always say where a value stands (`spec.template.labels`).
  Field as(std::string_view name, const Field& other) const&;
  Field as(std::string_view name, const Field& other) const&& = delete;

  // This place with the value of another: for upstream's paths that leave something out.
  Field with(const Field& other) const {
    Field copy = *this;
    copy.value_ = other.value_;
    return copy;
  }

  // Each item of a list, or each member of a map, as a Field.
  class Items;
  Items items() const&;
  Items items() const&& = delete;

  // --- The value here

  const json::Value* value() const { return value_; }
  // There is a value and it is not null: what Go calls non-nil.
  bool present() const { return value_ != nullptr && !value_->is_null(); }
  std::string_view text() const;
  std::int64_t number() const;
  bool flag() const;
  // Of items or members.
  std::uint32_t size() const { return value_ == nullptr ? 0 : value_->size(); }
  bool empty() const { return size() == 0; }
  bool is(std::string_view expected) const { return text() == expected; }
  // The member there, or null. A shorter way to look than a Field of its own.
  const json::Value* find(std::string_view name) const;
  // The string member there, or "".
  std::string_view text_at(std::string_view name) const;
  // The number member there, or 0.
  std::int64_t number_at(std::string_view name) const;
  bool has(std::string_view name) const;
  // The same value, or none on both sides.
  bool same(const Field& other) const;

  // The last part of the path: a member's name, or the key of a map. REQUIRES: no list item.
  std::string_view name() const { return {name_, length_}; }
  // Its number. REQUIRES: a list item.
  std::uint32_t index() const { return length_; }
  field::Path path() const;
  // The value as errors show it: a string in quotes, a number, compact JSON; "" for none.
  std::string printed() const;
  field::ErrorList& errors() const { return *errors_; }
  bool allows_privileged() const { return policy_ == Policy::kPrivileged; }

  // --- What is wrong here

  void required(std::string_view detail = {}) const;
  // `Invalid value: <the value here>: detail`
  void invalid(std::string_view detail) const;
  // The same with another value shown: already printed, or a string to be quoted.
  void invalid_as(std::string_view printed, std::string_view detail) const;
  void invalid_text(std::string_view text, std::string_view detail) const;
  // One `Invalid value` for each fault that a rule of registry/names found; true if there was none.
  bool invalid(const Faults& faults) const;
  // `supported` is a list with commas, in the order to print.
  void not_supported(std::string_view supported) const;
  void not_supported_as(std::string_view printed, std::string_view supported) const;
  void forbidden(std::string_view detail) const;
  void duplicate() const;
  void duplicate_as(std::string_view printed) const;
  void not_found() const;
  void too_long(std::size_t max_bytes) const;
  void too_many(std::size_t max_items) const;

  // --- Rules in one call. True if the value keeps them.

  // A text that is not empty.
  bool require(std::string_view detail = {}) const;
  // The same, and in a format.
  bool require(Faults (*faults)(std::string_view)) const;
  // The same, and one of `supported`.
  bool require_one_of(std::string_view supported) const;
  // One of `supported` (a list with commas); an absent text counts as "".
  bool one_of(std::string_view supported) const;
  // The same, but absent is fine.
  bool one_of_or_absent(std::string_view supported) const;
  // A text in a format of registry/names, such as dns1123_label_faults.
  bool format(Faults (*faults)(std::string_view)) const;
  // The same, but "" is fine.
  bool format_or_empty(Faults (*faults)(std::string_view)) const;
  // `must be greater than or equal to 0`
  bool non_negative() const;
  // `must be greater than zero`
  bool positive() const;
  // `must be between low and high, inclusive`
  bool in_range(std::int64_t low, std::int64_t high) const;
  // `field is immutable` unless the value is that of `old`. `none` is how a value that is gone
  // shows: "null" of a pointer, "\"\"" of a string.
  bool immutable(const Field& old, std::string_view none = "null") const;

 private:
  enum class Step : std::uint8_t { kMember, kItem, kKey };

  Field(const json::Value* value, const Field* parent, Step step, const char* name,
        std::size_t length)
      : value_(value),
        parent_(parent),
        errors_(parent->errors_),
        name_(name),
        length_(static_cast<std::uint32_t>(length)),
        step_(step),
        policy_(parent->policy_) {}

  const json::Value* value_;
  const Field* parent_;
  field::ErrorList* errors_;
  const char* name_ = nullptr;
  std::uint32_t length_ = 0;  // of the name; of an item its number
  Step step_ = Step::kMember;
  Policy policy_;
};

// What `for (const Field item : list.items())` goes through.
class Field::Items {
 public:
  class Iterator {
   public:
    Iterator(const Field* list, std::uint32_t i) : list_(list), i_(i) {}
    Field operator*() const;
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

   private:
    const Field* list_;
    std::uint32_t i_;
  };
  explicit Items(const Field* list) : list_(list) {}
  Iterator begin() const { return {list_, 0}; }
  Iterator end() const { return {list_, list_->size()}; }

 private:
  const Field* list_;
};

inline Field::Items Field::items() const& { return Items(this); }

// True if `text` is one of `list`, whose entries are parted by commas.
bool listed(std::string_view list, std::string_view text);

// Makes member `name` of `to` that of `from`; removes it if `from` has none.
void take_member(json::Value& to, const Field& from, std::string_view name, json::Arena& arena);

}  // namespace tabernetes::registry::validation
