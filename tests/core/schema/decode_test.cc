#include "schema/decode.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../vectors.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::schema {
namespace {

// Parses "apps/v1 Deployment" or "v1 Pod".
const Type& kind(std::string_view text) {
  const std::size_t space = text.find(' ');
  const std::size_t slash = text.find('/');
  const bool core = slash == std::string_view::npos;
  const std::string_view group = core ? std::string_view() : text.substr(0, slash);
  const std::size_t version_at = core ? 0 : slash + 1;
  const Type* type = Catalogue::built_in().find_kind(
      group, text.substr(version_at, space - version_at), text.substr(space + 1));
  INFO(text);
  REQUIRE(type != nullptr);
  return *type;
}

struct Decoded {
  std::string json;
  std::string error;
  std::string strict;  // separated by ", "
};

Decoded decode(const Type& type, std::string_view text) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.ok());
  const DecodeResult result = decode_typed(type, read.value, arena);
  Decoded decoded;
  decoded.error = result.error;
  if (result.error.empty()) codec::write_json(result.value, decoded.json);
  for (const std::string& error : result.strict_errors) {
    if (!decoded.strict.empty()) decoded.strict += ", ";
    decoded.strict += error;
  }
  return decoded;
}

// Answers marked (real) are from recordings of a 1.36 server; the others were compared with the Go
// types of 1.36.2, their JSON decoder and their protobuf round trip.
TEST_CASE("decode: prints what the real server prints", "[schema]") {
  struct Case {
    std::string_view name, kind, in, out;
  };
  static constexpr Case
      kCases
          [] =
              {
                  {"null is an empty object", "v1 ConfigMap", "null",
                   R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{}})"},
                  {"kind and apiVersion come from the path if the body has none",
                   "apps/v1 Deployment", "{}",
                   R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{},"spec":{"selector":null,)"
                   R"("template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}})"},
                  {"members stand in the order of the type", "v1 ConfigMap",
                   R"({"data":{"a":"1"},"metadata":{"namespace":"n","name":"x"},"apiVersion":"v1","kind":"ConfigMap"})",
                   R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","namespace":"n"},"data":{"a":"1"}})"},
                  {"empty things are left out, required ones stay", "v1 Pod",
                   R"({"metadata":{"labels":{},"finalizers":[],"creationTimestamp":null},"spec":{"hostNetwork":false,"containers":[{"name":"","image":""}]}})",
                   R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"","resources":{}}]},"status":{}})"},
                  {"a pointer keeps its zero", "v1 Pod",
                   R"({"spec":{"terminationGracePeriodSeconds":0,"automountServiceAccountToken":false,"securityContext":{}}})",
                   R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":null,"terminationGracePeriodSeconds":0,"automountServiceAccountToken":false,"securityContext":{}},"status":{}})"},
                  {"maps are sorted, null values are empty", "v1 ConfigMap",
                   R"({"data":{"b":"2","a":null,"B":"3"}})",
                   R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"B":"3","a":"","b":"2"}})"},
                  {"the last of equal keys wins", "v1 ConfigMap",
                   R"({"data":{"a":"1","b":"x","a":"2"},"immutable":true,"immutable":false})",
                   R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"immutable":false,"data":{"a":"2","b":"x"}})"},
                  {"an empty required list is none after the store",
                   "rbac.authorization.k8s.io/v1 Role", R"({"rules":[]})",
                   R"({"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{},"rules":null})"},
                  {"null elements are zero values", "v1 Pod", R"({"spec":{"containers":[null]}})",
                   R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"","resources":{}}]},"status":{}})"},
                  {"quantities become canonical", "v1 Pod",
                   R"({"spec":{"containers":[{"name":"c","resources":{"limits":{"memory":"1024Mi","cpu":"1000m","x":2,"y":0.5," z":" 1 "}}}]}})",
                   R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"c","resources":{"limits":{" z":"1","cpu":"1","memory":"1Gi","x":"2","y":"500m"}}}]},"status":{}})"},
                  {"times become UTC seconds", "v1 Namespace",
                   R"({"metadata":{"creationTimestamp":"2026-01-02T03:04:05.7+01:00","deletionTimestamp":"0001-01-01T00:00:00Z"}})",
                   R"({"kind":"Namespace","apiVersion":"v1","metadata":{"creationTimestamp":"2026-01-02T02:04:05Z","deletionTimestamp":null},"spec":{},"status":{}})"},
                  {"micro times have six digits", "coordination.k8s.io/v1 Lease",
                   R"({"spec":{"renewTime":"2026-01-02T03:04:05.123456+01:00"}})",
                   R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{},"spec":{"renewTime":"2026-01-02T02:04:05.123456Z"}})"},
                  {"unset times are null", "v1 Event", R"({"involvedObject":{"kind":"Pod"}})",
                   R"({"kind":"Event","apiVersion":"v1","metadata":{},"involvedObject":{"kind":"Pod"},"source":{},"firstTimestamp":null,"lastTimestamp":null,"eventTime":null,"reportingComponent":"","reportingInstance":""})"},
                  {"intOrString is either, 0 when unset", "v1 Service",
                   R"({"spec":{"ports":[{"port":1},{"port":2,"targetPort":"http"},{"port":3,"targetPort":4}]}})",
                   R"({"kind":"Service","apiVersion":"v1","metadata":{},"spec":{"ports":[{"port":1,"targetPort":0},{"port":2,"targetPort":"http"},{"port":3,"targetPort":4}]},"status":{"loadBalancer":{}}})"},
                  {"bytes may be a list of numbers", "v1 Secret",
                   R"({"data":{"a":[102,111,111,null]}})",
                   R"({"kind":"Secret","apiVersion":"v1","metadata":{},"data":{"a":"Zm9vAA=="}})"},
                  {"bytes are encoded anew", "v1 Secret",
                   R"({"data":{"a":"Zm9\nv","b":"Zh==","c":"","d":null}})",
                   R"({"kind":"Secret","apiVersion":"v1","metadata":{},"data":{"a":"Zm9v","b":"Zg==","c":"","d":""}})"},
                  {"inlined structs keep their place", "v1 Pod",
                   R"({"spec":{"containers":[],"volumes":[{"emptyDir":{},"name":"v"}]}})",
                   R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"volumes":[{"name":"v","emptyDir":{}}],"containers":null},"status":{}})"},
                  {"free-form data stays as it is", "apps/v1 ControllerRevision",
                   R"({"data":{"b":[1,null,{"z":1,"a":2}],"a":""},"revision":3})",
                   R"({"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{},"data":{"b":[1,null,{"z":1,"a":2}],"a":""},"revision":3})"},
                  {"unset free-form data is null", "apps/v1 ControllerRevision", "{}",
                   R"({"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{},"data":null,"revision":0})"},
                  {"schema unions", "apiextensions.k8s.io/v1 CustomResourceDefinition", R"({"spec":{"group":"g","names":{"kind":"K","plural":"ks"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"b":{"additionalProperties":true,"default":{"z":1.0,"a":2}},"a":{"items":{"type":"string","nope":1},"additionalProperties":{"type":"integer"}}}}}}]}})", R"({"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{},"spec":{"group":"g","names":{"plural":"ks","kind":"K"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"items":{"type":"string"},"additionalProperties":{"type":"integer"}},"b":{"default":{"a":2,"z":1},"additionalProperties":true}}}}}]},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}})"},
              };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      const Decoded decoded = decode(kind(c.kind), c.in);
      CHECK(decoded.error.empty());
      CHECK(decoded.json == c.out);
      // Decoding is idempotent from the second time on (the first prints a zero time as null).
      const std::string again = decode(kind(c.kind), decoded.json).json;
      CHECK(decode(kind(c.kind), again).json == again);
    }
  }
}

