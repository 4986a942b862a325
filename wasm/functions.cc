// Binds the core's functions that need no cluster. The `fault` (a text) or `failure` (a Status as
// JSON) that they return is empty for success; for a fault, the members of a value are missing. The
// other side is wasm/src/{versions,selector,encoding,patch,option-faults}.ts and the command line.
#include <emscripten/bind.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access_options.h"
#include "input.h"
#include "output.h"
#include "tabernetes/check.h"
#include "tabernetes/http.h"
#include "tabernetes/options.h"
#include "tabernetes/standalone.h"
#include "values.h"

namespace tabernetes::wasm {
namespace {

using emscripten::val;

SelectorKind selector_kind(bool fields) {
  return fields ? SelectorKind::kFields : SelectorKind::kLabels;
}

UnknownFields unknown_fields(bool strict) {
  return strict ? UnknownFields::kRefuse : UnknownFields::kDrop;
}

Time time_of(const val& options) {
  return Time::from_unix_milliseconds(static_cast<std::int64_t>(options["now"].as<double>()));
}

// Return an object with the fault alone.
val fault_only(const Fault& fault) { return object_of({{"fault", val(fault.message)}}); }
val failure_only(const Fault& fault) { return object_of({{"failure", val(fault.status)}}); }

val match_result(const Expected<bool>& match) {
  if (!match) return fault_only(match.fault());
  return object_of({{"fault", val("")}, {"matches", val(*match)}});
}

val manager_of(const FieldManager& manager) {
  val given = object_of({{"manager", val(manager.manager)},
                         {"operation", val(manager.operation)},
                         {"apiVersion", val(manager.api_version)}});
  if (!manager.subresource.empty()) given.set("subresource", manager.subresource);
  if (!manager.time.empty()) given.set("time", manager.time);
  return given;
}

val conflict_of(const ApplyConflict& conflict) {
  return object_of({{"manager", manager_of(conflict.manager)},
                    {"fields", array_of(conflict.fields)},
                    {"message", val(conflict.message)}});
}

val owned_field_of(const OwnedField& field) {
  val given = object_of({{"path", val(field.path)}});
  if (!field.pointer.empty()) given.set("pointer", field.pointer);
  given.set("managers", array_of(field.managers, manager_of));
  return given;
}

val term_of(const SelectorTerm& term) {
  return object_of({{"key", val(term.key)},
                    {"operator", val(std::string(term.op))},
                    {"values", array_of(term.values)}});
}

// `order` is negative if the first version is older, 0 if they are equal, positive if it is newer.
val compare_versions(const std::string& first, const std::string& second) {
  const auto compared = compare_resource_versions(first, second);
  if (!compared) return fault_only(compared.fault());
  const int order = *compared < 0 ? -1 : *compared > 0 ? 1 : 0;
  return object_of({{"fault", val("")}, {"order", val(order)}});
}

val parse(bool fields, const std::string& text) {
  const auto parsed = parse_selector(selector_kind(fields), text);
  if (!parsed) return fault_only(parsed.fault());
  return object_of({{"fault", val("")},
                    {"canonical", val(parsed->canonical)},
                    {"terms", array_of(parsed->terms, term_of)}});
}

// `pairs`: alternating names and values.
val match_pairs(bool fields, const std::string& selector, const val& pairs) {
  const std::vector<std::string> texts = texts_of(pairs);
  std::vector<std::pair<std::string_view, std::string_view>> values;
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) values.emplace_back(texts[i], texts[i + 1]);
  return match_result(match_values(selector_kind(fields), selector, values));
}

// Input: an object as JSON.
val match_object(const std::string& field_selector, unsigned size) {
  return match_result(match_fields_of(field_selector, InputReader().take(size)));
}

using Convert = Expected<std::string>(std::string_view, std::string_view, UnknownFields);

// Input: the bytes to convert. Output: the converted bytes. Returns the failure.
template <Convert* kConvert>
std::string convert(unsigned size, const std::string& media_type, bool strict) {
  auto made = kConvert(InputReader().take(size), media_type, unknown_fields(strict));
  give_output(made ? *std::move(made) : std::string());
  return made ? std::string() : made.fault().status;
}

// Input: an object, then a patch. Options: contentType, manager, subresource, strict, now. Output:
// the patched object.
val patch(unsigned object_size, unsigned patch_size, const val& options) {
  InputReader input;
  const std::string_view object = input.take(object_size);
  const std::string_view text = input.take(patch_size);
  const auto media_type = options["contentType"].as<std::string>();
  const auto manager = options["manager"].as<std::string>();
  const auto subresource = options["subresource"].as<std::string>();
  auto made = apply_patch(object, text,
                          {.media_type = media_type,
                           .manager = manager,
                           .subresource = subresource,
                           .now = time_of(options),
                           .unknown = unknown_fields(options["strict"].as<bool>())});
  give_output(made ? std::move(made->object) : std::string());
  if (!made) return failure_only(made.fault());
  return object_of({{"failure", val("")}, {"warnings", array_of(made->warnings)}});
}

// Input: the live object (empty if none), then the applied configuration. Options: manager,
// subresource, force, now. Output: the resulting object.
val apply(unsigned live_size, unsigned config_size, const val& options) {
  InputReader input;
  const std::string_view live = input.take(live_size);
  const std::string_view config = input.take(config_size);
  const auto manager = options["manager"].as<std::string>();
  const auto subresource = options["subresource"].as<std::string>();
  auto made = server_side_apply(live, config,
                                {.manager = manager,
                                 .force = options["force"].as<bool>(),
                                 .subresource = subresource,
                                 .now = time_of(options)});
  give_output(made ? std::move(made->object) : std::string());
  if (!made) {
    val given = failure_only(made.fault());
    given.set("conflicts", array_of(made.fault().conflicts, conflict_of));
    return given;
  }
  return object_of({{"failure", val("")}, {"changed", val(made->changed)}});
}

// Input: an object.
val owners_of(unsigned size) {
  const auto made = field_owners(InputReader().take(size));
  if (!made) return failure_only(made.fault());
  return object_of({{"failure", val("")}, {"fields", array_of(*made, owned_field_of)}});
}

// Returns the error of an option's text, or an empty string.
std::string option_fault(const std::string& option, const std::string& text) {
  if (option == "controllers") return fault_text(parse_controllers(text));
  if (option.starts_with("featureGate")) {
    const auto gates = parse_feature_gates(text);
    if (!gates || option != "featureGates") return fault_text(gates);
    return fault_text(check_feature_gates(*gates));
  }
  if (option == "admissionPlugin") return fault_text(check_admission_plugin(text));
  if (option == "authorizationMode") return fault_text(parse_authorization_modes(text));
  if (option == "authorizationPolicy") return fault_text(check_authorization_policy(text));
  if (option == "serviceAccountKey") return fault_text(check_signing_key(text));
  if (option == "containers") return fault_text(check_containers(text));
  if (option == "faults") return fault_text(check_faults(text));
  if (option == "behaviour") return fault_text(check_behaviour(text));
  if (option == "corsOrigin") return fault_text(check_cors_origin(text));
  return fault_text(check_token_file(text));
}

// Returns true if one of `patterns` (items of --cors-allowed-origins) matches `origin`.
bool cors_match(const val& patterns, const std::string& origin) {
  return cors_allows(texts_of(patterns), origin);
}

val manifest_fault_of(const ManifestFault& fault) {
  return object_of({{"line", val(line_of(fault))}, {"warning", val(fault.warning)}});
}

// `files`: alternating names and texts. `now`: milliseconds since 1970.
val manifests_check(const val& files, double now) {
  std::vector<std::string> texts = texts_of(files);
  std::vector<ManifestFile> given;
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) {
    given.push_back({std::move(texts[i]), std::move(texts[i + 1])});
  }
  const ManifestCheck check =
      check_manifests(given, Time::from_unix_milliseconds(static_cast<std::int64_t>(now)));
  return object_of({{"faults", array_of(check.faults, manifest_fault_of)},
                    {"objects", val(static_cast<unsigned>(check.objects))}});
}

val summary_of(const std::string& method, const std::string& target,
               const std::string& content_type) {
  const RequestSummary summary = summarize_request(method, target, content_type);
  return object_of({{"verb", val(summary.verb)}, {"resource", val(summary.resource)}});
}

}  // namespace

EMSCRIPTEN_BINDINGS(tabernetes_functions) {
  emscripten::function("compareResourceVersions", &compare_versions);
  emscripten::function("parseSelector", &parse);
  emscripten::function("matchValues", &match_pairs);
  emscripten::function("matchFieldsOf", &match_object);
  emscripten::function("encode", &convert<&encode>);
  emscripten::function("decode", &convert<&decode>);
  emscripten::function("applyPatch", &patch);
  emscripten::function("serverSideApply", &apply);
  emscripten::function("fieldOwners", &owners_of);
  emscripten::function("optionFault", &option_fault);
  emscripten::function("accessFault", &access_fault);
  emscripten::function("missingFiles", &missing_files_of);
  emscripten::function("corsAllows", &cors_match);
  emscripten::function("summarizeRequest", &summary_of);
  emscripten::function("checkManifests", &manifests_check);
}

}  // namespace tabernetes::wasm
