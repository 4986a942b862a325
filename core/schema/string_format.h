// The formats that schemas of custom resources may ask of strings and numbers.
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/validation/formats.go, kube-openapi
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
  // Of numbers.
  kInt32,
  kInt64,
  kFloat,
  kDouble,
};

// By its name; dashes in names of string formats do not count. kNone: unknown.
StringFormat find_string_format(std::string_view name);
// "int32", "int64", "float", "double" of numbers.
StringFormat find_number_format(std::string_view name);

// Whether `text` is in the format. REQUIRES: a format of strings.
bool matches_format(StringFormat format, std::string_view text);

}  // namespace tabernetes::schema
