tab_module(base
  SOURCES
    algorithm/sort.cc
    api/api_status.cc
    api/field_error.cc
    api/names.cc
    api/quantity.cc
    crypto/certificate.cc
    crypto/certificate_request.cc
    crypto/der.cc
    crypto/ecdsa.cc
    crypto/hash.cc
    crypto/hmac.cc
    crypto/pem.cc
    crypto/rsa.cc
    crypto/verification_key.cc
    go/duration.cc
    go/text.cc
    go/time.cc
    go/url.cc
    net/headers.cc
    net/ip_address.cc
    numbers/big_natural.cc
    numbers/entropy.cc
    numbers/float_digits.cc
    numbers/parse_float.cc
    regex/pattern.cc
    regex/pattern_classes.cc
    regex/pattern_parser.cc
    text/base64.cc
    text/wildcard.cc
    text/utf8.cc
    time/calendar.cc
    time/cron_schedule.cc
    time/cron_times.cc
    time/http_date.cc
    time/rfc3339.cc
    time/time_zone.cc
  ROOMS
    "text:"  # characters, UTF-8, base64
    "algorithm:"  # sorting, lazy values
    "go: text"  # Go's formats of texts, durations, times, URLs
    "numbers: text"  # decimal digits of floats, entropy
    "api: go text"  # Result, ApiStatus, field errors, quantities, group versions, names
    "time: go text"  # calendars, RFC 3339, time zones, cron schedules
    "regex: algorithm api text"  # Go's regular expressions
    "crypto: text time"  # digests, certificates, keys
    "net: text"  # IP addresses, headers
  DEPS
  LIBRARIES third_party::expected third_party::mbedtls)

find_program(NODE node REQUIRED)
# Generates tables from the time zone database.
set(time_zones "${PROJECT_SOURCE_DIR}/build/third_party/moment_timezone/data/packed/latest.json")
set(time_zone_data "${CMAKE_CURRENT_BINARY_DIR}/base/time_zone_data.cc")
add_custom_command(
  OUTPUT "${time_zone_data}"
  COMMAND "${NODE}" "${PROJECT_SOURCE_DIR}/tools/time_zones/pack.mjs" "${time_zones}" "${time_zone_data}"
  DEPENDS "${PROJECT_SOURCE_DIR}/tools/time_zones/pack.mjs" "${time_zones}"
  COMMENT "Packing the time zones"
  VERBATIM)
target_sources(tab_base PRIVATE "${time_zone_data}")
