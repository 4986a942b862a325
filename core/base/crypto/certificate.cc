// Source of the order and the words: Go 1.26, crypto/x509/parser.go, parseCertificate.
#include "base/crypto/certificate.h"

#include <cstdint>
#include <optional>

#include "base/crypto/der.h"
#include "base/crypto/pem.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "base/time/rfc3339.h"

namespace tabernetes {
namespace {

// Returns true for a sequence of base-128 numbers up to 2^31, each ending in a byte without the
// highest bit.
bool is_oid(std::string_view bytes) {
  std::uint32_t number = 0;
  bool inside = false;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if ((!inside && byte == 0x80) || number >= 1U << 24) return false;
    number = number << 7 | (byte & 0x7f);
    inside = byte >= 0x80;
    if (!inside) number = 0;
  }
  return !bytes.empty() && !inside;
}

bool is_integer(std::string_view bytes) {
  if (bytes.size() < 2) return !bytes.empty();
  const bool sign = (bytes[1] & 0x80) != 0;
  return bytes[0] != (sign ? '\xff' : '\0');
}

bool is_bits(std::string_view bytes) {
  if (bytes.empty() || static_cast<unsigned char>(bytes[0]) > 7) return false;
  const int unused = (1 << bytes[0]) - 1;
  return bytes.size() == 1 ? unused == 0 : (bytes.back() & unused) == 0;
}

bool is_boolean(std::string_view bytes) {
  return bytes.size() == 1 && (bytes[0] == '\0' || bytes[0] == '\xff');
}

bool is_negative(std::string_view integer) { return !integer.empty() && (integer[0] & 0x80) != 0; }
bool is_positive(std::string_view integer) {
  return !is_negative(integer) && integer != std::string_view("\0", 1);
}

// Returns true for "260102030405Z" or, if `generalized`, "20260102030405Z". Only the former may
// omit its seconds.
bool is_time(std::string_view text, bool generalized) {
  if (!text.ends_with('Z')) return false;
  std::string digits = generalized ? "" : "20";
  digits += text.substr(0, text.size() - 1);
  if (!generalized && digits.size() == 12) digits += "00";
  if (digits.size() != 14) return false;
  static constexpr char kBefore[] = "    - - T : : ";
  std::string formatted;
  for (std::size_t i = 0; i < 14; ++i) {
    if (kBefore[i] != ' ') formatted += kBefore[i];
    formatted += digits[i];
  }
  return parse_rfc3339_unix(formatted + "Z").has_value();
}

std::string_view one_of_faults(unsigned char tag, std::string_view text) {
  static constexpr std::string_view kPrintable = " '()+,-./:=?*&";
  bool printable = true, ascii = true, numeric = true;
  for (const char c : text) {
    printable =
        printable && (is_letter_or_digit(c) || kPrintable.find(c) != std::string_view::npos);
    numeric = numeric && (is_digit(c) || c == ' ');
    ascii = ascii && (c & 0x80) == 0;
  }
  switch (tag) {
    case 12:
      return is_valid_utf8(text) ? "" : "invalid UTF-8 string";
    case 18:
      return numeric ? "" : "invalid NumericString";
    case 19:
      return printable ? "" : "invalid PrintableString";
    case 22:
      return ascii ? "" : "invalid IA5String";
    case 30:
      return text.size() % 2 == 0 ? "" : "invalid BMPString";
    default:
      return "";
  }
}

// Reads DER in sequence. After the first fault every read returns empty, so that only the first one
// is reported.
class Reader {
 public:
  std::string fault;

  bool failed() const { return !fault.empty(); }
  void fail(std::string_view what, std::string_view more = {}) {
    if (!failed()) fault.append("x509: ").append(what).append(more);
  }

  std::string_view take(std::string_view& rest, unsigned char tag, std::string_view otherwise,
                        bool (*sound)(std::string_view) = nullptr) {
    const auto contents = failed() ? std::nullopt : der::take(rest, tag);
    if (contents && (sound == nullptr || sound(*contents))) return *contents;
    fail(otherwise);
    return {};
  }
  void skip_optional(std::string_view& rest, unsigned char tag, std::string_view otherwise) {
    if (der::comes(rest, tag)) take(rest, tag, otherwise);
  }

