// The volumes of a pod and their sources.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, ValidateVolumes and below.

#include <string>

#include "base/pattern.h"
#include "base/quantity.h"
#include "registry/validation/claim_spec.h"
#include "registry/validation/environment.h"
#include "registry/validation/pod_parts.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kOneType = "may not specify more than 1 volume type";
constexpr std::string_view kOneTypePerSource = "may not specify more than 1 volume type per source";
constexpr std::string_view kDownwardFields =
    "metadata.annotations,metadata.labels,metadata.name,metadata.namespace,metadata.uid";

void validate_mode(const Field& mode) {
  if (mode.number() < 0 || mode.number() > 0777) {
    mode.invalid("must be a number between 0 and 0777 (octal), both inclusive");
  }
}

void validate_keys(const Field& items) {
  for (const Field item : items.items()) {
    item["key"].require();
    item["path"].require();
    validate_volume_path(item["path"]);
    validate_mode(item["mode"]);
  }
}

void validate_partition(const Field& source, const PodScope&) {
  const Field partition = source["partition"];
  if (partition.number() < 0 || partition.number() > 255) {
    partition.invalid("must be between 1 and 255, inclusive");
  }
}

void validate_host_path(const Field& source, const PodScope&) {
  if (!source["path"].require()) return;
  validate_no_backsteps(source["path"]);
  source["type"].one_of_or_absent(
      ",BlockDevice,CharDevice,Directory,DirectoryOrCreate,File,FileOrCreate,Socket");
}

void validate_git(const Field& source, const PodScope&) {
  validate_relative_path(source["directory"]);
}

void validate_keyed(const Field& source, const PodScope&) {
  validate_mode(source["defaultMode"]);
  validate_keys(source["items"]);
}

void validate_nfs(const Field& source, const PodScope&) {
  if (!source.text_at("path").starts_with('/')) {
    source["path"].invalid("must be an absolute path");
  }
}

// The names of iSCSI initiators: iqn., eui. and naa.
void validate_iscsi_name(const Field& name) {
  constexpr std::string_view kPatterns[] = {
      R"(^iqn\.\d{4}-\d{2}\.([0-9A-Za-z-.]+)(:[^,;*&$|\s]+)$)", "^eui.[0-9A-Za-z]{16}$",
      "^naa.[0-9A-Za-z]{32}$"};
  for (const std::string_view pattern : kPatterns) {
    if (name.text().substr(0, 3) != pattern.substr(1, 3)) continue;
    if (!Pattern::compile(pattern)->matches(name.text())) name.invalid("must be valid format");
    return;
  }
  name.invalid("must be valid format starting with iqn, eui, or naa");
}

void validate_iscsi(const Field& source, const PodScope&) {
  if (!source.text_at("iqn").empty()) validate_iscsi_name(source["iqn"]);
  source["lun"].in_range(0, 255);
  if ((source["chapAuthDiscovery"].flag() || source["chapAuthSession"].flag()) &&
      !source.has("secretRef")) {
    source["secretRef"].required();
  }
  const Field initiator = source["initiatorName"];
  if (initiator.present()) validate_iscsi_name(source.as("initiatorname", initiator));
}

void validate_fc(const Field& source, const PodScope&) {
  const Field names = source["targetWWNs"];
  const Field ids = source["wwids"];
  if (names.empty() && ids.empty()) {
    names.required("must specify either targetWWNs or wwids, but not both");
  }
  if (names.empty()) return;
  if (!ids.empty()) names.invalid("targetWWNs and wwids can not be specified simultaneously");
  if (source.has("lun")) {
    source["lun"].in_range(0, 255);
  } else {
    source["lun"].required("lun is required if targetWWNs is specified");
  }
}

void validate_flocker(const Field& source, const PodScope&) {
  const Field name = source["datasetName"];
  const bool has_id = !source.text_at("datasetUUID").empty();
  if (name.text().empty() && !has_id) {
    source.required("one of datasetName and datasetUUID is required");
  }
  if (!name.text().empty() && has_id) {
    source.invalid_text("resource",
                        "datasetName and datasetUUID can not be specified simultaneously");
  }
  if (name.text().find('/') != std::string_view::npos) name.invalid("must not contain '/'");
}

