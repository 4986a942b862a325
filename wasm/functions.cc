// The functions of the core that need no cluster. The other side is
// wasm/src/{versions,selector,encoding,patch}.ts, and the command line.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "border.h"
#include "tabernetes/admission_plugins.h"
#include "tabernetes/cors.h"
#include "tabernetes/encoding.h"
#include "tabernetes/identity.h"
#include "tabernetes/patch.h"
#include "tabernetes/resource_version.h"
#include "tabernetes/selector.h"

namespace tabernetes::wasm {
namespace {

// How a record of a selector begins: its kind and its text.
struct SelectorText {
  explicit SelectorText(RecordReader& record)
      : kind(record.word() == 0 ? SelectorKind::kLabels : SelectorKind::kFields),
        text(record.view()) {}

  SelectorKind kind;
  std::string_view text;
};

const std::uint32_t* give_match(const SelectorMatch& match) {
  static std::string error;
  error = match.error;
  output.start();
  output.text(error);
  output.word(match.matches ? 1 : 0);
  return output.words();
}

void give_manager(const FieldManager& manager) {
  output.text(manager.manager);
  output.text(manager.operation);
  output.text(manager.api_version);
  output.text(manager.subresource);
  output.text(manager.time);
}

// Record: whether unknown fields are refused, media type, what to convert. Gives no error, the
// Status as JSON or nothing, the bytes.
const std::uint32_t* give_conversion(Conversion (*convert)(std::string_view, std::string_view,
                                                           UnknownFields)) {
  static Conversion given;
  RecordReader record(input);
  const bool strict = record.word() != 0;
  const std::string_view media_type = record.view();
  given =
      convert(record.view(), media_type, strict ? UnknownFields::kRefuse : UnknownFields::kDrop);
  output.start();
  output.text({});
  output.text(given.failure);
  output.text(given.bytes);
  return output.words();
}

}  // namespace

TAB_EXPORT char* tab_input(std::size_t size) {
  input.resize(size);
  return input.data();
}

// Record: two versions. Gives the error, and 0, 1 or 2: the first is older, the same, newer.
TAB_EXPORT const std::uint32_t* tab_compare_resource_versions() {
  static VersionOrder compared;
  RecordReader record(input);
  const std::string_view first = record.view();
  compared = compare_resource_versions(first, record.view());
  output.start();
  output.text(compared.error);
  output.word(compared.order < 0 ? 0 : compared.order == 0 ? 1 : 2);
  return output.words();
}

// Record: kind (0 labels, 1 fields), selector. Gives the error, the canonical text, the terms: key,
// operator, values.
TAB_EXPORT const std::uint32_t* tab_parse_selector() {
  static ParsedSelector parsed;
  RecordReader record(input);
  const SelectorText selector(record);
  parsed = parse_selector(selector.kind, selector.text);
  output.start();
  output.text(parsed.error);
  output.text(parsed.canonical);
  output.word(parsed.terms.size());
  for (const SelectorTerm& term : parsed.terms) {
    output.text(term.key);
    output.text(term.op);
    output.word(term.values.size());
    for (const std::string& value : term.values) output.text(value);
  }
  return output.words();
}

// Record: kind, selector, pairs of name and value. Gives the error and whether they match.
TAB_EXPORT const std::uint32_t* tab_match_values() {
  RecordReader record(input);
  const SelectorText selector(record);
  std::vector<std::pair<std::string_view, std::string_view>> values(record.word());
  for (auto& [name, value] : values) {
    name = record.view();
    value = record.view();
  }
  return give_match(match_values(selector.kind, selector.text, values));
}

// Record: field selector, an object as JSON. Gives the error and whether it matches.
TAB_EXPORT const std::uint32_t* tab_match_fields_of() {
  RecordReader record(input);
  const std::string_view selector = record.view();
  return give_match(match_fields_of(selector, record.view()));
}

TAB_EXPORT const std::uint32_t* tab_encode() { return give_conversion(&encode); }

TAB_EXPORT const std::uint32_t* tab_decode() { return give_conversion(&decode); }

// Record: an object, a patch, its media type, manager, subresource, whether unknown
// fields are refused. Gives no error, the Status or nothing, the object, the warnings.
TAB_EXPORT const std::uint32_t* tab_apply_patch(double now) {
  static Patched given;
  RecordReader record(input);
  const std::string_view object = record.view();
  const std::string_view patch = record.view();
  PatchOptions options{.media_type = record.view()};
  options.manager = record.view();
  options.subresource = record.view();
  options.now = Time::from_unix_milliseconds(static_cast<std::int64_t>(now));
  if (record.word() != 0) options.unknown = UnknownFields::kRefuse;
  given = apply_patch(object, patch, options);
  output.start();
  output.text({});
  output.text(given.failure);
  output.text(given.object);
  output.word(given.warnings.size());
  for (const std::string& warning : given.warnings) output.text(warning);
  return output.words();
}

// Record: a live object or nothing, what is applied, manager, subresource, whether it is forced.
// Gives no error, the Status or nothing, the object, whether it changed, the conflicts: their
// managers, messages and fields.
TAB_EXPORT const std::uint32_t* tab_server_side_apply(double now) {
  static Applied given;
  RecordReader record(input);
  const std::string_view live = record.view();
  const std::string_view config = record.view();
  ApplyOptions options{.manager = record.view()};
  options.subresource = record.view();
  options.force = record.word() != 0;
  options.now = Time::from_unix_milliseconds(static_cast<std::int64_t>(now));
  given = server_side_apply(live, config, options);
  output.start();
  output.text({});
  output.text(given.failure);
  output.text(given.object);
  output.word(given.changed ? 1 : 0);
  output.word(given.conflicts.size());
  for (const ApplyConflict& conflict : given.conflicts) {
    give_manager(conflict.manager);
    output.text(conflict.message);
    output.word(conflict.fields.size());
    for (const std::string& field : conflict.fields) output.text(field);
  }
  return output.words();
}

// Record: an object. Gives no error, the Status or nothing, the fields: path, pointer, managers.
TAB_EXPORT const std::uint32_t* tab_field_owners() {
  static FieldOwners given;
  RecordReader record(input);
  given = field_owners(record.view());
  output.start();
  output.text({});
  output.text(given.failure);
  output.word(given.fields.size());
  for (const OwnedField& field : given.fields) {
    output.text(field.path);
    output.text(field.pointer);
    output.word(field.managers.size());
    for (const FieldManager& manager : field.managers) give_manager(manager);
  }
  return output.words();
}

// Record: which option (0 the name of an admission plugin, 1 a token file, 2 a signing key), its
// text. Gives the error.
TAB_EXPORT const std::uint32_t* tab_check_option() {
  RecordReader record(input);
  const std::uint32_t option = record.word();
  const std::string_view text = record.view();
  std::string error;
  if (option == 0 && !is_admission_plugin(text)) {
    error = "unknown admission plugin " + std::string(text);
  } else if (option == 1) {
    error = token_file_fault(text);
  } else if (option == 2 && !is_signing_key(text)) {
    error = "no RSA private key in PEM";
  }
  output.start();
  output.text(error);
  return output.words();
}

// Record: an item of --cors-allowed-origins. Gives the error.
TAB_EXPORT const std::uint32_t* tab_check_cors_origin() {
  static std::string error;
  RecordReader record(input);
  error = check_cors_origin(record.view());
  output.start();
  output.text(error);
  return output.words();
}

// Record: an origin, the number of items of --cors-allowed-origins, each item. Gives no error, and
// whether one matches.
TAB_EXPORT const std::uint32_t* tab_cors_allows() {
  RecordReader record(input);
  const std::string_view origin = record.view();
  std::vector<std::string> origins(record.word());
  for (std::string& item : origins) item = record.text();
  output.start();
  output.text({});
  output.word(cors_allows(origins, origin) ? 1 : 0);
  return output.words();
}

}  // namespace tabernetes::wasm
