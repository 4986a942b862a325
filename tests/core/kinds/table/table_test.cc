#include "registry/table/table.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <utility>

#include "../../recordings.h"
#include "base/time/rfc3339.h"
#include "kinds/table/built_in_table.h"
#include "registry/table/partial_metadata.h"

namespace tabernetes::registry {
namespace {

using json::Value;
using schema::Catalogue;

Time time_of(const char* text) { return *parse_rfc3339(text); }

Value read(std::string_view text, json::Arena& arena) {
  auto result = codec::read_json(text, arena);
  REQUIRE(result.error == "");
  return result.value;
}

// Returns the last state of each object returned by the writes of a scenario, by name.
std::map<std::string, Value> last_states(json::Range<Value> steps) {
  std::map<std::string, Value> states;
  for (const Value& step : steps) {
    const Value* body = tests::body_of(step);
    if (body == nullptr || !body->is_object() || body->string_at("kind") == "Table") continue;
    const Value* name = body->at({"metadata", "name"});
    if (name != nullptr) states[std::string(name->as_string())] = *body;
  }
  return states;
}

// Times, node ports and uids are placeholders in the recordings. The cases below compare the cells
// that depend on them.
bool has_placeholder(std::string_view cell) {
  for (const char* name : {"{{age}}", "{{time}}", "{{nodePort:", "{{uid:"}) {
    if (cell.find(name) != std::string_view::npos) return true;
  }
  return false;
}

void check_cells(const Value& ours, const Value& recorded) {
  REQUIRE(ours.size() == recorded.size());
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const Value& expected = recorded.items()[i];
    if (expected.is_string() && has_placeholder(expected.as_string())) continue;
    CHECK(tests::to_text(ours.items()[i]) == tests::to_text(expected));
  }
}

// Compares rows of recorded tables with those printed from the recorded objects.
int check_scenario(const tests::Recordings& recordings, const char* scenario,
                   std::string_view group, std::string_view kind) {
  const auto steps = recordings.steps(scenario);
  std::map<std::string, Value> states = last_states(steps);
  int rows = 0;
  for (const Value& step : steps) {
    const Value* table = tests::body_of(step);
    if (table == nullptr || table->string_at("kind") != "Table") continue;
    INFO(scenario << " " << tests::path_of(step));
    json::Arena arena;
    Value objects = Value::array(arena);
    for (const Value& row : table->find("rows")->items()) {
      const Value* name = row.at({"object", "metadata", "name"});
      REQUIRE(name != nullptr);
      REQUIRE(states.count(std::string(name->as_string())) == 1);
      objects.push_back(arena, states[std::string(name->as_string())]);
    }
    const Value ours = make_table(BuiltInTable(group, kind), objects.items(),
                                  *table->find("metadata"), {}, Time{}, arena);
    CHECK(tests::to_text(*ours.find("columnDefinitions")) ==
          tests::to_text(*table->find("columnDefinitions")));
    const auto our_rows = ours.find("rows")->items();
    const auto recorded_rows = table->find("rows")->items();
    REQUIRE(our_rows.size() == recorded_rows.size());
    for (std::size_t i = 0; i < recorded_rows.size(); ++i, ++rows) {
      check_cells(*our_rows[i].find("cells"), *recorded_rows[i].find("cells"));
      const Value* conditions = recorded_rows[i].find("conditions");
      const Value* our_conditions = our_rows[i].find("conditions");
      REQUIRE((conditions == nullptr) == (our_conditions == nullptr));
      if (conditions != nullptr) {
        CHECK(tests::to_text(*our_conditions) == tests::to_text(*conditions));
      }
      CHECK(our_rows[i].find("object")->string_at("kind") == "PartialObjectMetadata");
    }
  }
  return rows;
}

TEST_CASE("table: cells equal those of a real server", "[registry]") {
  struct Case {
    const char* scenario;
    const char* group;
    const char* kind;
    int rows;
  };
  static constexpr Case kCases[] = {
      {"table-pods", "", "Pod", 10},
      {"table-deployments", "apps", "Deployment", 3},
      {"table-replicasets", "apps", "ReplicaSet", 2},
      {"table-statefulsets", "apps", "StatefulSet", 2},
      {"table-daemonsets", "apps", "DaemonSet", 2},
      {"table-jobs", "batch", "Job", 5},
      {"table-cronjobs", "batch", "CronJob", 3},
      {"table-services", "", "Service", 7},
      {"table-ingresses", "networking.k8s.io", "Ingress", 3},
      {"table-configmaps", "", "ConfigMap", 3},
      {"table-secrets", "", "Secret", 2},
      {"table-serviceaccounts", "", "ServiceAccount", 2},
      {"table-endpoints", "", "Endpoints", 3},
      {"table-endpointslices", "discovery.k8s.io", "EndpointSlice", 2},
      {"table-pvcs", "", "PersistentVolumeClaim", 2},
      {"table-pvs", "", "PersistentVolume", 1},
      {"table-nodes", "", "Node", 1},
      {"table-namespaces", "", "Namespace", 1},
      {"table-events", "", "Event", 2},
      {"table-hpas", "autoscaling", "HorizontalPodAutoscaler", 2},
      {"table-pdbs", "policy", "PodDisruptionBudget", 2},
      {"table-leases", "coordination.k8s.io", "Lease", 2},
      {"table-quotas", "", "ResourceQuota", 2},
      {"table-limitranges", "", "LimitRange", 2},
      {"table-networkpolicies", "networking.k8s.io", "NetworkPolicy", 2},
      {"table-roles", "rbac.authorization.k8s.io", "Role", 2},
      {"table-rolebindings", "rbac.authorization.k8s.io", "RoleBinding", 2},
      {"table-storageclasses", "storage.k8s.io", "StorageClass", 1},
      {"table-priorityclasses", "scheduling.k8s.io", "PriorityClass", 1},
      {"table-ingressclasses", "networking.k8s.io", "IngressClass", 1},
      {"table-replicationcontrollers", "", "ReplicationController", 2},
      {"table-controllerrevisions", "apps", "ControllerRevision", 2},
      {"table-vaps", "admissionregistration.k8s.io", "ValidatingAdmissionPolicy", 1},
      {"table-webhooks", "admissionregistration.k8s.io", "ValidatingWebhookConfiguration", 1},
  };
  const tests::Recordings recordings("tables");
  for (const Case& c : kCases) {
    INFO(c.scenario);
    CHECK(check_scenario(recordings, c.scenario, c.group, c.kind) == c.rows);
  }
}

// Returns the cells of a JSON object as JSON, without escaping < and >.
std::string cells_of(std::string_view group, std::string_view kind, std::string_view object) {
  json::Arena arena;
  Value objects = Value::array(arena);
  objects.push_back(arena, read(object, arena));
  const Value table = make_table(BuiltInTable(group, kind), objects.items(), Value::object(arena),
                                 {}, time_of("2026-01-02T00:00:00Z"), arena);
  std::string cells = tests::to_text(*table.find("rows")->items()[0].find("cells"));
  for (const auto& [escape, character] : {std::pair{"\\u003c", "<"}, std::pair{"\\u003e", ">"}}) {
    for (std::size_t at = 0; (at = cells.find(escape, at)) != std::string::npos;) {
      cells.replace(at, 6, character);
    }
  }
  return cells;
}

TEST_CASE("table: cells that depend on time or on rare states", "[registry]") {
  struct Case {
    const char* name;
    const char* group;
    const char* kind;
    const char* object;
    const char* cells;
  };
  static constexpr Case kCases[] = {
      {"restarts name the latest end", "", "Pod",
       R"({"metadata":{"name":"p","creationTimestamp":"2026-01-01T23:00:00Z"},
           "spec":{"containers":[{"name":"a"},{"name":"b"}]},
           "status":{"phase":"Running","containerStatuses":[
            {"name":"a","ready":true,"restartCount":2,"state":{"running":{}},
             "lastState":{"terminated":{"finishedAt":"2026-01-01T23:50:00Z"}}},
            {"name":"b","ready":true,"restartCount":1,"state":{"running":{}},
             "lastState":{"terminated":{"finishedAt":"2026-01-01T23:58:30Z"}}}]}})",
       R"J(["p","2/2","Running","3 (90s ago)","60m","<none>","<none>","<none>","<none>"])J"},
      {"a sidecar counts as a container", "", "Pod",
       R"({"metadata":{"name":"p"},
           "spec":{"initContainers":[{"name":"s","restartPolicy":"Always"},{"name":"i"}],
                   "containers":[{"name":"a"}]},
           "status":{"phase":"Pending","initContainerStatuses":[
            {"name":"s","started":true,"ready":true,"restartCount":1,"state":{"running":{}}},
            {"name":"i","restartCount":4,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}})",
       R"(["p","1/2","Init:CrashLoopBackOff","5","<unknown>","<none>","<none>","<none>","<none>"])"},
      {"a gated pod", "", "Pod",
       R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a"}],
           "readinessGates":[{"conditionType":"x/y"}]},
           "status":{"phase":"Pending","conditions":[
            {"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]}})",
       R"(["p","0/1","SchedulingGated","0","<unknown>","<none>","<none>","<none>","0/1"])"},
      {"a pod on a lost node", "", "Pod",
       R"({"metadata":{"name":"p","deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{},
           "status":{"phase":"Running","reason":"NodeLost"}})",
       R"(["p","0/0","Unknown","0","<unknown>","<none>","<none>","<none>","<none>"])"},
      {"a deployment with an expression", "apps", "Deployment",
       R"({"metadata":{"name":"d","creationTimestamp":"2025-12-31T00:00:00Z"},"spec":{"replicas":1,
           "selector":{"matchLabels":{"b":"1"},"matchExpressions":[
            {"key":"a","operator":"In","values":["y","x"]},{"key":"c","operator":"DoesNotExist"},
            {"key":"d","operator":"Exists"},{"key":"e","operator":"NotIn","values":["z"]}]}}})",
       R"J(["d","0/1",0,0,"2d","","","a in (x,y),b=1,!c,d,e notin (z)"])J"},
      {"a deployment with an invalid selector", "apps", "Deployment",
       R"({"metadata":{"name":"d"},"spec":{"selector":{"matchExpressions":[
            {"key":"a","operator":"In"}]}}})",
       R"(["d","0/0",0,0,"<unknown>","","","<invalid>"])"},
      {"a running job", "batch", "Job",
       R"({"metadata":{"name":"j","creationTimestamp":"2026-01-01T23:59:00Z"},
           "spec":{"completions":2},"status":{"startTime":"2026-01-01T23:59:01Z","succeeded":1}})",
       R"(["j","Running","1/2","59s","60s","","","<none>"])"},
      {"a suspended job", "batch", "Job",
       R"({"metadata":{"name":"j"},"spec":{},"status":{"conditions":[
            {"type":"Suspended","status":"True"},{"type":"FailureTarget","status":"True"}]}})",
       R"(["j","Suspended","0/1","","<unknown>","","","<none>"])"},
      {"a cron job without suspend", "batch", "CronJob",
       R"({"metadata":{"name":"c"},"spec":{"schedule":"* * * * *"},
           "status":{"lastScheduleTime":"2026-01-01T22:00:00Z"}})",
       R"(["c","* * * * *","<none>","<unset>",0,"120m","<unknown>","","","<none>"])"},
      {"a load balancer with node ports", "", "Service",
       R"({"metadata":{"name":"s"},"spec":{"type":"LoadBalancer","clusterIPs":["10.96.0.1"],
           "externalIPs":["203.0.113.9"],"ports":[{"port":443,"nodePort":30443,"protocol":"TCP"}]},
           "status":{"loadBalancer":{"ingress":[{"hostname":"b"},{"ip":"10.0.0.2"},
            {"hostname":"b"}]}}})",
       R"(["s","LoadBalancer","10.96.0.1","10.0.0.2,b,203.0.113.9","443:30443/TCP","<unknown>",)"
       R"("<none>"])"},
      {"a node that says nothing", "", "Node", R"({"metadata":{"name":"n"}})",
       R"(["n","Unknown","<none>","<unknown>","","<none>","<none>","<unknown>","<unknown>","<unknown>"])"},
      {"a claim by its old annotation", "", "PersistentVolumeClaim",
       R"({"metadata":{"name":"c","deletionTimestamp":"2026-01-01T00:00:00Z",
            "annotations":{"volume.beta.kubernetes.io/storage-class":"old"}},
           "spec":{"storageClassName":"new"},"status":{"phase":"Pending",
            "accessModes":["ReadWriteOnce"]}})",
       R"(["c","Terminating","","","","old","<unset>","<unknown>","<unset>"])"},
      {"endpoints without ports", "", "Endpoints",
       R"({"metadata":{"name":"e"},"subsets":[{"addresses":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}]},
            {"addresses":[{"ip":"fd00::2"}],"ports":[{"port":80}]}]})",
       R"(["e","10.0.0.1,fd00::1,[fd00::2]:80","<unknown>"])"},
      {"the default table", "rbac.authorization.k8s.io", "ClusterRole",
       R"({"metadata":{"name":"r","creationTimestamp":"2026-01-01T00:00:00Z"}})",
       R"(["r","2026-01-01T00:00:00Z"])"},
      {"a kind that has columns and does not use them", "storage.k8s.io", "CSIStorageCapacity",
       R"({"metadata":{"name":"r"}})", R"(["r","0001-01-01T00:00:00Z"])"},
      {"an object with wrong types everywhere", "", "Pod",
       R"({"metadata":[],"spec":{"containers":{}},"status":{"podIPs":[1],"conditions":"x"}})",
       R"(["","0/0","","0","<unknown>","<none>","<none>","<none>","<none>"])"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(cells_of(c.group, c.kind, c.object) == c.cells); }
  }
}

