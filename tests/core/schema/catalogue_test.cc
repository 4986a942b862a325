#include <catch2/catch_test_macros.hpp>
#include <string>

#include "schema/catalogue_reader.h"
#include "schema/schema.h"

namespace tabernetes::schema {
namespace {

const Catalogue& built_in() { return Catalogue::built_in(); }

const Type& type(std::string_view name) {
  const Type* found = built_in().find_type(name);
  REQUIRE(found != nullptr);
  return *found;
}

const Field& field(std::string_view type_name, std::string_view field_name) {
  const Field* found = type(type_name).find(field_name);
  REQUIRE(found != nullptr);
  return *found;
}

std::string joined(const std::vector<std::string_view>& texts) {
  std::string result;
  for (const std::string_view text : texts) result.append(result.empty() ? "" : " ").append(text);
  return result;
}

TEST_CASE("catalogue: holds what a default 1.36 server serves", "[schema]") {
  const Catalogue& catalogue = built_in();
  CHECK(catalogue.kubernetes_version() == "v1.36.2");
  CHECK(catalogue.groups().size() == 23);
  CHECK(catalogue.resources().size() == 68);
  CHECK(catalogue.types().size() == 652);
  CHECK(catalogue.feature_gates().size() == 242);

  std::size_t fields = 0, gated = 0, required = 0, enums = 0, keyed = 0, go_types = 0;
  for (const Type& t : catalogue.types()) {
    fields += t.fields.size();
    for (const Field& f : t.fields) {
      gated += f.feature_gates.empty() ? 0 : 1;
      required += f.required ? 1 : 0;
      enums += f.type.enum_values.empty() ? 0 : 1;
      keyed += f.list_map_keys.empty() ? 0 : 1;
      go_types += f.go_type.empty() ? 0 : 1;
    }
  }
  CHECK(fields == 2722);
  CHECK(gated == 86);
  CHECK(required == 598);
  CHECK(enums == 88);
  CHECK(keyed == 63);
  CHECK(go_types == 258);

  std::size_t subresources = 0, served = 0, columns = 0;
  for (const Resource& r : catalogue.resources()) subresources += r.subresources.size();
  for (const Group& g : catalogue.groups()) {
    for (const ServedVersion& v : g.versions) served += v.served_by_default ? 1 : 0;
  }
  for (const Resource& r : catalogue.resources()) {
    if (const PrintedKind* p = catalogue.find_printed(r.group, r.kind))
      columns += p->columns.size();
  }
  CHECK(subresources == 45);
  CHECK(served == 22);
  CHECK(columns == 306);
}

void check_reference(const Type& owner, const TypeRef& reference) {
  INFO(owner.name);
  switch (reference.type) {
    case FieldType::kRef:
    case FieldType::kSchemaOrArray:
    case FieldType::kSchemaOrBool:
    case FieldType::kSchemaOrStringArray:
      REQUIRE(reference.ref != nullptr);
      CHECK_FALSE(reference.ref->name.empty());
      break;
    case FieldType::kArray:
    case FieldType::kMap:
      REQUIRE(reference.element != nullptr);
      check_reference(owner, *reference.element);
      break;
    default:
      CHECK(reference.ref == nullptr);
      CHECK(reference.element == nullptr);
  }
}

TEST_CASE("catalogue: every reference leads somewhere, every name is found again", "[schema]") {
  const Catalogue& catalogue = built_in();
  for (const Type& t : catalogue.types()) {
    for (const Field& f : t.fields) check_reference(t, f.type);
    for (const Field* f : t.json_fields()) CHECK(t.find(f->name) == f);
    CHECK(t.find("no such field") == nullptr);
    CHECK(catalogue.find_type(t.name) == &t);
  }
  for (const Resource& r : catalogue.resources()) {
    INFO(r.plural);
    CHECK(catalogue.find_resource(r.group, r.version, r.plural) == &r);
    CHECK(catalogue.find_kind(r.group, r.version, r.kind) == r.type);
    CHECK(r.list_kind.empty() == (r.list_type == nullptr));
    CHECK(r.has_verb("list") == !r.list_kind.empty());
    for (const Subresource& s : r.subresources) CHECK(s.type != nullptr);
  }
}

TEST_CASE("catalogue: groups come in discovery order", "[schema]") {
  std::string order;
  for (const Group& g : built_in().groups()) {
    for (const ServedVersion& v : g.versions) {
      if (v.served_by_default) order.append(g.name).append("/").append(v.version).append(" ");
    }
  }
  CHECK(order ==
        "/v1 apiregistration.k8s.io/v1 apps/v1 events.k8s.io/v1 authentication.k8s.io/v1 "
        "authorization.k8s.io/v1 autoscaling/v2 autoscaling/v1 batch/v1 certificates.k8s.io/v1 "
        "networking.k8s.io/v1 policy/v1 rbac.authorization.k8s.io/v1 storage.k8s.io/v1 "
        "admissionregistration.k8s.io/v1 apiextensions.k8s.io/v1 scheduling.k8s.io/v1 "
        "coordination.k8s.io/v1 node.k8s.io/v1 discovery.k8s.io/v1 resource.k8s.io/v1 "
        "flowcontrol.apiserver.k8s.io/v1 ");
  CHECK(built_in().groups()[2].priority == 17800);
  CHECK(built_in().groups()[6].versions[0].priority == 30);
}

TEST_CASE("catalogue: the facts of a resource", "[schema]") {
  const Resource* pods = built_in().find_resource("", "v1", "pods");
  REQUIRE(pods != nullptr);
  CHECK(pods->kind == "Pod");
  CHECK(pods->list_kind == "PodList");
  CHECK(pods->singular == "pod");
  CHECK(joined(pods->short_names) == "po");
  CHECK(joined(pods->categories) == "all");
  CHECK(pods->namespaced);
  CHECK(joined(pods->verbs) == "create delete deletecollection get list patch update watch");
  CHECK(pods->storage_version_hash == "xPOwRZ+Yhw8=");
  CHECK(pods->selectable_fields.size() == 12);
  REQUIRE(pods->selectable_field_aliases.size() == 1);
  CHECK(pods->selectable_field_aliases[0].label == "spec.host");
  CHECK(pods->selectable_field_aliases[0].canonical == "spec.nodeName");
  std::string names;
  for (const Subresource& s : pods->subresources) names.append(s.name).append(" ");
  CHECK(names ==
        "attach binding ephemeralcontainers eviction exec log portforward proxy resize status ");
  const Subresource* eviction = pods->find_subresource("eviction");
  REQUIRE(eviction != nullptr);
  CHECK(eviction->group == "policy");
  CHECK(eviction->kind == "Eviction");
  CHECK(joined(eviction->verbs) == "create");
  CHECK(pods->find_subresource("scale") == nullptr);
  CHECK(built_in().find_resource("", "v1", "pod") == nullptr);
  CHECK_FALSE(built_in().find_resource("", "v1", "nodes")->namespaced);
  CHECK(built_in().find_resource("", "v1", "bindings")->list_kind.empty());
}

TEST_CASE("catalogue: resources hang in their version, sorted", "[schema]") {
  const Group& core = built_in().groups()[0];
  REQUIRE(core.versions.size() == 1);
  std::string_view last;
  for (const Resource* r : core.versions[0].resources) {
    CHECK(last < r->plural);
    last = r->plural;
  }
  CHECK(core.versions[0].resources.size() == 17);
}

TEST_CASE("catalogue: the facts of fields", "[schema]") {
  const std::string_view container = "io.k8s.api.core.v1.Container";

  const Field& ports = field(container, "ports");
  CHECK(ports.type.type == FieldType::kArray);
  CHECK(ports.type.element->ref->name == "io.k8s.api.core.v1.ContainerPort");
  CHECK(ports.list_type == ListType::kMap);
  CHECK(joined(ports.list_map_keys) == "containerPort protocol");
  CHECK(ports.patch_strategy == "merge");
  CHECK(ports.patch_merge_key == "containerPort");
  CHECK(ports.proto_number == 6);
  CHECK(ports.proto_presence == ProtoPresence::kRepeated);
  CHECK(ports.omit == Omit::kEmpty);
  CHECK(ports.emit == Emit::kNothing);

  const Field& name = field(container, "name");
  CHECK(name.required);
  CHECK(name.zero_default);
  CHECK(name.emit == Emit::kEmptyString);
  CHECK(name.proto_presence == ProtoPresence::kAlways);

  const Field& pull = field(container, "imagePullPolicy");
  CHECK(joined(pull.type.enum_values) == "Always IfNotPresent Never");
  CHECK(pull.go_type == "v1.PullPolicy");
  CHECK(field(container, "resources").emit == Emit::kEmptyObject);
  CHECK(field(container, "livenessProbe").pointer);
  const auto& gates = field(container, "restartPolicyRules").feature_gates;
  REQUIRE(gates.size() == 1);
  CHECK(built_in().feature_gates()[gates[0]].name == "ContainerRestartRules");
  CHECK(field(container, "lifecycle").prune);

  CHECK(field("io.k8s.api.core.v1.ContainerPort", "protocol").default_json == "\"TCP\"");
  CHECK(field("io.k8s.api.core.v1.PodSpec", "volumes").patch_strategy == "merge,retainKeys");
  CHECK(field("io.k8s.api.core.v1.PodList", "items").emit == Emit::kNull);
  CHECK(field("io.k8s.api.core.v1.ServiceSpec", "ipFamilies").type.element->enum_values[0].empty());
  CHECK(field("io.k8s.api.core.v1.ResourceRequirements", "limits").go_type == "v1.ResourceList");
  CHECK(field("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "creationTimestamp").omit ==
        Omit::kZero);
  CHECK(field("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "creationTimestamp").emit ==
        Emit::kNothing);
  CHECK(field("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "finalizers").list_type ==
        ListType::kSet);
  CHECK(field("io.k8s.api.core.v1.ServiceSpec", "selector").map_type == MapType::kAtomic);
  CHECK(field("io.k8s.apimachinery.pkg.apis.meta.v1.APIResource", "verbs").proto_wrap);
  CHECK(field("io.k8s.api.core.v1.PersistentVolumeClaimSpec", "dataSourceRef").gated_member ==
        "namespace");
  CHECK(field("io.k8s.api.apps.v1.StatefulSetSpec", "volumeClaimTemplates").ungated);

  CHECK(type("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector").atomic);
  CHECK_FALSE(type("io.k8s.api.core.v1.VolumeSource").in_openapi);
  CHECK(type("io.k8s.apimachinery.pkg.api.resource.Quantity").special == FieldType::kQuantity);
  CHECK_FALSE(type("io.k8s.apimachinery.pkg.apis.meta.v1.Table").has_proto);
  CHECK(
      type("io.k8s.api.core.v1.SeccompProfile").unions_json ==
      R"([{"discriminator":"type","fields-to-discriminateBy":{"localhostProfile":"LocalhostProfile"}}])");
}

TEST_CASE("catalogue: fields of inlined structs are found and keep their place", "[schema]") {
  CHECK(field("io.k8s.api.core.v1.Volume", "configMap").type.ref->go_name ==
        "ConfigMapVolumeSource");
  CHECK(
      field("io.k8s.api.admissionregistration.v1.NamedRuleWithOperations", "apiGroups").type.type ==
      FieldType::kArray);
  std::string names;
  for (const Field* f : type("io.k8s.api.core.v1.Probe").json_fields()) {
    names.append(f->name).append(" ");
  }
  CHECK(names ==
        "exec httpGet tcpSocket grpc initialDelaySeconds timeoutSeconds periodSeconds "
        "successThreshold failureThreshold terminationGracePeriodSeconds ");
}

TEST_CASE("catalogue: kinds of options and reviews are found too", "[schema]") {
  const Catalogue& catalogue = built_in();
  CHECK(catalogue.find_kind("", "v1", "PodExecOptions") != nullptr);
  CHECK(catalogue.find_kind("apps", "v1", "DeleteOptions") == &catalogue.delete_options());
  CHECK(catalogue.find_kind("", "v1", "Status")->published == PublishedKind::kOwn);
  CHECK(catalogue.find_kind("", "v1", "PodExecOptions")->published == PublishedKind::kNo);
  CHECK(catalogue.find_kind("admission.k8s.io", "v1", "AdmissionReview") != nullptr);
  CHECK(catalogue.find_kind("apiextensions.k8s.io", "v1", "ConversionReview") != nullptr);
  CHECK(catalogue.find_kind("meta.k8s.io", "v1", "Table") != nullptr);
  CHECK(catalogue.find_kind("meta.k8s.io", "v1", "PartialObjectMetadata") != nullptr);
  CHECK(catalogue.find_kind("", "v1", "List") != nullptr);
  CHECK(catalogue.find_kind("apps", "v1", "Pod") == nullptr);
  CHECK(catalogue.object_meta().find("managedFields") != nullptr);
}

TEST_CASE("catalogue: printed columns", "[schema]") {
  const PrintedKind* pod = built_in().find_printed("", "Pod");
  REQUIRE(pod != nullptr);
  std::string names;
  for (const Column& c : pod->columns) {
    names.append(c.name).append("/").append(std::to_string(c.priority)).append(" ");
  }
  CHECK(names ==
        "Name/0 Ready/0 Status/0 Restarts/0 Age/0 IP/1 Node/1 Nominated Node/1 "
        "Readiness Gates/1 ");
  CHECK(pod->columns[0].format == "name");
  CHECK(pod->columns[1].description ==
        "The aggregate readiness state of this pod for accepting traffic.");
  // The descriptions of Name and Age are stored once and may have several lines.
  CHECK(pod->columns[4].description.ends_with(
      "\n\nPopulated by the system. Read-only. Null for lists. More info: "
      "https://git.k8s.io/community/contributors/devel/sig-architecture/"
      "api-conventions.md#metadata"));
  CHECK(built_in().find_printed("", "LimitRange") == nullptr);
  const PrintedKind& usual = built_in().default_table();
  REQUIRE(usual.columns.size() == 2);
  CHECK(usual.columns[1].name == "Created At");
  CHECK(usual.columns[1].type == "date");
  CHECK(built_in().find_printed("events.k8s.io", "Event") == built_in().find_printed("", "Event"));
}

TEST_CASE("catalogue: feature gates", "[schema]") {
  const FeatureGate* gate = built_in().find_gate("ContainerStopSignals");
  REQUIRE(gate != nullptr);
  CHECK_FALSE(gate->enabled_by_default);
  CHECK(gate->stage == GateStage::kAlpha);
  CHECK(built_in().find_gate("DynamicResourceAllocation")->locked);
  const FeatureGate* claims = built_in().find_gate("DRAWorkloadResourceClaims");
  REQUIRE(claims->needs.size() == 2);
  CHECK(built_in().feature_gates()[claims->needs[1]].name == "GenericWorkload");
  CHECK(built_in().find_gate("CSIStorageCapacity") == nullptr);
}

TEST_CASE("table reader: stops at the end", "[schema]") {
  const unsigned char bytes[] = {5, 0x80, 1, 2, 'a', 0x80};
  TableReader in(bytes, sizeof bytes);
  CHECK(in.number() == 5);
  CHECK(in.number() == 128);
  CHECK(in.number_below(3) == 2);
  CHECK(in.text(1) == "a");
  CHECK(in.ok());
  CHECK(in.number() == 0);
  CHECK_FALSE(in.ok());
  CHECK(in.text(1).empty());

  TableReader too_big(bytes, sizeof bytes);
  CHECK(too_big.number_below(5) == 0);
  CHECK_FALSE(too_big.ok());
}

}  // namespace
}  // namespace tabernetes::schema
