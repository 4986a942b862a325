#include "server/list/continue_token.h"

#include "base/text/ascii.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/type_name.h"
#include "schema/decode_scalar.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kTokenVersion = "meta.k8s.io/v1";
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode_base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out += kAlphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) out += kAlphabet[bits << (6 - count) & 63];
  return out;
}

struct Decoded {
  std::string bytes;
  std::size_t error_at = std::string::npos;
};

// Decodes like Go's RawURLEncoding: line breaks are ignored; an invalid character or a single
// leftover digit is an error.
Decoded decode_base64url(std::string_view text) {
  Decoded decoded;
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' || text[i] == '\n') continue;
    const std::size_t digit = kAlphabet.find(text[i]);
    if (digit == std::string_view::npos) {
      decoded.error_at = i;
      return decoded;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (const std::size_t place = digits++ % 4; place > 0) {
      decoded.bytes += static_cast<char>(bits >> (6 - 2 * place) & 255);
    }
  }
  if (digits % 4 == 1) decoded.error_at = text.size() - 1;
  return decoded;
}

// The Go struct that a token is decoded into.
struct Fields {
  std::string_view version, start;
  std::int64_t revision = 0;
  std::string error;  // for the first member of a wrong type; the others are still read
};

void mismatch(Fields& fields, std::string_view found, std::string_view where) {
  if (!fields.error.empty()) return;
  fields.error = "json: cannot unmarshal " + std::string(found) + " into Go " + std::string(where);
}

void read_string(const json::Value& value, std::string_view name, std::string_view& out,
                 Fields& fields) {
  if (value.is_string()) {
    out = value.as_string();
  } else if (!value.is_null()) {
    mismatch(fields, json::go_type_name(value),
             "struct field continueToken." + std::string(name) + " of type string");
  }
}

// Reads members like encoding/json: names ignore case, the last duplicate counts, null means unset.
Fields read_fields(const json::Value& token) {
  Fields fields;
  if (token.is_null()) return fields;
  if (!token.is_object()) {
    mismatch(fields, json::go_type_name(token), "value of type storage.continueToken");
    return fields;
  }
  for (const json::Member& member : token.members()) {
    if (equals_ignoring_case(member.key, "v"))
      read_string(member.value, "v", fields.version, fields);
    if (equals_ignoring_case(member.key, "start"))
      read_string(member.value, "start", fields.start, fields);
    if (!equals_ignoring_case(member.key, "rv") || member.value.is_null()) continue;
    if (member.value.is_int()) {
      fields.revision = member.value.as_int();
    } else {
      mismatch(fields, schema::json_kind_with_number(member.value),
               "struct field continueToken.rv of type int64");
    }
  }
  return fields;
}

Failure invalid(std::string_view detail) {
  return errors::bad_request("invalid continue token: continue key is not valid: " +
                             std::string(detail));
}

// Returns whether the path stays below the prefix of the list.
bool is_clean(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
    if (path.empty()) return false;
  }
  return true;
}

}  // namespace

std::string encode_continue(const ContinueToken& token, TokenForm form) {
  std::string json = R"({"v":"meta.k8s.io/v1","rv":)" + std::to_string(token.revision);
  json += ",\"start\":";
  codec::write_json_string((form == TokenForm::kRooted ? "/" : "") + token.start, json);
  json += '}';
  return encode_base64url(json);
}

Result<ContinueToken> decode_continue(std::string_view text) {
  const Decoded decoded = decode_base64url(text);
  if (decoded.error_at != std::string::npos) {
    return invalid("illegal base64 data at input byte " + std::to_string(decoded.error_at));
  }
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(decoded.bytes, arena);
  if (!read.ok()) return invalid(read.error);
  const Fields fields = read_fields(read.value);
  if (!fields.error.empty()) return invalid(fields.error);
  if (fields.version != kTokenVersion) {
    return invalid("server does not recognize this encoded version " + std::string(fields.version));
  }
  if (fields.revision == 0) {
    return invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (fields.start.empty()) {
    return invalid("encoded start key empty (version meta.k8s.io/v1)");
  }
  std::string_view start = fields.start;
  if (start.front() == '/') start.remove_prefix(1);  // as the real server's cache writes it
  if (!is_clean(start)) return invalid(fields.start);
  return ContinueToken{fields.revision, std::string(start)};
}

}  // namespace tabernetes::server