TEST_CASE("table: every printer adds a cell per column", "[registry]") {
  const Catalogue& catalogue = Catalogue::built_in();
  for (const schema::Resource& resource : catalogue.resources()) {
    json::Arena arena;
    Value objects = Value::array(arena);
    objects.push_back(arena, Value::object(arena));
    const Value table = make_table(BuiltInTable(resource.group, resource.kind), objects.items(),
                                   Value::object(arena), {}, Time{}, arena);
    INFO(resource.group << "/" << resource.kind);
    // Upstream prints one more cell than columns for IPAddress.
    const std::uint32_t extra = resource.kind == "IPAddress" ? 1 : 0;
    CHECK(table.find("rows")->items()[0].find("cells")->size() ==
          table.find("columnDefinitions")->size() + extra);
  }
}

TEST_CASE("table: options choose object, version and columns", "[registry]") {
  json::Arena arena;
  Value objects = Value::array(arena);
  objects.push_back(arena, read(R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"s",
                                    "resourceVersion":"5"},"type":"Opaque"})",
                                arena));
  const auto table_with = [&](const TableOptions& options) {
    return make_table(BuiltInTable("", "Secret"), objects.items(),
                      table_metadata(objects.items()[0], arena), options, Time{}, arena);
  };
  const auto text_of = [](const Value& table, const char* member) {
    return tests::to_text(*table.find(member));
  };
  const std::string cells = R"({"cells":["s","Opaque",0,"\u003cunknown\u003e"],"object":)";

  const Value full = table_with({.include_object = IncludeObject::kObject});
  CHECK(text_of(full, "metadata") == R"({"resourceVersion":"5"})");
  CHECK(text_of(full, "rows") ==
        "[" + cells +
            R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"s","resourceVersion":"5"},)"
            R"("type":"Opaque"}}])");
  const Value none = table_with({.include_object = IncludeObject::kNone, .with_columns = false});
  CHECK(text_of(none, "rows") == "[" + cells + "null}]");
  CHECK(text_of(none, "columnDefinitions") == "null");
  const Value beta = table_with({.version = "v1beta1"});
  CHECK(beta.string_at("apiVersion") == "meta.k8s.io/v1beta1");
  CHECK(text_of(beta, "rows") ==
        "[" + cells +
            R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1",)"
            R"("metadata":{"name":"s","resourceVersion":"5"}}}])");
}

