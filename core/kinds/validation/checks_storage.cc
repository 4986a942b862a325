// Checks of volumes and claims, their classes and drivers. Source: upstream 1.36
// pkg/apis/core/validation, storage/validation.

#include <algorithm>
#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "json/equality.h"
#include "kinds/validation/checks.h"
#include "kinds/validation/line_diff.h"
#include "kinds/validation/resource_names.h"
#include "kinds/validation/shared_rules.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::validation {
namespace {

using json::Value;

constexpr std::string_view kBadFormat = "must be valid format";
constexpr std::size_t kMaxParameterBytes = 256 * 1024;

Field child(const Place& place, std::string_view name) { return place.now[name]; }

// --- Specs

// Checks accessModes of a volume or claim; errors are reported at the list.
void access_modes(const Place& place) {
  constexpr std::string_view kModes = "ReadOnlyMany,ReadWriteMany,ReadWriteOnce,ReadWriteOncePod";
  const Field list = child(place, "accessModes");
  bool one_pod = false;
  bool others = false;
  for (const Field mode : list.items()) {
    if (!listed(kModes, mode.text())) {
      place.now.as("accessModes", mode).not_supported(kModes);
    } else {
      (mode.is("ReadWriteOncePod") ? one_pod : others) = true;
    }
  }
  if (one_pod && others) list.forbidden("may not use ReadWriteOncePod with other access modes");
}

void quantity(const Place& place) {
  const Quantity amount = quantity_of(place.now);
  if (amount.value() < 0) {
    place.now.invalid_printed(std::to_string(amount.value()), "must be a valid resource quantity");
  }
}

void capacity(const Place& place) {
  const Field& map = place.now;
  if (map.empty()) map.required();
  if (!map.has("storage") || map.size() > 1) {
    map.errors().push_back(field::not_supported(
        map.path(), map.present() ? map.printed() : std::string("null"), {"storage"}));
  }
  for (const Field amount : map.items()) {
    quantity({amount, nullptr, place.write, place.root});
    check_above_zero({amount, nullptr, place.write, place.root});
  }
}

struct Source {
  std::string_view field;
  const Rules& rules;
  std::string_view shown = {};   // name in paths inside the source
  std::string_view second = {};  // name in paths if another source precedes it
};

// In upstream's order, with its names.
constexpr Source kSources[] = {
    {"hostPath", kHostPathRules},
    {"gcePersistentDisk", kGcePersistentDiskRules, "persistentDisk"},
    {"awsElasticBlockStore", kAwsElasticBlockStoreRules},
    {"glusterfs", kGlusterfsRules},
    {"flocker", kFlockerRules},
    {"nfs", kNfsRules},
    {"rbd", kRbdRules},
    {"quobyte", kQuobyteRules},
    {"cephfs", kCephfsRules, {}, "cephFS"},
    {"iscsi", kIscsiRules},
    {"cinder", kCinderRules},
    {"fc", kFcRules},
    {"flexVolume", kFlexVolumeRules},
    {"azureFile", kAzureFileRules},
    {"vsphereVolume", kVsphereVolumeRules},
    {"photonPersistentDisk", kPhotonPersistentDiskRules},
    {"portworxVolume", kPortworxVolumeRules},
    {"azureDisk", kAzureDiskRules},
    {"scaleIO", kScaleIORules},
    {"local", kLocalRules},
    {"storageos", kStorageosRules},
    {"csi", kCsiRules},
};

// Checks that the spec has exactly one source, and that source.
void volume_source(const Place& place) {
  const Field& spec = place.now;
  bool any = false;
  for (const Source& source : kSources) {
    const Field field = spec[source.field];
    if (!field.present()) continue;
    if (any && source.field != "flexVolume") {
      spec.as(source.second.empty() ? source.field : source.second, field)
          .forbidden("may not specify more than 1 volume type");
      continue;
    }
    any = true;
    const Field shown = spec.as(source.shown.empty() ? source.field : source.shown, field);
    source.rules.check({shown, nullptr, place.write, place.root});
    if (source.field == "local" && !spec.has("nodeAffinity")) {
      child(place, "nodeAffinity").required("Local volume requires node affinity");
    }
  }
  if (!any) spec.required("must specify a volume type");
  if (spec.text_at("persistentVolumeReclaimPolicy") != "Recycle") return;
  const Field host = child(place, "hostPath");
  if (host.present() && host.text_at("path") == "/") {
    child(place, "persistentVolumeReclaimPolicy")
        .forbidden("may not be 'recycle' for a hostPath mount of '/'");
  }
}

// --- Sources

void no_backsteps(const Place& place) {
  const std::string text = "/" + std::string(place.now.text()) + "/";
  if (text.find("/../") != std::string::npos) place.now.invalid("must not contain '..'");
}

void no_slash(const Place& place) {
  if (place.now.text().find('/') != std::string_view::npos)
    place.now.invalid("must not contain '/'");
}

// Checks host:port as Go's net.SplitHostPort does.
bool is_host_and_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (port.find_first_of("[]") != std::string_view::npos) return false;
  if (!host.starts_with('[')) return host.find_first_of(":[]") == std::string_view::npos;
  return host.find(']') + 1 == host.size() && host.find('[', 1) == std::string_view::npos;
}

