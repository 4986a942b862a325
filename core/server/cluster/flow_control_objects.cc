#include "server/cluster/flow_control_objects.h"

namespace tabernetes::server {
namespace {

struct Level {
  std::string_view name;
  int shares = 0, lendable = 0;
  int queues = 0, hand = 0;  // none: what is too much is refused
};
constexpr Level kLevels[] = {
    {"catch-all", 5},
    {"exempt"},
    {"global-default", 20, 50, 128, 6},
    {"leader-election", 10, 0, 16, 4},
    {"node-high", 40, 25, 64, 6},
    {"system", 30, 33, 64, 6},
    {"workload-high", 40, 50, 128, 6},
    {"workload-low", 100, 90, 128, 6},
};

// Rules of requests, put together from pieces.
#define TAB_RULE(verbs, groups, resources, scope)                                             \
  R"({"verbs":[)" verbs R"(],"apiGroups":[)" groups R"(],"resources":[)" resources "]," scope \
  R"("namespaces":["*"]})"
#define TAB_GROUP(name) R"({"kind":"Group","group":{"name":"system:)" name R"("}})"
#define TAB_USER(name) R"({"kind":"User","user":{"name":"system:)" name R"("}})"
#define TAB_ACCOUNTS \
  R"({"kind":"ServiceAccount","serviceAccount":{"namespace":"kube-system","name":"*"}})"

constexpr std::string_view kEverything = R"("resourceRules":[)" TAB_RULE(
    R"("*")", R"("*")", R"("*")",
    R"("clusterScope":true,)") R"(],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}])";
constexpr std::string_view kProbeRules =
    R"("nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/healthz","/readyz","/livez"]}])";
constexpr std::string_view kLeases = R"("resourceRules":[)" TAB_RULE(
    R"("get","create","update")", R"("coordination.k8s.io")", R"("leases")", "") "]";
constexpr std::string_view kNodes = R"("resourceRules":[)" TAB_RULE(
    R"("*")", R"("")", R"("nodes","nodes/status")",
    R"("clusterScope":true,)") "," TAB_RULE(R"("*")", R"("coordination.k8s.io")", R"("leases")",
                                            "") "]";
constexpr std::string_view kAnybody = TAB_GROUP("unauthenticated") "," TAB_GROUP("authenticated");

struct Schema {
  std::string_view name, level;
  int precedence;
  std::string_view flows;  // by what requests are told apart; empty: not at all
  std::string_view subjects;
  std::string_view rules = kEverything;
};
constexpr Schema kSchemas[] = {
    {"catch-all", "catch-all", 10000, "ByUser", kAnybody},
    {"exempt", "exempt", 1, "", TAB_GROUP("masters")},
    {"global-default", "global-default", 9900, "ByUser", kAnybody},
    {"kube-controller-manager", "workload-high", 800, "ByNamespace",
     TAB_USER("kube-controller-manager")},
    {"kube-scheduler", "workload-high", 800, "ByNamespace", TAB_USER("kube-scheduler")},
    {"kube-system-service-accounts", "workload-high", 900, "ByNamespace", TAB_ACCOUNTS},
    {"probes", "exempt", 2, "", kAnybody, kProbeRules},
    {"service-accounts", "workload-low", 9000, "ByUser", TAB_GROUP("serviceaccounts")},
    {"system-leader-election", "leader-election", 100, "ByUser",
     TAB_USER("kube-controller-manager") "," TAB_USER("kube-scheduler") "," TAB_ACCOUNTS, kLeases},
    {"system-node-high", "node-high", 400, "ByUser", TAB_GROUP("nodes"), kNodes},
    {"system-nodes", "system", 500, "ByUser", TAB_GROUP("nodes")},
};
#undef TAB_RULE
#undef TAB_GROUP
#undef TAB_USER
#undef TAB_ACCOUNTS

void add_head(std::string& out, std::string_view kind, std::string_view name) {
  out.append(R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":")").append(kind);
  out.append(R"(","metadata":{"name":")").append(name);
  out.append(R"(","annotations":{"apf.kubernetes.io/autoupdate-spec":"true"}},"spec":{)");
}

void add_level(std::string& out, const Level& level) {
  add_head(out, "PriorityLevelConfiguration", level.name);
  if (level.shares == 0) {
    out.append("\"type\":\"Exempt\",\"exempt\":{}}}\n");
    return;
  }
  out.append(R"("type":"Limited","limited":{"nominalConcurrencyShares":)");
  out.append(std::to_string(level.shares)).append(",\"lendablePercent\":");
  out.append(std::to_string(level.lendable)).append(R"(,"limitResponse":{"type":")");
  if (level.queues == 0) {
    out.append("Reject\"}}}}\n");
    return;
  }
  out.append(R"(Queue","queuing":{"queues":)").append(std::to_string(level.queues));
  out.append(",\"handSize\":").append(std::to_string(level.hand)).append("}}}}}\n");
}

void add_schema(std::string& out, const Schema& schema) {
  add_head(out, "FlowSchema", schema.name);
  out.append(R"("priorityLevelConfiguration":{"name":")").append(schema.level);
  out.append("\"},\"matchingPrecedence\":").append(std::to_string(schema.precedence));
  if (!schema.flows.empty()) {
    out.append(",\"distinguisherMethod\":{\"type\":\"").append(schema.flows).append("\"}");
  }
  out.append(",\"rules\":[{\"subjects\":[").append(schema.subjects).append("],");
  out.append(schema.rules).append("}]}}\n");
}

}  // namespace

std::string flow_control_manifest() {
  std::string out;
  for (const Level& level : kLevels) add_level(out, level);
  for (const Schema& schema : kSchemas) add_schema(out, schema);
  return out;
}

}  // namespace tabernetes::server
