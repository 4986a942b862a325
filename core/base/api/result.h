// Result<T>: a value, or the ApiStatus that the client will see.
#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "base/api/api_status.h"

namespace tabernetes {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result() requires std::default_initializable<T> : value_(std::in_place) {}
  template <typename From = T>
  requires(std::constructible_from<T, From> && !std::convertible_to<From, Failure> &&
           !std::same_as<std::remove_cvref_t<From>, Result>)
      Result(From&& value)  // NOLINT(google-explicit-constructor): what is returned is a value
      : value_(std::in_place, std::forward<From>(value)) {}
  Result(Failure failure)  // NOLINT(google-explicit-constructor)
      : failure_(std::move(failure)) {}
  Result(ApiStatus status) : failure_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return value_.has_value(); }

  // REQUIRES: has a value.
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

  // REQUIRES: has no value.
  const ApiStatus& error() const { return *failure_; }
  Failure failure() && { return std::move(failure_); }

 private:
  std::optional<T> value_;
  Failure failure_;
};

// Holds only success or failure, so it is one pointer.
template <>
class TAB_AS_POINTER [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure)  // NOLINT(google-explicit-constructor)
      : failure_(std::move(failure)) {}
  Result(ApiStatus status) : failure_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return failure_.status_ == nullptr; }

  // REQUIRES: has failed.
  const ApiStatus& error() const { return *failure_; }
  Failure failure() && { return std::move(failure_); }

 private:
  Failure failure_;
};

}  // namespace tabernetes

#define TAB_CONCAT_INNER(a, b) a##b
#define TAB_CONCAT(a, b) TAB_CONCAT_INNER(a, b)
#define TAB_TRY_IMPL(temporary, declaration, expression) \
  auto temporary = (expression);                         \
  if (!temporary) return std::move(temporary).failure(); \
  declaration = std::move(*temporary)

// Assigns the value of a Result, or returns its error from the enclosing function:
//   TAB_TRY(const Options options, parse_options(query));
#define TAB_TRY(declaration, expression) \
  TAB_TRY_IMPL(TAB_CONCAT(tab_result_, __LINE__), declaration, expression)

// Like TAB_TRY, for a Result<void>.
#define TAB_CHECK(expression)                                                                   \
  do {                                                                                          \
    if (auto tab_checked = (expression); !tab_checked) return std::move(tab_checked).failure(); \
  } while (false)
