// What a function gives that can fail: a value, or why there is none. The one way in which the
// functions of these headers tell of errors; a request's are in its Response.
//
//   if (const Expected<void> done = server.restore(document); !done) warn(done.fault().message);
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace tabernetes {

// Why something could not be done.
struct Fault {
  std::string message;  // for people; where kube-apiserver has words for it, in those
  // The Status, as JSON, that a request would have got; empty for what no request can ask.
  std::string status = {};
};

// A value of T, or a fault: a Fault, or what a function tells beyond that.
template <typename T, typename F = Fault>
class [[nodiscard]] Expected {
 public:
  template <typename From = T>
  requires(std::constructible_from<T, From> && !std::convertible_to<From, F> &&
           !std::same_as<std::remove_cvref_t<From>, Expected>)
      Expected(From&& value)  // NOLINT(google-explicit-constructor): what is returned is a value
      : content_(std::in_place_index<0>, std::forward<From>(value)) {}
  Expected(F fault)  // NOLINT(google-explicit-constructor)
      : content_(std::in_place_index<1>, std::move(fault)) {}

  // Whether there is a value.
  explicit operator bool() const { return content_.index() == 0; }

  // REQUIRES: there is a value.
  T& operator*() & { return *std::get_if<0>(&content_); }
  const T& operator*() const& { return *std::get_if<0>(&content_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&content_)); }
  T* operator->() { return std::get_if<0>(&content_); }
  const T* operator->() const { return std::get_if<0>(&content_); }

  // REQUIRES: there is none.
  F& fault() & { return *std::get_if<1>(&content_); }
  const F& fault() const& { return *std::get_if<1>(&content_); }
  F&& fault() && { return std::move(*std::get_if<1>(&content_)); }

 private:
  std::variant<T, F> content_;
};

// Whether something was done.
template <typename F>
class [[nodiscard]] Expected<void, F> {
 public:
  Expected() = default;
  Expected(F fault)  // NOLINT(google-explicit-constructor)
      : content_(std::in_place_index<1>, std::move(fault)) {}

  explicit operator bool() const { return content_.index() == 0; }

  // REQUIRES: it was not.
  F& fault() & { return *std::get_if<1>(&content_); }
  const F& fault() const& { return *std::get_if<1>(&content_); }
  F&& fault() && { return std::move(*std::get_if<1>(&content_)); }

 private:
  std::variant<std::monostate, F> content_;
};

}  // namespace tabernetes