TEST_CASE("table: the bookmark after initial events always has its annotation", "[registry]") {
  json::Arena arena;
  Value objects = Value::array(arena);
  objects.push_back(arena, read(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":
      {"resourceVersion":"4","annotations":{"k8s.io/initial-events-end":"true"}}})",
                                arena));
  const Value table =
      make_table(BuiltInTable("", "ConfigMap"), objects.items(), Value::object(arena),
                 {.include_object = IncludeObject::kNone}, Time{}, arena);
  CHECK(tests::to_text(*table.find("rows")) ==
        R"([{"cells":["",0,"\u003cunknown\u003e"],"object":{"kind":"PartialObjectMetadata",)"
        R"("apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"4",)"
        R"("annotations":{"k8s.io/initial-events-end":"true"}}}}])");
}

TEST_CASE("table: flow schemas are in matching order", "[registry]") {
  json::Arena arena;
  const Value objects = read(R"([{"metadata":{"name":"c"},"spec":{"matchingPrecedence":2}},
                                 {"metadata":{"name":"b"},"spec":{"matchingPrecedence":2}},
                                 {"metadata":{"name":"d"},"spec":{"matchingPrecedence":1}}])",
                             arena);
  const Value table = make_table(BuiltInTable("flowcontrol.apiserver.k8s.io", "FlowSchema"),
                                 objects.items(), Value::object(arena), {}, Time{}, arena);
  std::string names;
  for (const Value& row : table.find("rows")->items()) {
    names += row.find("cells")->items()[0].as_string();
  }
  CHECK(names == "dbc");
}