  void version(std::string_view& rest, std::int64_t& version);
  void name(std::string_view& rest);
  void time(std::string_view& rest);
  // Returns the OID and sets `parameters` to everything after it, undecoded.
  std::string_view algorithm(std::string_view sequence, std::string_view& parameters);
  void public_key(std::string_view& rest, Certificate& out);
  void extensions(std::string_view& rest);

 private:
  void rsa_key(std::string_view parameters, std::string_view key);
  void ec_key(std::string_view parameters, std::string_view key);
};

void Reader::version(std::string_view& rest, std::int64_t& version) {
  static constexpr std::string_view kFault = "malformed version";
  if (!der::comes(rest, 0xa0)) return;
  std::string_view wrapped = take(rest, 0xa0, kFault);
  const std::string_view number = take(wrapped, der::kInteger, kFault, &is_integer);
  if (is_negative(number) || number.size() > 8 || !wrapped.empty()) fail(kFault);
  for (const char c : number) version = version << 8 | static_cast<unsigned char>(c);
  if (version > 2) fail("invalid version");
}

void Reader::name(std::string_view& rest) {
  static constexpr std::string_view kFault = "invalid RDNSequence";
  static constexpr std::string_view kAttribute = "invalid RDNSequence: invalid attribute";
  std::string_view sets = take(rest, der::kSequence, "malformed issuer");
  while (!sets.empty() && !failed()) {
    std::string_view set = take(sets, der::kSet, kFault);
    while (!set.empty() && !failed()) {
      std::string_view attribute = take(set, der::kSequence, kAttribute);
      take(attribute, der::kOid, "invalid RDNSequence: invalid attribute type", &is_oid);
      const auto value = der::take_any(attribute);
      static constexpr std::string_view kValue = "invalid RDNSequence: invalid attribute value";
      if (!value) {
        fail(kValue);
        continue;
      }
      static constexpr std::string_view kTags("\x0c\x12\x13\x14\x16\x1e");
      std::string wrong(one_of_faults(value->tag, value->contents));
      if (kTags.find(static_cast<char>(value->tag)) == std::string_view::npos) {
        wrong = "unsupported string type: " + std::to_string(value->tag);
      }
      if (!wrong.empty()) fail(kValue, ": " + wrong);
    }
  }
}

void Reader::time(std::string_view& rest) {
  const bool generalized = der::comes(rest, der::kGeneralizedTime);
  const unsigned char tag = generalized ? der::kGeneralizedTime : der::kUtcTime;
  if (!der::comes(rest, tag)) return fail("unsupported time format");
  const std::string_view otherwise =
      generalized ? "malformed GeneralizedTime" : "malformed UTCTime";
  const std::string_view text = take(rest, tag, otherwise);
  if (!is_time(text, generalized)) fail(otherwise);
}

std::string_view Reader::algorithm(std::string_view sequence, std::string_view& parameters) {
  const std::string_view oid = take(sequence, der::kOid, "malformed OID", &is_oid);
  if (sequence.empty()) return oid;
  const auto next = der::take_any(sequence);
  if (!next) {
    fail("malformed parameters");
  } else {
    parameters = next->whole;
  }
  return oid;
}

void Reader::rsa_key(std::string_view parameters, std::string_view key) {
  if (parameters != std::string_view("\5\0", 2)) fail("RSA key missing NULL parameters");
  std::string_view numbers = take(key, der::kSequence, "invalid RSA public key");
  static constexpr std::string_view kExponent = "invalid RSA public exponent";
  const auto modulus = take(numbers, der::kInteger, "invalid RSA modulus", &is_integer);
  const auto exponent = take(numbers, der::kInteger, kExponent, &is_integer);
  if (exponent.size() > 8) fail(kExponent);
  if (!is_positive(modulus)) fail("RSA modulus is not a positive number");
  if (!is_positive(exponent)) fail("RSA public exponent is not a positive number");
}

void Reader::ec_key(std::string_view parameters, std::string_view key) {
  static constexpr std::string_view kNist = "\x2b\x81\x04";  // P-224, P-384 and P-521
  static constexpr std::string_view kP256 = "\x2a\x86\x48\xce\x3d\x03\x01\x07";
  const auto curve = take(parameters, der::kOid, "invalid ECDSA parameters", &is_oid);
  const bool known = curve == kP256 || (curve.size() == 5 && curve.starts_with(kNist) &&
                                        curve[3] == 0 && curve[4] >= 33 && curve[4] <= 35);
  if (!known) fail("unsupported elliptic curve");
  if (!key.starts_with('\4') && !failed()) fault = "ecdsa: invalid uncompressed public key";
}

void Reader::public_key(std::string_view& rest, Certificate& out) {
  static constexpr std::string_view kAlgorithm = "malformed public key algorithm identifier";
  std::string_view info = take(rest, der::kSequence, "malformed spki");
  std::string_view parameters;
  out.algorithm = algorithm(take(info, der::kSequence, kAlgorithm), parameters);
  out.public_key = take(info, der::kBits, "malformed subjectPublicKey", &is_bits);
  if (failed()) return;
  out.public_key.remove_prefix(1);
  if (out.algorithm == Certificate::kRsa) rsa_key(parameters, out.public_key);
  if (out.algorithm == Certificate::kEc) ec_key(parameters, out.public_key);
}

void Reader::extensions(std::string_view& rest) {
  static constexpr std::string_view kFault = "malformed extensions";
  if (!der::comes(rest, 0xa3)) return;
  std::string_view wrapped = take(rest, 0xa3, kFault);
  std::string_view all = take(wrapped, der::kSequence, kFault);
  while (!all.empty() && !failed()) {
    std::string_view each = take(all, der::kSequence, "malformed extension");
    take(each, der::kOid, "malformed extension OID field", &is_oid);
    if (der::comes(each, der::kBoolean)) {
      take(each, der::kBoolean, "malformed extension critical field", &is_boolean);
    }
    take(each, der::kOctets, "malformed extension value field");
  }
}

}  // namespace

