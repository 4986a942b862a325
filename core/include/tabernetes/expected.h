// Returns of functions that can fail: a value, or the reason why there is none. All functions of
// these headers report errors this way. Errors of a request are in its Response.
//
//   if (const Expected<void> done = server.restore(document); !done) warn(done.fault().message);
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace tabernetes {

// The reason of a failure.
struct Fault {
  std::string message;  // for people, in kube-apiserver's words if it has any
  // The Status, as JSON, that a request would get; empty if no request can fail this way.
  std::string status = {};
};

// A value of T, or a fault: a Fault or a type derived from it.
template <typename T, typename F = Fault>
class [[nodiscard]] Expected {
 public:
  template <typename From = T>
  requires(std::constructible_from<T, From> && !std::convertible_to<From, F> &&
           !std::same_as<std::remove_cvref_t<From>, Expected>)
      Expected(From&& value)  // NOLINT(google-explicit-constructor): for `return value;`
      : content_(std::in_place_index<0>, std::forward<From>(value)) {}
  Expected(F fault)  // NOLINT(google-explicit-constructor)
      : content_(std::in_place_index<1>, std::move(fault)) {}

  // Returns true if there is a value.
  explicit operator bool() const { return content_.index() == 0; }

  // REQUIRES: there is a value.
  T& operator*() & { return *std::get_if<0>(&content_); }
  const T& operator*() const& { return *std::get_if<0>(&content_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&content_)); }
  T* operator->() { return std::get_if<0>(&content_); }
  const T* operator->() const { return std::get_if<0>(&content_); }

  // REQUIRES: there is no value.
  F& fault() & { return *std::get_if<1>(&content_); }
  const F& fault() const& { return *std::get_if<1>(&content_); }
  F&& fault() && { return std::move(*std::get_if<1>(&content_)); }

 private:
  std::variant<T, F> content_;
};

// Success, or a fault.
template <typename F>
class [[nodiscard]] Expected<void, F> {
 public:
  Expected() = default;
  Expected(F fault)  // NOLINT(google-explicit-constructor)
      : content_(std::in_place_index<1>, std::move(fault)) {}

  // Returns true for success.
  explicit operator bool() const { return content_.index() == 0; }

  // REQUIRES: there is a fault.
  F& fault() & { return *std::get_if<1>(&content_); }
  const F& fault() const& { return *std::get_if<1>(&content_); }
  F&& fault() && { return std::move(*std::get_if<1>(&content_)); }

 private:
  std::variant<std::monostate, F> content_;
};

}  // namespace tabernetes
