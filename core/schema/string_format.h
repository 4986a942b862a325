// The formats that schemas of custom resources may require of strings and numbers. Source: upstream
// 1.36 apiextensions-apiserver pkg/apiserver/validation/formats.go, kube-openapi
// pkg/validation/strfmt; spec/crd-auth-admission.md 2.7.
#pragma once

#include <cstdint>
#include <string_view>

namespace tabernetes::schema {

enum class StringFormat : std::uint8_t {
  kNone,
  kBsonObjectId,
  kUri,
  kEmail,
  kHostname,
  kIpv4,
  kIpv6,
  kCidr,
  kMac,
  kUuid,
  kUuid3,
  kUuid4,
  kUuid5,
  kIsbn,
  kIsbn10,
  kIsbn13,
  kCreditCard,
  kSsn,
  kHexColor,
  kRgbColor,
  kByte,
  kPassword,
  kDate,
  kDuration,
  kDateTime,
  kShortName,
  kLongName,
  // For numbers.
  kInt32,
  kInt64,
  kFloat,
  kDouble,
};

// Returns the string format of that name, ignoring dashes; kNone if unknown.
StringFormat find_string_format(std::string_view name);
// Returns the number format: "int32", "int64", "float", "double".
StringFormat find_number_format(std::string_view name);

// Returns whether `text` has the format. REQUIRES: a string format.
bool matches_format(StringFormat format, std::string_view text);

}  // namespace tabernetes::schema