Certificate read_certificate(std::string_view der) {
  Certificate certificate;
  Reader read;
  std::string_view outer = read.take(der, der::kSequence, "malformed certificate");
  std::string_view inner = read.take(outer, der::kSequence, "malformed tbs certificate");
  std::int64_t version = 0;
  read.version(inner, version);
  const auto serial = read.take(inner, der::kInteger, "malformed serial number", &is_integer);
  if (is_negative(serial)) read.fail("negative serial number");
  const auto algorithm =
      read.take(inner, der::kSequence, "malformed signature algorithm identifier");
  if (read.take(outer, der::kSequence, "malformed algorithm identifier") != algorithm) {
    read.fail("inner and outer signature algorithm identifiers don't match");
  }
  std::string_view parameters;
  read.algorithm(algorithm, parameters);
  read.name(inner);
  std::string_view validity = read.take(inner, der::kSequence, "malformed validity");
  read.time(validity);
  read.time(validity);
  read.name(inner);
  read.public_key(inner, certificate);
  if (version > 0) {
    read.skip_optional(inner, 0x81, "malformed issuerUniqueID");
    read.skip_optional(inner, 0x82, "malformed subjectUniqueID");
  }
  if (version == 2) read.extensions(inner);
  read.take(outer, der::kBits, "malformed signature", &is_bits);
  if (!der.empty()) read.fail("trailing data");
  certificate.fault = read.fault;
  return certificate;
}

std::string root_certificates_fault(std::string_view pem) {
  std::string first;
  while (!pem.empty()) {
    const std::optional<PemBlock> block = take_pem_block(pem);
    std::string fault;
    if (!block) {
      fault = "unable to parse bytes as PEM block";
    } else if (block->type == "CERTIFICATE" && !block->has_headers) {
      fault = read_certificate(block->bytes).fault;
      if (fault.empty()) return {};
      fault = "failed to parse certificate: " + fault;
    }
    if (first.empty()) first = fault;
    if (!block) break;
  }
  if (first.empty()) first = "no valid certificate authority data seen";
  return "unable to load root certificates: " + first;
}

}  // namespace tabernetes