TEST_CASE("decode: type errors have Go's texts", "[schema]") {
  struct Case {
    std::string_view kind, in, error;
  };
  static constexpr Case kCases[] = {
      // (real)
      {"v1 ConfigMap", R"({"data":{"a":1}})",
       "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"},
      {"v1 ConfigMap", R"({"data":["x"]})",
       "json: cannot unmarshal array into Go struct field ConfigMap.data of type "
       "map[string]string"},
      {"v1 ConfigMap", R"({"metadata":"a"})",
       "json: cannot unmarshal string into Go struct field ConfigMap.metadata of type "
       "v1.ObjectMeta"},
      {"v1 ConfigMap", R"({"data":{"on":true}})",
       "json: cannot unmarshal bool into Go struct field ConfigMap.data of type string"},
      {"v1 Pod", R"({"spec":{"containers":"x"}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type "
       "[]v1.Container"},
      {"v1 Pod", R"({"spec":{"containers":[{"ports":[{"containerPort":"80"}]}]}})",
       "json: cannot unmarshal string into Go struct field "
       "ContainerPort.spec.containers.ports.containerPort of type int32"},
      {"v1 Pod", R"({"spec":{"hostNetwork":"yes"}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool"},
      {"v1 Pod", R"({"spec":{"containers":[{"command":["sleep",5]}]}})",
       "json: cannot unmarshal number into Go struct field Container.spec.containers.command of "
       "type string"},
      {"apps/v1 Deployment", R"({"spec":{"replicas":1.5}})",
       "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of "
       "type "
       "int32"},
      {"apps/v1 Deployment", R"({"spec":{"replicas":99999999999}})",
       "json: cannot unmarshal number 99999999999 into Go struct field "
       "DeploymentSpec.spec.replicas of type int32"},
      {"v1 ConfigMap", R"({"metadata":{"creationTimestamp":"yesterday"}})",
       R"(parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006")"},
      {"v1 Service", R"({"spec":{"ports":[{"port":80,"targetPort":{"x":1}}]}})",
       "json: cannot unmarshal object into Go struct field ServicePort.spec.ports.targetPort of "
       "type int32"},
      {"coordination.k8s.io/v1 Lease", R"({"spec":{"renewTime":"2026-01-02T03:04:16.5Z"}})",
       R"(parsing time "2026-01-02T03:04:16.5Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".5Z" as ".000000")"},
      {"v1 Pod", R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"lots"}}}]}})",
       "quantities must match the regular expression "
       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
      {"v1 Secret", R"({"data":{"a":"not base64!"}})", "illegal base64 data at input byte 3"},
      // Compared with Go.
      {"v1 ConfigMap", "[]", "json: cannot unmarshal array into Go value of type v1.ConfigMap"},
      {"apps/v1 Deployment", R"({"spec":{"replicas":5.0}})",
       "json: cannot unmarshal number 5.0 into Go struct field DeploymentSpec.spec.replicas of "
       "type "
       "int32"},
      {"v1 Pod", R"({"status":{"phase":1}})",
       "json: cannot unmarshal number into Go struct field PodStatus.status.phase of type "
       "v1.PodPhase"},
      {"v1 Pod", R"({"spec":{"nodeSelector":{"a":{}}}})",
       "json: cannot unmarshal object into Go struct field PodSpec.spec.nodeSelector of type "
       "string"},
      {"v1 Pod", R"({"spec":{"containers":[{"resources":{"limits":[]}}]}})",
       "json: cannot unmarshal array into Go struct field "
       "ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList"},
      {"v1 PersistentVolumeClaim", R"({"spec":{"accessModes":[1]}})",
       "json: cannot unmarshal number into Go struct field "
       "PersistentVolumeClaimSpec.spec.accessModes of type v1.PersistentVolumeAccessMode"},
      {"v1 PersistentVolumeClaim", R"({"spec":{"accessModes":1}})",
       "json: cannot unmarshal number into Go struct field "
       "PersistentVolumeClaimSpec.spec.accessModes of type []v1.PersistentVolumeAccessMode"},
      {"v1 Pod", R"({"spec":{"volumes":[{"configMap":1}]}})",
       "json: cannot unmarshal number into Go struct field "
       "Volume.spec.volumes.VolumeSource.configMap of type v1.ConfigMapVolumeSource"},
      {"v1 Pod", R"({"kind":1})",
       "json: cannot unmarshal number into Go struct field Pod.TypeMeta.kind of type string"},
      {"v1 ConfigMap", R"({"metadata":{"creationTimestamp":1}})",
       "json: cannot unmarshal number into Go struct field "
       "ObjectMeta.metadata.creationTimestamp of type string"},
      {"v1 ConfigMap", R"({"metadata":{"ownerReferences":[{"uid":1}]}})",
       "json: cannot unmarshal number into Go struct field "
       "OwnerReference.metadata.ownerReferences.uid of type types.UID"},
      {"v1 Secret", R"({"data":{"a":1}})",
       "json: cannot unmarshal number into Go struct field Secret.data of type []uint8"},
      {"v1 Secret", R"({"data":{"a":[1,"x"]}})",
       "json: cannot unmarshal string into Go struct field Secret.data of type uint8"},
      {"v1 Secret", R"({"data":{"a":[256]}})",
       "json: cannot unmarshal number 256 into Go struct field Secret.data of type uint8"},
      {"v1 Secret", R"({"data":1})",
       "json: cannot unmarshal number into Go struct field Secret.data of type map[string][]uint8"},
      {"apiextensions.k8s.io/v1 CustomResourceDefinition",
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"additionalProperties":{"items":{"type":1}}}}}}}]}})",
       "json: cannot unmarshal number into Go struct field "
       "JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.additionalProperties.items."
       "type of type string"},
      {"apiextensions.k8s.io/v1 CustomResourceDefinition",
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"additionalProperties":1}}}]}})",
       "boolean or JSON schema expected"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.kind << " " << c.in) {
      const Decoded decoded = decode(kind(c.kind), c.in);
      CHECK(decoded.error == c.error);
    }
  }
}

