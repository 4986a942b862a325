#include "rules/field.h"

#include <cassert>
#include <utility>
#include <vector>

#include "base/go/text.h"
#include "base/text/parts.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "json/equality.h"

namespace tabernetes::registry::validation {

using json::Value;

bool Capabilities::enabled(std::string_view gate) const {
  if (gates != nullptr) return gates->enabled(gate);
  const schema::FeatureGate* known = schema::Catalogue::built_in().find_gate(gate);
  assert(known != nullptr);
  return known != nullptr && known->enabled_by_default;
}

Field Field::operator[](std::string_view name) const& {
  return {find(name), this, Step::kMember, name.data(), name.size()};
}

Field Field::item(std::size_t i) const& {
  return {&value_->items()[i], this, Step::kItem, nullptr, i};
}

Field Field::key(std::string_view name) const& {
  return {find(name), this, Step::kKey, name.data(), name.size()};
}

Field Field::as(std::string_view name, const Field& other) const& {
  return {other.value_, this, Step::kMember, name.data(), name.size()};
}

Field Field::Items::Iterator::operator*() const {
  if (list_->value_->is_array()) return list_->item(i_);
  const json::Member& member = list_->value_->members()[i_];
  return {&member.value, list_, Step::kKey, member.key.data(), member.key.size()};
}

std::string_view Field::text() const { return text_of(value_); }

std::int64_t Field::number() const {
  return value_ != nullptr && value_->is_int() ? value_->as_int() : 0;
}

bool Field::flag() const { return value_ != nullptr && value_->is_bool() && value_->as_bool(); }

const Value* Field::find(std::string_view name) const {
  return value_ != nullptr && value_->is_object() ? value_->find(name) : nullptr;
}

std::string_view Field::text_at(std::string_view name) const { return (*this)[name].text(); }

std::int64_t Field::number_at(std::string_view name) const { return (*this)[name].number(); }

bool Field::has(std::string_view name) const { return (*this)[name].present(); }

bool Field::same(const Field& other) const {
  if (!present() || !other.present()) return present() == other.present();
  return json::deep_equal(*value_, *other.value_);
}

field::Path Field::path() const {
  if (parent_ == nullptr) return field::Path();
  const field::Path before = parent_->path();
  switch (step_) {
    case Step::kItem:
      return before.index(length_);
    case Step::kKey:
      return before.key(name());
    case Step::kMember:
      break;
  }
  return before.child(name());
}

std::string Field::printed() const {
  if (value_ == nullptr || value_->is_string()) return go_quote(text());
  return codec::json_text(*value_);
}

void Field::required(std::string_view detail) const {
  errors_->push_back(field::required(path(), detail));
}

void Field::invalid(std::string_view detail) const { invalid_printed(printed(), detail); }

void Field::invalid_printed(std::string_view printed, std::string_view detail) const {
  errors_->push_back(field::invalid(path(), printed, detail));
}

void Field::invalid_string(std::string_view text, std::string_view detail) const {
  invalid_printed(go_quote(text), detail);
}

bool Field::invalid(const Faults& faults) const {
  for (const std::string& fault : faults) invalid(fault);
  return faults.empty();
}

void Field::not_supported(std::string_view supported) const {
  // Upstream's values of enumerations have types of their own, which errors print as JSON.
  if (value_ == nullptr || !value_->is_string()) return not_supported_as(printed(), supported);
  std::string shown;
  codec::write_json_string(text(), shown);
  not_supported_as(shown, supported);
}

void Field::not_supported_as(std::string_view printed, std::string_view supported) const {
  const std::vector<std::string_view> parts = split(supported, ',');
  const std::vector<std::string> values(parts.begin(), parts.end());
  errors_->push_back(field::not_supported(path(), printed, values));
}

void Field::forbidden(std::string_view detail) const {
  errors_->push_back(field::forbidden(path(), detail));
}

void Field::duplicate() const { duplicate_as(printed()); }

void Field::duplicate_as(std::string_view printed) const {
  errors_->push_back(field::duplicate(path(), printed));
}

void Field::not_found() const { errors_->push_back(field::not_found(path(), printed())); }

void Field::too_long(std::size_t max_bytes) const {
  errors_->push_back(field::too_long(path(), max_bytes));
}

void Field::too_many(std::size_t max_items) const {
  errors_->push_back(field::too_many(path(), size(), max_items));
}

bool Field::require(std::string_view detail) const {
  if (!text().empty()) return true;
  required(detail);
  return false;
}

bool Field::require(Faults (*faults)(std::string_view)) const {
  return require() && format(faults);
}

bool Field::require_one_of(std::string_view supported) const {
  return require() && one_of(supported);
}

bool Field::one_of(std::string_view supported) const {
  if (listed(supported, text())) return true;
  not_supported(supported);
  return false;
}

bool Field::one_of_or_absent(std::string_view supported) const {
  return !present() || one_of(supported);
}

bool Field::format(Faults (*faults)(std::string_view)) const { return invalid(faults(text())); }

bool Field::format_or_empty(Faults (*faults)(std::string_view)) const {
  return text().empty() || format(faults);
}

bool Field::non_negative() const {
  if (number() >= 0) return true;
  invalid("must be greater than or equal to 0");
  return false;
}

bool Field::positive() const {
  if (number() > 0) return true;
  invalid_printed(std::to_string(number()), "must be greater than zero");
  return false;
}

bool Field::in_range(std::int64_t low, std::int64_t high) const {
  if (low <= number() && number() <= high) return true;
  invalid_printed(std::to_string(number()), "must be between " + std::to_string(low) + " and " +
                                                std::to_string(high) + ", inclusive");
  return false;
}

bool Field::immutable(const Field& old, std::string_view none) const {
  if (same(old)) return true;
  invalid_printed(value_ == nullptr ? std::string(none) : printed(), field::kImmutable);
  return false;
}

bool listed(std::string_view list, std::string_view text) {
  while (true) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == text) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

void take_member(Value& to, const Field& from, std::string_view name, json::Arena& arena) {
  if (from.has(name)) {
    to.set(arena, name, *from.find(name));
  } else {
    to.erase(name);
  }
}

}  // namespace tabernetes::registry::validation
