// Semantic versions, represented by their texts. Source: apiserver 1.36
// pkg/cel/library/semverlib.go; github.com/blang/semver/v4.
#include <algorithm>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "cel/evaluator.h"
#include "cel/semver.h"

namespace tabernetes::cel {
namespace {

using F = Function;

bool only(std::string_view text, bool letters) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return is_digit(c) || (letters && (is_letter(c) || c == '-'));
  });
}

std::string read_number(std::string_view text, std::string_view name, std::uint64_t& number) {
  std::string title(name);
  if (!only(text, false)) {
    return "Invalid character(s) found in " + title + " number " + go_quote(text);
  }
  if (text.size() > 1 && text[0] == '0') {
    title[0] = static_cast<char>(title[0] & ~0x20);
    return title + " number must not contain leading zeroes " + go_quote(text);
  }
  const GoParsedUint read = go_parse_uint(text);
  number = read.value;
  return read.error;
}

std::string check_before(std::string_view rest) {
  for (bool more = true; more;) {
    more = rest.find('.') != rest.npos;
    const std::string_view part = take_part(rest, '.');
    if (part.empty()) return "Prerelease is empty";
    if (only(part, false) && part.size() > 1 && part[0] == '0') {
      return "Numeric PreRelease version must not contain leading zeroes " + go_quote(part);
    }
    if (!only(part, true)) return "Invalid character(s) found in prerelease " + go_quote(part);
  }
  return {};
}

std::string check_build(std::string_view rest) {
  for (bool more = true; more;) {
    more = rest.find('.') != rest.npos;
    const std::string_view part = take_part(rest, '.');
    if (part.empty()) return "Build meta data is empty";
    if (!only(part, true)) return "Invalid character(s) found in build meta data " + go_quote(part);
  }
  return {};
}

int order(std::uint64_t a, std::uint64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

int compare_part(std::string_view a, std::string_view b) {
  const bool a_number = only(a, false);
  const bool b_number = only(b, false);
  if (a_number != b_number) return a_number ? -1 : 1;
  if (a_number && a.size() != b.size()) return order(a.size(), b.size());
  const int result = a.compare(b);
  return result < 0 ? -1 : result > 0 ? 1 : 0;
}

int compare_before(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.empty() == b.empty() ? 0 : a.empty() ? 1 : -1;
  while (!a.empty() && !b.empty()) {
    const int result = compare_part(take_part(a, '.'), take_part(b, '.'));
    if (result != 0) return result;
  }
  return order(a.size(), b.size());
}

// Removes a "v" and leading zeros and pads to three numbers; returns false if that is impossible.
bool normalise(std::string_view text, std::string& out) {
  if (text.starts_with('v')) text.remove_prefix(1);
  int parts = 0;
  std::string_view last;
  for (bool more = true; more; ++parts) {
    more = parts < 2 && text.find('.') != text.npos;
    last = more ? take_part(text, '.') : text;
    std::string part(last);
    if (part.size() > 1) {
      part.erase(0, std::min(part.find_first_not_of('0'), part.size()));
      if (part.empty() || !is_digit(part[0])) part.insert(0, 1, '0');
    }
    out += (parts > 0 ? "." : "") + part;
  }
  if (parts < 3 && last.find_first_of("+-") != last.npos) return false;
  for (; parts < 3; ++parts) out += ".0";
  return true;
}

Value read(const Call& call) {
  const bool normal = call.count == 2 && call.args[1].boolean;
  std::string text(call.text(0));
  std::string error;
  if (normal) {
    text.clear();
    if (!normalise(call.text(0), text)) {
      error = "short version cannot contain PreRelease/Build meta data";
    }
  }
  Semver version;
  if (error.empty()) error = parse_semver(text, version);
  if (call.function == F::kIsSemver) return make_bool(error.empty());
  if (!error.empty()) return call.error(error);
  return make_text(Kind::kSemver, call.arena.copy(text));
}

}  // namespace

std::string parse_semver(std::string_view text, Semver& version) {
  if (text.empty()) return "Version string empty";
  if (std::count(text.begin(), text.end(), '.') < 2) return "No Major.Minor.Patch elements found";
  std::string error = read_number(take_part(text, '.'), "major", version.numbers[0]);
  if (error.empty()) error = read_number(take_part(text, '.'), "minor", version.numbers[1]);
  if (!error.empty()) return error;
  const std::size_t plus = text.find('+');
  const bool has_build = plus != text.npos;
  if (has_build) version.build = text.substr(plus + 1);
  text = text.substr(0, plus);
  const std::size_t dash = text.find('-');
  const bool has_before = dash != text.npos;
  if (has_before) version.before = text.substr(dash + 1);
  error = read_number(text.substr(0, dash), "patch", version.numbers[2]);
  if (error.empty() && has_before) error = check_before(version.before);
  if (error.empty() && has_build) error = check_build(version.build);
  return error;
}

int compare_semver(std::string_view a, std::string_view b) {
  Semver left, right;
  parse_semver(a, left);
  parse_semver(b, right);
  for (int i = 0; i < 3; ++i) {
    if (left.numbers[i] != right.numbers[i]) return order(left.numbers[i], right.numbers[i]);
  }
  return compare_before(left.before, right.before);
}

Value call_semver(const Call& call) {
  if (call.function == F::kSemver || call.function == F::kIsSemver) {
    return call.is("s") || call.is("sb") ? read(call) : not_mine();
  }
  if (call.is("S")) {
    Semver version;
    parse_semver(call.text(0), version);
    const int part = call.function == F::kMajor   ? 0
                     : call.function == F::kMinor ? 1
                     : call.function == F::kPatch ? 2
                                                  : -1;
    return part < 0 ? not_mine() : make_int(static_cast<std::int64_t>(version.numbers[part]));
  }
  if (!call.is("SS")) return not_mine();
  const int result = compare_semver(call.text(0), call.text(1));
  switch (call.function) {
    case F::kCompareTo:
      return make_int(result);
    case F::kIsGreaterThan:
      return make_bool(result > 0);
    case F::kIsLessThan:
      return make_bool(result < 0);
    default:
      return not_mine();
  }
}

}  // namespace tabernetes::cel
