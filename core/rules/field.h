// A place in an object during validation: its value, if any, and functions that report errors
// there.
//
//   const Field spec = object["spec"];
//   const Field containers = spec["containers"];
//   if (containers.empty()) containers.required();
//   for (const Field container : containers.items()) {
//     container["image"].require();
//     container["imagePullPolicy"].one_of("Always,IfNotPresent,Never");
//   }
//
// A Field refers to its parent by pointer and makes its path only for an error, so that traversing
// a valid object allocates nothing. A parent must outlive its children; hence a Field with children
// needs a name: `object["spec"]["x"]` does not compile.
//
// Values are read as in Go's typed form: a missing or null member has the zero value of its type:
// text() "", number() 0, flag() false, no items. REQUIRES (throughout): the object is decoded
// (schema::decode_typed), so a member has the type of the kind's field.
//
// Errors are listed in the order in which they are reported; report them in upstream's order, since
// clients print it. Texts: spec/rest.md 4.4; upstream 1.36 apimachinery
// pkg/util/validation/field/errors.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/api/field_error.h"
#include "base/api/names.h"
#include "json/value.h"
#include "schema/feature_gates.h"

namespace tabernetes::registry::validation {

// What validation may ask about the cluster.
struct Capabilities {
  bool privileged = false;                      // --allow-privileged: containers may be privileged
  const schema::FeatureGates* gates = nullptr;  // null: all have their defaults

  // Returns true if a feature gate is on. REQUIRES: `gate` is one of kube-apiserver.
  bool enabled(std::string_view gate) const;
};
inline constexpr Capabilities kUsualCapabilities{};

class Field {
 public:
  // The whole object. Its path is empty and not part of its children's paths. REQUIRES:
  // `capabilities` outlives this object and its children.
  Field(const json::Value& object, field::ErrorList& errors,
        const Capabilities& capabilities = kUsualCapabilities)
      : value_(&object), parent_(nullptr), errors_(&errors), capabilities_(&capabilities) {}

  // --- Other places

  // Returns `.name`, which need not exist.
  Field operator[](std::string_view name) const&;
  Field operator[](std::string_view name) const&& = delete;
  // Returns `[i]` of a list. REQUIRES: i < size().
  Field item(std::size_t i) const&;
  Field item(std::size_t i) const&& = delete;
  // Returns the place `[i]` without a value; this need not be a list.
  Field item_place(std::size_t i) const& { return {nullptr, this, Step::kItem, nullptr, i}; }
  Field item_place(std::size_t i) const&& = delete;
  // Returns `[name]`, a member of a map, which need not exist.
  Field key(std::string_view name) const&;
  Field key(std::string_view name) const&& = delete;
  // Returns a place with the path `.name` and the value of `other`: upstream's paths sometimes
  // differ from the location of the value (`spec.template.labels`).
  Field as(std::string_view name, const Field& other) const&;
  Field as(std::string_view name, const Field& other) const&& = delete;

  // Returns this place with the value of `other`: for upstream's paths that omit an element.
  Field with(const Field& other) const {
    Field copy = *this;
    copy.value_ = other.value_;
    return copy;
  }

  // Returns the items of a list, or the members of a map, as Fields.
  class Items;
  Items items() const&;
  Items items() const&& = delete;

  // --- The value

  const json::Value* value() const { return value_; }
  // Returns true if there is a value that is not null: Go's non-nil.
  bool present() const { return value_ != nullptr && !value_->is_null(); }
  std::string_view text() const;
  std::int64_t number() const;
  bool flag() const;
  // Returns the number of items or members.
  std::uint32_t size() const { return value_ == nullptr ? 0 : value_->size(); }
  bool empty() const { return size() == 0; }
  bool is(std::string_view expected) const { return text() == expected; }
  // Returns a member, or null. Cheaper than a Field.
  const json::Value* find(std::string_view name) const;
  // Returns a string member, or "".
  std::string_view text_at(std::string_view name) const;
  // Returns a number member, or 0.
  std::int64_t number_at(std::string_view name) const;
  bool has(std::string_view name) const;
  // Returns true if both values are equal or missing.
  bool same(const Field& other) const;

  // Returns the last element of the path: a member's name, or the key of a map. REQUIRES: not a
  // list item.
  std::string_view name() const { return {name_, length_}; }
  // Returns the index. REQUIRES: a list item.
  std::uint32_t index() const { return length_; }
  field::Path path() const;
  // Prints the value for errors: a string in quotes, a number, compact JSON; "" if missing.
  std::string printed() const;
  field::ErrorList& errors() const { return *errors_; }
  bool allows_privileged() const { return capabilities_->privileged; }
  const Capabilities& capabilities() const { return *capabilities_; }

  // --- Reporting errors

  void required(std::string_view detail = {}) const;
  // Reports `Invalid value: <the value>: detail`.
  void invalid(std::string_view detail) const;
  // Do the same with another value: already printed, or a string to be quoted.
  void invalid_printed(std::string_view printed, std::string_view detail) const;
  void invalid_string(std::string_view text, std::string_view detail) const;
  // Reports an `Invalid value` for each fault, as found by the functions of base/names; returns
  // true if there are none.
  bool invalid(const Faults& faults) const;
  // `supported` is a list separated by commas, in printing order.
  void not_supported(std::string_view supported) const;
  void not_supported_as(std::string_view printed, std::string_view supported) const;
  void forbidden(std::string_view detail) const;
  void duplicate() const;
  void duplicate_as(std::string_view printed) const;
  void not_found() const;
  void too_long(std::size_t max_bytes) const;
  void too_many(std::size_t max_items) const;

  // --- Checks in one call; they return true if the value passes

  // Requires a nonempty text.
  bool require(std::string_view detail = {}) const;
  // Requires a text in a format.
  bool require(Faults (*faults)(std::string_view)) const;
  // Requires one of `supported`.
  bool require_one_of(std::string_view supported) const;
  // Checks that the text is one of `supported` (separated by commas); a missing text counts as "".
  bool one_of(std::string_view supported) const;
  // Does the same, but accepts a missing text.
  bool one_of_or_absent(std::string_view supported) const;
  // Checks the format of a text with a function of base/names, such as dns1123_label_faults.
  bool format(Faults (*faults)(std::string_view)) const;
  // Does the same, but accepts "".
  bool format_or_empty(Faults (*faults)(std::string_view)) const;
  // `must be greater than or equal to 0`
  bool non_negative() const;
  // `must be greater than zero`
  bool positive() const;
  // `must be between low and high, inclusive`
  bool in_range(std::int64_t low, std::int64_t high) const;
  // Reports `field is immutable` unless the value equals that of `old`. `none` is printed for a
  // missing value: "null" for a pointer, "\"\"" for a string.
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
        capabilities_(parent->capabilities_) {}

  const json::Value* value_;
  const Field* parent_;
  field::ErrorList* errors_;
  const char* name_ = nullptr;
  std::uint32_t length_ = 0;  // of the name; for an item its index
  Step step_ = Step::kMember;
  const Capabilities* capabilities_;
};

// The range of `for (const Field item : list.items())`.
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

// Returns true if `text` is an entry of `list`, which is separated by commas.
bool listed(std::string_view list, std::string_view text);

// Copies the member `name` from `from` to `to`; removes it if it is missing in `from`.
void take_member(json::Value& to, const Field& from, std::string_view name, json::Arena& arena);

}  // namespace tabernetes::registry::validation