TEST_CASE("decode: the first type error is told, but one that stops Go wins", "[schema]") {
  const Type& pod = kind("v1 Pod");
  CHECK(decode(pod, R"({"spec":{"hostNetwork":1,"hostPID":2}})").error ==
        "json: cannot unmarshal number into Go struct field PodSpec.spec.hostNetwork of type bool");
  CHECK(decode(pod, R"({"spec":{"hostNetwork":1},"metadata":{"creationTimestamp":"x"}})").error ==
        R"(parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006")");
  CHECK(decode(pod, R"({"metadata":{"creationTimestamp":"x"},"spec":{"activeDeadlineSeconds":""}})")
            .error.starts_with("parsing time"));
}

TEST_CASE("decode: strict errors name what was dropped", "[schema]") {
  struct Case {
    std::string_view name, kind, in, strict;
  };
  static constexpr Case kCases[] = {
      {"unknown fields with their paths (real)", "v1 Pod",
       R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","nope":1,"ports":[{"containerPort":80,"prot":"x"}]}],"hostnam":"x"},"foo":"bar"})",
       R"(unknown field "spec.containers[0].nope", unknown field "spec.containers[0].ports[0].prot", unknown field "spec.hostnam", unknown field "foo")"},
      {"duplicates, each once (real)", "v1 ConfigMap",
       R"({"data":{"a":"1","a":"2"},"extra":true,"extra":false})",
       R"(duplicate field "data.a", unknown field "extra")"},
      {"names are case-sensitive (real)", "v1 ConfigMap",
       R"({"metadata":{"name":"case","Labels":{"a":"b"}},"Data":{"a":"b"}})",
       R"(unknown field "metadata.Labels", unknown field "Data")"},
      {"duplicate fields", "v1 Pod", R"({"spec":{},"metadata":{},"spec":{"x":1}})",
       R"(duplicate field "spec", unknown field "spec.x")"},
      {"keys of maps are part of the path", "apiextensions.k8s.io/v1 CustomResourceDefinition",
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"nope":1}}}}}]}})",
       R"(unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.nope")"},
      {"nothing is strict inside a schema union",
       "apiextensions.k8s.io/v1 CustomResourceDefinition",
       R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":{"nope":1}}}}]}})", ""},
      {"inlined fields are known", "v1 Pod", R"({"spec":{"volumes":[{"name":"a","emptyDir":{}}]}})",
       ""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      const Decoded decoded = decode(kind(c.kind), c.in);
      CHECK(decoded.error.empty());
      CHECK(decoded.strict == c.strict);
    }
  }
}