void validate_secret_name(const Field& source, const PodScope&) {
  const Field secret = source["secretRef"];
  if (secret.present()) secret["name"].require();
}

// host:port, as Go's net.SplitHostPort takes it.
bool is_host_and_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (port.find_first_of("[]") != std::string_view::npos) return false;
  if (!host.starts_with('[')) return host.find_first_of(":[]") == std::string_view::npos;
  return host.find(']') + 1 == host.size() && host.find('[', 1) == std::string_view::npos;
}

void validate_quobyte(const Field& source, const PodScope&) {
  constexpr std::string_view kPairs =
      "must be a host:port pair or multiple pairs separated by commas";
  const Field registry = source["registry"];
  if (registry.text().empty()) {
    registry.required(kPairs);
  } else if (source.text_at("tenant").size() >= 65) {
    source["tenant"].required("must be a UUID and may not exceed a length of 64 characters");
  } else {
    std::string_view rest = registry.text();
    while (true) {
      const std::size_t comma = rest.find(',');
      if (!is_host_and_port(rest.substr(0, comma))) registry.invalid(kPairs);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  source["volume"].require();
}

// `place` is what upstream's paths begin with.
void validate_downward_file(const Field& file) {
  file["path"].require();
  validate_volume_path(file["path"]);
  const Field field = file["fieldRef"];
  const Field resource = file["resourceFieldRef"];
  if (field.present()) {
    validate_field_reference(field, kDownwardFields);
    if (resource.present()) {
      file.invalid_text("resource",
                        "fieldRef and resourceFieldRef can not be specified simultaneously");
    }
  } else if (resource.present()) {
    validate_resource_reference(resource, true);
  } else {
    file.required("one of fieldRef and resourceFieldRef is required");
  }
  validate_mode(file["mode"]);
}

void validate_downward(const Field& source, const PodScope&) {
  validate_mode(source["defaultMode"]);
  const Field files = source["items"];
  // Upstream's paths leave out which file it is.
  for (const Field file : files.items()) validate_downward_file(source.with(file));
}

void validate_flex(const Field& source, const PodScope&) {
  const Field options = source["options"];
  for (const Field option : options.items()) {
    std::string group(".");
    for (const char c : option.name().substr(0, option.name().find('/'))) {
      group.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c);
    }
    if (group.ends_with(".kubernetes.io") || group.ends_with(".k8s.io")) {
      option.invalid_text(option.name(), "kubernetes.io and k8s.io namespaces are reserved");
    }
  }
}

void validate_azure_disk(const Field& source, const PodScope&) {
  source["cachingMode"].one_of_or_absent("None,ReadOnly,ReadWrite");
  const Field kind = source["kind"];
  if (!kind.present()) return;
  kind.one_of("Dedicated,Managed,Shared");
  const Field uri = source["diskURI"];
  if (kind.is("Managed")) {
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

void validate_storage_os(const Field& source, const PodScope& scope) {
  source["volumeName"].format_or_empty(dns1123_label_faults);
  source["volumeNamespace"].format_or_empty(dns1123_label_faults);
  validate_secret_name(source, scope);
}

void validate_csi(const Field& source, const PodScope&) {
  const Field driver = source["driver"];
  if (driver.require()) {
    if (driver.text().size() > 63) driver.too_long(63);
    std::string lower(driver.text());
    for (char& c : lower) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
    driver.invalid(dns1123_subdomain_faults(lower));
  }
  const Field secret = source["nodePublishSecretRef"];
  if (!secret.present() || !secret["name"].require()) return;
  source.as("name", secret["name"]).format(dns1123_subdomain_faults);
}

void validate_ephemeral(const Field& source, const PodScope&) {
  const Field claim = source["volumeClaimTemplate"];
  if (claim.present()) {
    validate_claim_template(claim);
  } else {
    claim.required();
  }
}

void validate_image(const Field& source, const PodScope& scope) {
  if (scope.is_pod) source["reference"].require();
  source["pullPolicy"].require_one_of("Always,IfNotPresent,Never");
}

// --- Projected

// The paths that sources put into the volume.
class Paths {
 public:
  explicit Paths(const Field& volume) : volume_(volume) {}
  void add(std::string_view path, std::string_view shown) {
    if (!taken_.add(path)) volume_.invalid_text(shown, "conflicting duplicate paths");
  }
  const Field& volume() const { return volume_; }

 private:
  const Field& volume_;
  NameTable taken_;
};

void validate_projected_keys(const Field& source, Paths& paths) {
  source["name"].require();
  const Field items = source["items"];
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const Field item = items.item(i);
    item["key"].require();
    item["path"].require();
    validate_volume_path(item["path"]);
    validate_mode(item["mode"]);
    const std::string_view path = item.text_at("path");
    if (!path.empty()) paths.add(path, source.text_at("name"));
  }
}

void validate_projected_fields(const Field& source, Paths& paths) {
  const Field files = source["items"];
  for (const Field file : files.items()) {
    validate_downward_file(source.with(file));
    const std::string_view path = file.text_at("path");
    if (!path.empty()) paths.add(path, path);
  }
}

void validate_token(const Field& source, Paths& paths) {
  const Field seconds = source["expirationSeconds"];
  if (seconds.number() < 600) {
    seconds.invalid_as(std::to_string(seconds.number()),
                       "may not specify a duration less than 10 minutes");
  }
  if (seconds.number() > std::int64_t{1} << 32) {
    seconds.invalid("may not specify a duration larger than 2^32 seconds");
  }
  const Field path = paths.volume().as("path", source["path"]);
  if (path.require()) validate_volume_path(path);
}

void validate_projected(const Field& volume, const PodScope&) {
  validate_mode(volume["defaultMode"]);
  struct Source {
    std::string_view name;
    void (*validate)(const Field&, Paths&);
  };
  static constexpr Source kSources[] = {
      {"secret", &validate_projected_keys},
      {"configMap", &validate_projected_keys},
      {"downwardAPI", &validate_projected_fields},
      {"serviceAccountToken", &validate_token},
  };
  Paths paths(volume);
  const Field list = volume["sources"];
  for (const Field item : list.items()) {
    int count = 0;
    for (const Source& source : kSources) {
      const Field field = item[source.name];
      // A token does not count.
      if (!field.present()) continue;
      if (source.name != "serviceAccountToken") ++count;
      source.validate(field, paths);
    }
    if (count > 1) item.forbidden(kOneTypePerSource);
  }
}

// --- Volumes

struct SourceRules {
  std::string_view name;
  std::string_view required = {};  // members, with commas
  void (*validate)(const Field& source, const PodScope& scope) = nullptr;
  std::string_view shown = {};   // what paths call it
  std::string_view second = {};  // and when it is one too many
};

// In upstream's order.
constexpr SourceRules kSources[] = {
    {"emptyDir"},
    {"hostPath", "", &validate_host_path},
    {"gitRepo", "repository", &validate_git},
    {"gcePersistentDisk", "pdName", &validate_partition, "persistentDisk"},
    {"awsElasticBlockStore", "volumeID", &validate_partition},
    {"secret", "secretName", &validate_keyed},
    {"nfs", "server,path", &validate_nfs},
    {"iscsi", "targetPortal,iqn", &validate_iscsi},
    {"glusterfs", "endpoints,path"},
    {"flocker", "", &validate_flocker},
    {"persistentVolumeClaim", "claimName"},
    {"rbd", "monitors,image"},
    {"cinder", "volumeID", &validate_secret_name},
    {"cephfs", "monitors", nullptr, "", "cephFS"},
    {"quobyte", "", &validate_quobyte},
    {"downwardAPI", "", &validate_downward, "", "downwarAPI"},
    {"fc", "", &validate_fc},
    {"flexVolume", "driver", &validate_flex},
    {"configMap", "name", &validate_keyed},
    {"azureFile", "secretName,shareName"},
    {"vsphereVolume", "volumePath"},
    {"photonPersistentDisk", "pdID"},
    {"portworxVolume", "volumeID"},
    {"azureDisk", "diskName,diskURI", &validate_azure_disk},
    {"storageos", "volumeName", &validate_storage_os},
    {"projected", "", &validate_projected},
    {"scaleIO", "gateway,system,volumeName"},
    {"csi", "", &validate_csi},
    {"ephemeral", "", &validate_ephemeral},
    {"image", "", &validate_image},
};

void require_all(const Field& source, std::string_view names) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const Field member = source[names.substr(0, comma)];
    if (member.text().empty() && member.empty()) member.required();
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
}

void validate_size_limit(const Field& source) {
  std::string_view error;
  const Field limit = source["sizeLimit"];
  const auto quantity = Quantity::parse(limit.text(), error);
  if (quantity && quantity->sign() < 0) {
    limit.forbidden("SizeLimit field must be a valid resource quantity");
  }
}

void validate_initiator_length(const Field& volume, const Field& iscsi) {
  if (!iscsi.has("initiatorName")) return;
  if (volume.text_at("name").size() + 1 + iscsi.text_at("targetPortal").size() <= 64) return;
  volume["name"].invalid(
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
      "iscsi.initiatorName is specified.");
}

std::string claim_name(const PodScope& scope, std::string_view volume) {
  return std::string(scope.pod_name) + "-" + std::string(volume);
}

// A claim is made for it, with a name that must do.
void validate_claim_name(const Field& volume, const PodScope& scope) {
  const Field name = volume["name"];
  if (scope.pod_name.empty() || name.text().empty()) return;
  const std::string claim = claim_name(scope, name.text());
  for (const std::string& fault : dns1123_subdomain_faults(claim)) {
    name.invalid("PVC name \"" + claim + "\": " + fault);
  }
}

void validate_source(const Field& volume, const PodScope& scope) {
  bool any = false;
  for (const SourceRules& rules : kSources) {
    const json::Value* value = volume.find(rules.name);
    if (value == nullptr || value->is_null()) continue;
    const Field source = volume[rules.name];
    if (any) {
      volume.as(rules.second.empty() ? rules.name : rules.second, source).forbidden(kOneType);
    } else {
      any = true;
      const Field shown = volume.as(rules.shown.empty() ? rules.name : rules.shown, source);
      if (rules.name == "emptyDir") validate_size_limit(shown);
      require_all(shown, rules.required);
      if (rules.validate != nullptr) rules.validate(shown, scope);
      if (rules.name == "ephemeral") validate_claim_name(volume, scope);
    }
    if (rules.name == "iscsi") validate_initiator_length(volume, source);
  }
  if (!any) volume.required("must specify a volume type");
}

// Whether the claim is one that the pod's own ephemeral volumes will get.
bool is_made_for(const Field& volumes, const PodScope& scope, std::string_view claim) {
  if (scope.pod_name.empty() || !claim.starts_with(scope.pod_name)) return false;
  for (const Field volume : volumes.items()) {
    if (volume.has("ephemeral") && claim_name(scope, volume.text_at("name")) == claim) return true;
  }
  return false;
}

}  // namespace

void validate_volumes(PodScope& scope) {
  const Field volumes = scope.spec["volumes"];
  for (const Field volume : volumes.items()) {
    const std::size_t before = volume.errors().size();
    validate_source(volume, scope);
    const Field name = volume["name"];
    name.require(dns1123_label_faults);
    if (scope.volumes.has(name.text())) name.duplicate();
    if (volume.errors().size() == before) scope.volumes.add(name.text(), volume.value());
    const Field claim = volume["persistentVolumeClaim"];
    if (claim.present() && is_made_for(volumes, scope, claim.text_at("claimName"))) {
      claim["claimName"].invalid(
          "must not reference a PVC that gets created for an ephemeral volume");
    }
  }
}

void validate_relative_path(const Field& path) {
  if (path.text().starts_with('/')) path.invalid("must be a relative path");
  validate_no_backsteps(path);
}

void validate_volume_path(const Field& path) {
  validate_relative_path(path);
  if (path.text().starts_with("..") && !path.text().starts_with("../")) {
    path.invalid("must not start with '..'");
  }
}

bool validate_no_backsteps(const Field& path) {
  if (!has_backsteps(path.text())) return true;
  path.invalid("must not contain '..'");
  return false;
}

}  // namespace tabernetes::registry::validation
