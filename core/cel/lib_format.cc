// Named formats. Source: apiserver 1.36 pkg/cel/library/format.go.
#include <algorithm>
#include <cctype>

#include "base/api/names.h"
#include "base/go/text.h"
#include "base/go/url.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

struct FormatRow {
  std::string_view name;   // in expressions
  std::string_view title;  // name of the value
  Faults (*faults)(std::string_view text);
};

// Checks a prefix of a name, in which more may follow after a trailing dash.
template <Faults (*kFaults)(std::string_view)>
Faults prefix_faults(std::string_view text) {
  std::string whole(text);
  if (whole.size() > 1 && whole.back() == '-') whole.back() = 'a';
  return kFaults(whole);
}

Faults uri_faults(std::string_view text) {
  if (is_go_request_uri(text)) return {};
  return {"parse " + go_quote(text) + (text.empty() ? ": empty url" : ": invalid URI for request")};
}

Faults uuid_faults(std::string_view text) {
  constexpr std::size_t kGroups[] = {8, 4, 4, 4, 12};
  std::string_view rest = text;
  bool good = true;
  for (const std::size_t size : kGroups) {
    if (size != 8 && rest.starts_with('-')) rest.remove_prefix(1);
    const std::string_view group = rest.substr(0, size);
    good &= group.size() == size && std::all_of(group.begin(), group.end(), is_hex);
    rest.remove_prefix(group.size());
  }
  return good && rest.empty() ? Faults{} : Faults{"does not match the UUID format"};
}

Faults byte_faults(std::string_view text) {
  const bool good =
      !text.empty() && text.find_first_of("\r\n") == text.npos && base64_decode(text).has_value();
  return good ? Faults{} : Faults{"invalid base64"};
}

Faults date_faults(std::string_view text) {
  const bool good = parse_rfc3339_unix(std::string(text) + "T00:00:00Z").has_value();
  return good ? Faults{} : Faults{"invalid date"};
}

Faults datetime_faults(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c == 't' || c == 'z' ? static_cast<char>(c & ~0x20) : c; });
  return parse_rfc3339_unix(upper) ? Faults{} : Faults{"invalid datetime"};
}

// In the order of Function, from kFormatByte on; kFormatNamed has no row.
constexpr FormatRow kFormats[] = {
    {"byte", "byte", byte_faults},
    {"date", "date", date_faults},
    {"datetime", "datetime", datetime_faults},
    {"dns1035Label", "DNS1035Label", dns1035_label_faults},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", prefix_faults<dns1035_label_faults>},
    {"dns1123Label", "DNS1123Label", dns1123_label_faults},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", prefix_faults<dns1123_label_faults>},
    {"dns1123Subdomain", "DNS1123Subdomain", dns1123_subdomain_faults},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", prefix_faults<dns1123_subdomain_faults>},
    {"labelValue", "LabelValue", label_value_faults},
    {"", "", nullptr},
    {"qualifiedName", "QualifiedName", qualified_name_faults},
    {"uri", "URI", uri_faults},
    {"uuid", "uuid", uuid_faults},
};

Value make_format(const FormatRow& row) { return make_text(Kind::kFormat, row.name); }

const FormatRow* find_format(std::string_view name) {
  for (const FormatRow& row : kFormats) {
    if (row.name == name && row.faults != nullptr) return &row;
  }
  return nullptr;
}

Value validate(const Call& call) {
  const FormatRow* row = find_format(call.text(0));
  const Faults faults = row == nullptr ? Faults{} : row->faults(call.text(1));
  if (faults.empty()) return make_optional(nullptr);
  Value list = make_list(call.arena);
  for (const std::string& fault : faults) list_append(list, call.string(fault), call.arena);
  return make_optional(list, call.arena);
}

}  // namespace

Value call_format(const Call& call) {
  if (call.function == F::kValidate) return call.is("Fs") ? validate(call) : not_mine();
  if (call.function == F::kFormatNamed) {
    if (!call.is("s")) return not_mine();
    const FormatRow* row = find_format(call.text(0));
    return row == nullptr ? make_optional(nullptr) : make_optional(make_format(*row), call.arena);
  }
  if (call.function < F::kFormatByte || call.function > F::kFormatUuid) return not_mine();
  return make_format(kFormats[static_cast<int>(call.function) - static_cast<int>(F::kFormatByte)]);
}

}  // namespace tabernetes::cel