void quobyte(const Place& place) {
  if (place.now.text_at("tenant").size() >= 65) {
    child(place, "tenant").required("must be a UUID and may not exceed a length of 64 characters");
    return;
  }
  for (const std::string_view pair : split(place.now.text_at("registry"), ',')) {
    if (is_host_and_port(pair)) continue;
    child(place, "registry")
        .invalid("must be a host:port pair or multiple pairs separated by commas");
  }
}

// Checks iqn.yyyy-mm.reversed.domain[:anything]; upstream: iscsiInitiatorIqnRegex.
bool is_iqn(std::string_view text) {
  constexpr std::string_view kShape = "iqn.0000-00.";
  if (text.size() <= kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool fits = kShape[i] == '0' ? is_digit(text[i]) : text[i] == kShape[i];
    if (!fits) return false;
  }
  const std::string_view name = text.substr(kShape.size());
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '.' || c == ':' || c == '_';
  };
  return std::all_of(name.begin(), name.end(), fits);
}

bool is_initiator(std::string_view text) {
  const std::string_view digits = text.substr(std::min<std::size_t>(4, text.size()));
  const bool hex = std::all_of(digits.begin(), digits.end(), is_hex);
  if (text.starts_with("iqn")) return is_iqn(text);
  if (text.starts_with("eui.")) return hex && digits.size() == 16;
  return text.starts_with("naa.") && hex && (digits.size() == 16 || digits.size() == 32);
}

void iqn(const Place& place) {
  if (is_initiator(place.now.text())) return;
  place.now.invalid(kBadFormat);
}

void initiator_length(const Place& place) {
  const Value* name = place.root->at({"metadata", "name"});
  const std::string_view portal = place.now.text_at("targetPortal");
  if (!place.now.has("initiatorName") || name == nullptr) return;
  if (name->as_string().size() + 1 + portal.size() <= 64) return;
  const Field shown = place.now["targetportal"];
  shown.invalid_string(portal,
                       "Total length of <volume name>:<iscsi.targetPortal> must be under 64 "
                       "characters if iscsi.initiatorName is specified.");
}

void flex_option(const Place& place) {
  const std::string_view key = place.now.name();
  const std::string domain = "." + ascii_lower(key.substr(0, key.find('/')));
  const std::string_view view = domain;
  if (view.ends_with(".kubernetes.io") || view.ends_with(".k8s.io")) {
    place.now.invalid_string(key, "kubernetes.io and k8s.io namespaces are reserved");
  }
}

void disk_uri(const Place& place) {
  const Field uri = child(place, "diskURI");
  if (!place.now.has("kind")) return;
  if (place.now.text_at("kind") == "Managed") {
    if (!uri.text().starts_with("/subscriptions/")) {
      uri.not_supported(
          "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/"
          "{disk-id}");
    }
  } else if (!uri.text().starts_with("https://")) {
    uri.not_supported(
        "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd");
  }
}

// --- Claims