// sigs.k8s.io/json decodes the later member into the earlier one.
TEST_CASE("decode: members that stand twice are merged", "[schema]") {
  struct Case {
    std::string_view kind, in, out;
  };
  static constexpr Case kCases[] = {
      {"v1 ConfigMap",
       R"({"metadata":{"name":"a","labels":{"x":"1","y":"1"}},"metadata":{"labels":{"y":"2","a":"3"}}})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"a":"3","x":"1","y":"2"}}})"},
      {"v1 ConfigMap", R"({"metadata":{"name":"a"},"metadata":null})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}})"},
      {"v1 ConfigMap", R"({"metadata":{"name":"a","name":null}})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}})"},
      {"v1 ConfigMap", R"({"metadata":{"name":"a"},"metadata":{"name":""}})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{}})"},
      {"v1 ConfigMap", R"({"metadata":{"finalizers":["a","b"]},"metadata":{"finalizers":["c"]}})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"finalizers":["c"]}})"},
      {"v1 ConfigMap",
       R"({"metadata":{"creationTimestamp":"2001-01-01T00:00:00Z"},"metadata":{"creationTimestamp":null}})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{}})"},
      {"v1 ConfigMap", R"({"data":{"a":"1"},"data":null})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{}})"},
      {"v1 ConfigMap", R"({"data":{"a":"1"},"data":{}})",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"a":"1"}})"},
      {"v1 Pod",
       R"({"spec":{"containers":[{"name":"a","image":"i"},{"name":"b"}],"containers":[{"name":"c"}]}})",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"c","image":"i","resources":{}}]},"status":{}})"},
      {"v1 Pod", R"({"spec":{"containers":[{"name":"a"}],"containers":[null,{"image":"i"}]}})",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"a","resources":{}},{"name":"","image":"i","resources":{}}]},"status":{}})"},
      {"v1 Pod", R"({"spec":{"containers":[{"name":"a"}],"containers":[]}})",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":null},"status":{}})"},
      {"v1 Pod", R"({"spec":{"securityContext":{"runAsUser":1},"securityContext":null}})",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":null},"status":{}})"},
      {"v1 Pod",
       R"({"spec":{"securityContext":{"runAsUser":1},"securityContext":{"runAsGroup":2}}})",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":null,"securityContext":{"runAsUser":1,"runAsGroup":2}},"status":{}})"},
      {"v1 Pod", R"({"spec":{"hostNetwork":true,"hostNetwork":null}})",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":null,"hostNetwork":true},"status":{}})"},
  };
  for (const Case& c : kCases) {
    INFO(c.in);
    const Decoded decoded = decode(kind(c.kind), c.in);
    CHECK(decoded.error.empty());
    CHECK(decoded.json == c.out);
    CHECK(decoded.strict.starts_with("duplicate field"));
  }
}