TEST_CASE("table: includeObject has three values", "[registry]") {
  CHECK(parse_include_object("") == IncludeObject::kMetadata);
  CHECK(parse_include_object("Metadata") == IncludeObject::kMetadata);
  CHECK(parse_include_object("Object") == IncludeObject::kObject);
  CHECK(parse_include_object("None") == IncludeObject::kNone);
  CHECK(!parse_include_object("none"));
}

TEST_CASE("partial metadata: objects and lists equal those of a real server", "[registry]") {
  const tests::Recordings recordings("tables");
  const auto steps = recordings.steps("partial-metadata");
  REQUIRE(steps.size() > 2);
  json::Arena arena;
  const Value object = *tests::body_of(steps[0]);
  CHECK(tests::to_text(partial_metadata(nullptr, object, "v1", arena)) ==
        tests::to_text(*tests::body_of(steps[1])));
  Value objects = Value::array(arena);
  objects.push_back(arena, object);
  const Value& list = *tests::body_of(steps[2]);
  CHECK(tests::to_text(partial_metadata_list(nullptr, objects.items(), *list.find("metadata"), "v1",
                                             arena)) == tests::to_text(list));
  CHECK(partial_metadata(nullptr, object, "v1beta1", arena).string_at("apiVersion") ==
        "meta.k8s.io/v1beta1");
}

}  // namespace
}  // namespace tabernetes::registry