void claim_size(const Place& place) {
  const Field resources = child(place, "resources");
  const Field requests = resources["requests"];
  const Field storage = requests["storage"];
  const field::Path path = resources.path().key("storage");
  if (!storage.present()) {
    resources.errors().push_back(field::required(path));
  } else if (quantity_of(storage).sign() <= 0) {
    resources.errors().push_back(
        field::invalid(path, storage.printed(), "must be greater than zero"));
  }
}

void claim_source(const Place& place) {
  const std::string_view kind = place.now.text_at("kind");
  if (kind == "PersistentVolumeClaim") return;
  place.now.invalid_string(kind,
                           "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
}

// Upstream's path has no members.
void data_sources(const Place& place) {
  const Field source = child(place, "dataSource");
  const Field reference = child(place, "dataSourceRef");
  if (!source.present() || !reference.present()) return;
  if (!reference.text_at("namespace").empty()) {
    place.now.invalid_printed("{}",
                              "may not be specified when dataSourceRef.namespace is specified");
    return;
  }
  for (const std::string_view name : {"apiGroup", "kind", "name"}) {
    if (source.text_at(name) != reference.text_at(name)) {
      return place.now.invalid_printed("{}", "must match dataSourceRef");
    }
  }
}

bool is_claim_resource(const Field& map, std::string_view name) {
  const Faults faults = qualified_name_faults(name);
  for (const std::string& fault : faults) map.invalid_string(name, fault);
  if (!faults.empty()) return false;
  if (!is_native_resource(name) || name == "storage") return true;
  map.errors().push_back(field::not_supported(map.path(), go_quote(name), {"storage"}));
  return false;
}

void resize_statuses(const Place& place) {
  constexpr std::string_view kStatuses =
      "ControllerResizeInProgress,ControllerResizeInfeasible,NodeResizePending,"
      "NodeResizeInProgress,NodeResizeInfeasible";
  if (place.now.empty()) return;
  for (const Field item : place.now.items()) {
    is_claim_resource(place.now, item.name());
    if (listed(kStatuses, item.text())) continue;
    place.now.errors().push_back(field::not_supported(
        place.now.path(), go_quote(item.name()),
        {"ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress",
         "NodeResizeInfeasible", "NodeResizePending"}));
  }
}

void claim_resources(const Place& place) {
  if (place.now.empty()) return;
  for (const Field item : place.now.items()) {
    if (!is_claim_resource(place.now, item.name())) continue;
    const std::size_t before = item.errors().size();
    quantity({item, nullptr, place.write, place.root});
    if (item.errors().size() == before) check_resource_amount(item, "storage");
  }
}

// --- Changes

// Returns true for equal sources. A controllerExpandSecretRef may be added to a CSI source.
bool same_source(const Value* now, const Value* old) {
  if (json::deep_equal(now, old)) return true;
  if (now == nullptr || old == nullptr || old->find("controllerExpandSecretRef") != nullptr) {
    return false;
  }
  json::Arena arena;
  Value without = now->shallow_copy(arena);
  return without.erase("controllerExpandSecretRef") && json::deep_equal(without, *old);
}

// Returns the difference that upstream appends to its message.
std::string shown_difference(const Value& old, const Value& now, std::string_view type) {
  return line_diff(print_internal_indented(old, type), print_internal_indented(now, type));
}

void volume_change(const Place& place) {
  const Field spec = child(place, "spec");
  const Value* old = place.old->find("spec");
  if (old == nullptr) return;
  for (const Source& source : kSources) {
    if (same_source(spec.find(source.field), old->find(source.field))) continue;
    spec["persistentvolumesource"].forbidden(
        "spec.persistentvolumesource is immutable after creation\n" +
        shown_difference(*old, *spec.value(), "core.v1.PersistentVolumeSource"));
    break;
  }
  if (!json::deep_equal(spec.find("volumeMode"), old->find("volumeMode"))) {
    place.now.as("volumeMode", spec["volumeMode"])
        .invalid_printed(spec.has("volumeMode") ? spec["volumeMode"].printed() : "null",
                         field::kImmutable);
  }
  if (old->find("volumeAttributesClassName") != nullptr && !spec.has("volumeAttributesClassName")) {
    spec["volumeAttributesClassName"].forbidden("update from non-nil value to nil is forbidden");
  }
}

// Makes a member of `now` equal to the one in `old`.
void keep(Value& now, const Value* old, std::string_view name, json::Arena& arena) {
  const Value* before = old == nullptr ? nullptr : old->find(name);
  if (before == nullptr) {
    now.erase(name);
  } else {
    now.set(arena, name, *before);
  }
}

// Mutable members are made equal before the specs are compared.
void keep_claim(const Field& spec, const Value& was, bool bound) {
  constexpr std::string_view kClass = "volumeAttributesClassName";
  json::Arena arena;
  Value now = spec.value()->clone(arena);
  Value old = was.clone(arena);
  if (old.string_at("volumeName").empty()) keep(old, &now, "volumeName", arena);
  if (old.find("storageClassName") == nullptr) now.erase("storageClassName");
  if (bound) {
    Value* resources = now.find("resources");
    Value* requests = resources == nullptr ? nullptr : resources->find("requests");
    if (requests != nullptr) keep(*requests, old.at({"resources", "requests"}), "storage", arena);
    if (now.find(kClass) != nullptr) keep(now, &old, kClass, arena);
  }
  if (json::deep_equal(now, old)) return;
  spec.forbidden(
      "spec is immutable after creation except resources.requests and volumeAttributesClassName "
      "for bound claims\n" +
      shown_difference(old, now, "core.v1.PersistentVolumeClaimSpec"));
}

void claim_change(const Place& place) {
  const Field spec = child(place, "spec");
  const Value* old = place.old->find("spec");
  if (old == nullptr || !spec.present()) return;
  const Value* phase = place.root->at({"status", "phase"});
  keep_claim(spec, *old, phase != nullptr && phase->as_string() == "Bound");
  const Value* before = old->at({"resources", "requests", "storage"});
  const Field resources = spec["resources"];
  const Field requests = resources["requests"];
  const Field storage = requests["storage"];
  if (before != nullptr && storage.present()) {
    std::string_view error;
    const auto size_before = Quantity::parse(before->as_string(), error);
    const Value* capacity = place.old->at({"status", "capacity", "storage"});
    const auto has = capacity == nullptr
                         ? Quantity()
                         : Quantity::parse(capacity->as_string(), error).value_or(Quantity());
    const Quantity now = quantity_of(storage);
    if (size_before && now.compare(*size_before) < 0 && now.compare(has) <= 0) {
      storage.forbidden("field can not be less than status.capacity");
    }
  }
  if (!json::deep_equal(spec.find("volumeMode"), old->find("volumeMode"))) {
    place.now.as("volumeMode", spec["volumeMode"])
        .invalid_printed(spec.has("volumeMode") ? spec["volumeMode"].printed() : "null",
                         field::kImmutable);
  }
}

// --- Classes and drivers

std::size_t bytes_of(const Field& map) {
  std::size_t bytes = 0;
  if (map.empty()) return bytes;
  for (const Field item : map.items()) bytes += item.name().size() + item.text().size();
  return bytes;
}

void parameters(const Place& place) {
  const Field& map = place.now;
  if (map.size() > 512) return map.too_long(512);
  if (map.empty()) return;
  for (const Field item : map.items()) {
    if (item.name().empty()) map.invalid_string("", "field can not be empty.");
  }
  if (bytes_of(map) > kMaxParameterBytes) map.too_long(kMaxParameterBytes);
}

void lower_qualified(const Place& place) {
  const std::string lower = ascii_lower(place.now.text());
  for (const std::string& fault : qualified_name_faults(lower)) {
    place.now.invalid_string(lower, fault);
  }
}

// Upstream also compares with one empty term for each term.
void distinct_topologies(const Place& place) {
  const Field& list = place.now;
  for (const Field term : list.items()) {
    const Field expressions = term["matchLabelExpressions"];
    std::uint32_t repeats = expressions.empty() ? list.size() : 0;
    for (std::uint32_t i = 0; i < term.index(); ++i) {
      if (json::deep_equal(list.value()->items()[i], *term.value())) ++repeats;
    }
    for (; repeats > 0; --repeats) expressions.duplicate_as("\"\"");
  }
}

void attachment_metadata(const Place& place) {
  if (bytes_of(place.now) > kMaxParameterBytes) place.now.too_long(kMaxParameterBytes);
}

void volume_error_message(const Place& place) {
  if (place.now.text().size() > 1024) place.now.too_long(kMaxParameterBytes);
}

void token_requests(const Place& place) {
  for (const Field item : place.now.items()) {
    bool repeated = false;
    for (std::uint32_t i = 0; i < item.index(); ++i) {
      const Value& other = place.now.value()->items()[i];
      if (other.string_at("audience") == item.text_at("audience")) repeated = true;
    }
    if (repeated) {
      item["audience"].duplicate();
      continue;
    }
    const Field seconds = item["expirationSeconds"];
    if (!seconds.present()) continue;
    if (seconds.number() < 600) {
      seconds.invalid("may not specify a duration less than 10 minutes");
    }
    if (seconds.number() > std::int64_t{1} << 32) {
      seconds.invalid("may not specify a duration larger than 2^32 seconds");
    }
  }
}

void lifecycle_modes(const Place& place) {
  for (const Field mode : place.now.items()) {
    if (!mode.is("Persistent") && !mode.is("Ephemeral")) {
      place.now.errors().push_back(field::not_supported(place.now.path(), go_quote(mode.text()),
                                                        {"Persistent", "Ephemeral"}));
    }
  }
}

// Errors are reported at the driver.
void topology_keys(const Place& place) {
  const Field list = child(place, "topologyKeys");
  for (const Field key : list.items()) {
    if (key.text().empty()) place.now.required();
    for (std::uint32_t i = 0; i < key.index(); ++i) {
      if (!json::deep_equal(&list.value()->items()[i], key.value())) continue;
      place.now.duplicate_as(go_quote(key.text()));
      break;
    }
    for (const std::string& fault : qualified_name_faults(key.text())) {
      place.now.invalid_string(key.text(), fault);
    }
  }
}

// Prints the internal type without its mutable fields.
std::string printed_driver(const Field& driver) {
  const Field keys = driver["topologyKeys"];
  return R"({"Name":)" + go_quote(driver.text_at("name")) + R"(,"NodeID":)" +
         go_quote(driver.text_at("nodeID")) + R"(,"TopologyKeys":)" +
         (keys.present() ? keys.printed() : "null") + R"(,"Allocatable":null})";
}

void node_drivers_change(const Place& place) {
  const Field spec = child(place, "spec");
  const Field drivers = spec["drivers"];
  const Value* old = place.old->at({"spec", "drivers"});
  if (old == nullptr || old->is_null()) return;
  for (const Value& before : old->items()) {
    for (const Field driver : drivers.items()) {
      if (driver.text_at("name") != before.string_at("name")) continue;
      if (driver.text_at("nodeID") == before.string_at("nodeID") &&
          json::deep_equal(driver.find("topologyKeys"), before.find("topologyKeys"))) {
        continue;
      }
      drivers.invalid_printed(printed_driver(driver), field::kImmutable);
    }
  }
}

}  // namespace

const NamedCheck kStorageChecks[] = {
    {"access-modes", &access_modes},
    {"quantity", &quantity},
    {"capacity", &capacity},
    {"volume-source", &volume_source},
    {"no-backsteps", &no_backsteps},
    {"no-slash", &no_slash},
    {"quobyte", &quobyte},
    {"iqn", &iqn},
    {"initiator-length", &initiator_length},
    {"flex-option", &flex_option},
    {"disk-uri", &disk_uri},
    {"claim-size", &claim_size},
    {"claim-source", &claim_source},
    {"data-sources", &data_sources},
    {"resize-statuses", &resize_statuses},
    {"claim-resources", &claim_resources},
    {"volume-change", &volume_change},
    {"claim-change", &claim_change},
    {"parameters", &parameters},
    {"lower-qualified", &lower_qualified},
    {"distinct-topologies", &distinct_topologies},
    {"attachment-metadata", &attachment_metadata},
    {"volume-error-message", &volume_error_message},
    {"token-requests", &token_requests},
    {"lifecycle-modes", &lifecycle_modes},
    {"topology-keys", &topology_keys},
    {"node-drivers-change", &node_drivers_change},
};

}  // namespace tabernetes::registry::validation