TEST_CASE("decode: at most a hundred strict errors", "[schema]") {
  std::string body = "{";
  for (int i = 0; i < 150; ++i) body += "\"x" + std::to_string(i) + "\":1,";
  body += "\"kind\":\"Pod\"}";
  json::Arena arena;
  const DecodeResult result =
      decode_typed(kind("v1 Pod"), codec::read_json(body, arena).value, arena);
  CHECK(result.strict_errors.size() == 100);
  CHECK(result.strict_errors.back() == "unknown field \"x99\"");
}

TEST_CASE("decode: a schema may not nest without end", "[schema]") {
  std::string body = R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":)";
  for (int i = 0; i < 2000; ++i) body += R"({"not":)";
  body += "{}" + std::string(2000, '}') + "}}]}}";
  json::Arena arena;
  const DecodeResult result = decode_typed(kind("apiextensions.k8s.io/v1 CustomResourceDefinition"),
                                           codec::read_json(body, arena).value, arena);
  CHECK(result.error == "exceeded max depth");
}

TEST_CASE("zero_value: has what is always written", "[schema]") {
  json::Arena arena;
  std::string text;
  codec::write_json(zero_value(kind("v1 Service"), arena), text);
  CHECK(text == R"({"metadata":{},"spec":{},"status":{"loadBalancer":{}}})");
}

TEST_CASE("apply_defaults: sets declared defaults in their place", "[schema]") {
  struct Case {
    std::string_view kind, in, out;
  };
  static constexpr Case kCases[] = {
      {"v1 Pod",
       R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":1},{"containerPort":2,"protocol":"UDP"}]}]}})",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"c","ports":[{"containerPort":1,"protocol":"TCP"},{"containerPort":2,"protocol":"UDP"}],"resources":{}}]},"status":{}})"},
      {"v1 Service", R"({"spec":{"ports":[{"port":1}]}})",
       R"({"kind":"Service","apiVersion":"v1","metadata":{},"spec":{"ports":[{"protocol":"TCP","port":1,"targetPort":0}]},"status":{"loadBalancer":{}}})"},
      {"v1 ReplicationController", R"({"spec":{}})",
       R"({"kind":"ReplicationController","apiVersion":"v1","metadata":{},"spec":{"replicas":1},"status":{"replicas":0}})"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.kind) {
      json::Arena arena;
      DecodeResult result = decode_typed(kind(c.kind), codec::read_json(c.in, arena).value, arena);
      apply_defaults(kind(c.kind), result.value, arena);
      std::string text;
      codec::write_json(result.value, text);
      CHECK(text == c.out);
    }
  }
}

TEST_CASE("zero_value: is what Go writes of an empty struct, for every type", "[schema]") {
  const tests::Vectors vectors("schema/vectors/typed_zero.json");
  int known = 0;
  for (const json::Value& each : vectors.cases()) {
    INFO(each.string_at("name"));
    const Type* type = Catalogue::built_in().find_type(each.string_at("name"));
    if (type == nullptr) continue;  // of a resource that a default server does not serve
    ++known;
    json::Arena arena;
    std::string zero, expected;
    codec::write_json(zero_value(*type, arena), zero);
    codec::write_json(*each.find("expected"), expected);
    CHECK(zero == expected);
  }
  CHECK(known > 200);
}

}  // namespace
}  // namespace tabernetes::schema
