// Result<T>: a value or the ApiStatus that the caller will see.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/api_status.h"

namespace tabernetes {

template <typename T>
using Result = tl::expected<T, ApiStatus>;

using tl::make_unexpected;
using tl::unexpected;

}  // namespace tabernetes

#define TAB_CONCAT_INNER(a, b) a##b
#define TAB_CONCAT(a, b) TAB_CONCAT_INNER(a, b)
#define TAB_TRY_IMPL(temporary, declaration, expression)                      \
  auto temporary = (expression);                                              \
  if (!temporary) return ::tl::make_unexpected(std::move(temporary).error()); \
  declaration = std::move(*temporary)

// Takes the value of a Result, or returns its error from the enclosing function:
//   TAB_TRY(const Options options, parse_options(query));
#define TAB_TRY(declaration, expression) \
  TAB_TRY_IMPL(TAB_CONCAT(tab_result_, __LINE__), declaration, expression)

// The same for a Result<void>.
#define TAB_CHECK(expression)                                       \
  do {                                                              \
    if (auto tab_checked = (expression); !tab_checked)              \
      return ::tl::make_unexpected(std::move(tab_checked).error()); \
  } while (false)
