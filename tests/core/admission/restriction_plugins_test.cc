// Plugins that restrict who may write what, and what an AdmissionConfiguration tells them.
#include "admission/plugin_settings.h"
#include "admission/plugin_state.h"
#include "base/text/base64.h"
#include "cluster.h"
#include "tabernetes/options.h"

namespace tabernetes::admission {
namespace {

using Resource = TestCluster::Resource;

constexpr Resource kEvents{"", "v1", "events"};

void configure(TestCluster& cluster, std::string_view plugin, std::string_view configuration) {
  auto settings = std::make_shared<PluginSettings>();
  std::string text =
      "{'apiVersion':'apiserver.config.k8s.io/v1','kind':'AdmissionConfiguration','plugins':[{"
      "'name':'" +
      std::string(plugin) + "','configuration':" + std::string(configuration) + "}]}";
  const auto read = read_plugin_settings(text, {}, *settings);
  INFO((read ? std::string() : read.fault().message));
  REQUIRE(read);
  cluster.chain.configure(settings);
}

TEST_CASE("NodeRestriction: a kubelet writes its own node only", "[admission]") {
  TestCluster cluster(all_plugins(), with("NodeRestriction"));
  const registry::User kubelet{"system:node:one", "", {"system:nodes"}, {}};
  const registry::User nobody{"system:node:", "", {"system:nodes"}, {}};
  const registry::User impostor{"system:node:two", "", {}, {}};  // not in the group
  cluster.user = &kubelet;
  CHECK(stored(cluster.create(TestCluster::kNodes, "", "{'metadata':{'name':'one'}}")));
  CHECK(cluster.create(TestCluster::kNodes, "", "{'metadata':{'name':'two'}}") ==
        "nodes \"two\" is forbidden: node \"one\" is not allowed to modify node \"two\"");
  CHECK(cluster.update(TestCluster::kNodes, "", "one",
                       [&](json::Value& node) {
                         node.find("metadata")
                             ->set(cluster.arena, "labels",
                                   cluster.read("{'node-restriction.kubernetes.io/a':'b','x':'y',"
                                                "'kubernetes.io/os':'linux','k8s.io/z':''}"));
                       }) ==
        "nodes \"one\" is forbidden: is not allowed to modify labels: k8s.io/z, "
        "node-restriction.kubernetes.io/a");
  CHECK(stored(cluster.update(TestCluster::kNodes, "", "one", [&](json::Value& node) {
    node.find("metadata")
        ->set(cluster.arena, "labels",
              cluster.read("{'x':'y','kubernetes.io/os':'linux','a.node.kubernetes.io/b':''}"));
  })));
  CHECK(cluster.update(TestCluster::kNodes, "", "one", [&](json::Value& node) {
    node.set(cluster.arena, "spec", cluster.read("{'taints':[{'key':'k','effect':'NoSchedule'}]}"));
  }) == "nodes \"one\" is forbidden: node \"one\" is not allowed to modify taints");
  cluster.user = &nobody;
  CHECK(cluster.create(TestCluster::kNodes, "", "{'metadata':{'name':'two'}}") ==
        "nodes \"two\" is forbidden: could not determine node from user \"system:node:\"");
  cluster.user = &impostor;
  CHECK(stored(cluster.create(TestCluster::kNodes, "", "{'metadata':{'name':'two'}}")));
}

TEST_CASE("NodeRestriction: a kubelet creates mirror pods, and deletes the pods on it",
          "[admission]") {
  TestCluster cluster(all_plugins(), with("NodeRestriction"));
  const registry::User kubelet{"system:node:one", "", {"system:nodes"}, {}};
  REQUIRE(stored(cluster.create_pod("elsewhere", "'nodeName':'two'")));
  REQUIRE(stored(cluster.create_pod("here", "'nodeName':'one'")));
  cluster.user = &kubelet;
  CHECK(cluster.create_pod("p", "'nodeName':'one'") ==
        "pods \"p\" is forbidden: pod does not have \"kubernetes.io/config.mirror\" annotation, "
        "node \"one\" can only create mirror pods");
  const auto mirror = [&](std::string_view spec, std::string_view owners) {
    return cluster.create(TestCluster::kPods, "default",
                          "{'metadata':{'name':'m','annotations':{'kubernetes.io/config.mirror':"
                          "'x'},'ownerReferences':[" +
                              std::string(owners) + "]},'spec':{" + std::string(spec) +
                              "'containers':[{'name':'c','image':'i'}]}}");
  };
  CHECK(mirror("'nodeName':'two',", "") ==
        "pods \"m\" is forbidden: node \"one\" can only create pods with spec.nodeName set to "
        "itself");
  CHECK(mirror("'nodeName':'one',", "") ==
        "pods \"m\" is forbidden: node \"one\" can only create pods with an owner reference set to "
        "itself");
  constexpr std::string_view kOwner =
      "{'apiVersion':'v1','kind':'Node','name':'one','uid':'u','controller':true}";
  CHECK(mirror("'nodeName':'one',", kOwner) == "node \"one\" not found");
  CHECK(cluster.remove(TestCluster::kPods, "default", "elsewhere") ==
        "pods \"elsewhere\" is forbidden: node \"one\" can only delete pods with spec.nodeName set "
        "to itself");
  CHECK(cluster.remove(TestCluster::kPods, "default", "here") == "kept");
}

TEST_CASE("PodTolerationRestriction: defaults are merged, and a whitelist holds", "[admission]") {
  TestCluster cluster(all_plugins(), with("PodTolerationRestriction"));
  REQUIRE(stored(cluster.create(
      TestCluster::kNamespaces, "",
      "{'metadata':{'name':'n','annotations':{'scheduler.alpha.kubernetes.io/defaultTolerations':"
      "'[{\\'key\\':\\'a\\',\\'operator\\':\\'Exists\\'}]'}}}")));
  const auto pod = [&](std::string_view ns, std::string_view tolerations) {
    return cluster.create(TestCluster::kPods, ns,
                          "{'metadata':{'generateName':'p-'},'spec':{'tolerations':[" +
                              std::string(tolerations) +
                              "],'containers':[{'name':'c','image':'i'}]}}");
  };
  // The wider toleration is kept.
  const std::string made = pod("n", "{'key':'a','operator':'Exists','effect':'NoSchedule'}");
  CHECK(has(made, R"(,{"key":"a","operator":"Exists"}])"));
  configure(cluster, "PodTolerationRestriction",
            "{'apiVersion':'podtolerationrestriction.admission.k8s.io/v1alpha1','kind':"
            "'Configuration','whitelist':[{'operator':'Exists','effect':'NoExecute'}]}");
  CHECK(stored(pod("default", "")));
  CHECK(pod("default", "{'key':'b','operator':'Exists'}") ==
        "pod tolerations (possibly merged with namespace default tolerations) conflict with its "
        "cluster whitelist");
}

TEST_CASE("EventRateLimit: a bucket empties and fills again", "[admission]") {
  TestCluster cluster(all_plugins(), with("EventRateLimit"));
  configure(cluster, "EventRateLimit",
            "{'apiVersion':'eventratelimit.admission.k8s.io/v1alpha1','kind':'Configuration',"
            "'limits':[{'type':'Namespace','qps':1,'burst':2,'cacheSize':2}]}");
  int count = 0;
  const auto event = [&] {
    const std::string name = "e" + std::to_string(++count);
    return cluster.create(
        kEvents, "default",
        "{'metadata':{'name':'" + name + "'},'involvedObject':{'namespace':'default'}}");
  };
  CHECK(stored(event()));
  CHECK(stored(event()));
  const std::string refused = "Too many requests: limit reached on type Namespace for key default";
  CHECK(event() == refused);
  cluster.dry_run = true;
  CHECK(stored(event()));
  cluster.dry_run = false;
  cluster.now = cluster.now + Duration::from_seconds(1);
  CHECK(stored(event()));
  CHECK(event() == refused);
}

TEST_CASE("EventRateLimit: of too many keys, the one that was used longest ago is forgotten",
          "[admission]") {
  EventBuckets buckets(
      {.type = EventLimit::Type::kUser, .per_second = 1, .burst = 1, .cache_size = 2});
  const Time now = Time::from_unix_milliseconds(0);
  CHECK(buckets.take("a", now));
  CHECK(buckets.take("b", now));
  CHECK_FALSE(buckets.take("a", now));
  CHECK(buckets.take("c", now));  // forgets b
  CHECK_FALSE(buckets.take("a", now));
  CHECK(buckets.take("b", now));
}

TEST_CASE("PodSecurity: defaults hold without labels, and exemptions win", "[admission]") {
  TestCluster cluster;
  configure(cluster, "PodSecurity",
            "{'apiVersion':'pod-security.admission.config.k8s.io/v1','kind':"
            "'PodSecurityConfiguration','defaults':{'enforce':'baseline','enforce-version':"
            "'v1.30'},'exemptions':{'namespaces':['free'],'usernames':['root']}}");
  for (const std::string_view ns : {"free", "open"}) {
    REQUIRE(stored(cluster.create(TestCluster::kNamespaces, "",
                                  "{'metadata':{'name':'" + std::string(ns) + "'}}")));
  }
  const auto pod = [&](std::string_view ns) {
    return cluster.create(TestCluster::kPods, ns,
                          "{'metadata':{'generateName':'p-'},'spec':{'hostNetwork':true,"
                          "'containers':[{'name':'c','image':'i'}]}}");
  };
  CHECK(has(pod("open"), "violates PodSecurity \"baseline:v1.30\": host namespaces"));
  CHECK(stored(pod("free")));
  const registry::User root{"root", "", {}, {}};
  cluster.user = &root;
  CHECK(stored(pod("open")));
  cluster.warnings.clear();
  REQUIRE(stored(cluster.update(TestCluster::kNamespaces, "", "free", [&](json::Value& ns) {
    ns.find("metadata")
        ->set(cluster.arena, "labels",
              cluster.read("{'pod-security.kubernetes.io/enforce':'restricted'}"));
  })));
  REQUIRE(cluster.warnings.size() == 1);
  CHECK(cluster.warnings[0] ==
        "namespace \"free\" is exempt from Pod Security, and the policy "
        "(enforce=restricted:v1.30) will be ignored");
}

TEST_CASE("PodNodeSelector: the configuration has a default and whitelists", "[admission]") {
  TestCluster cluster(all_plugins(), with("PodNodeSelector"));
  configure(cluster, "PodNodeSelector",
            "{'podNodeSelectorPluginConfig':{'clusterDefaultNodeSelector':'zone=a','default':"
            "'zone=a'}}");
  CHECK(has(cluster.create_pod("a"), R"("nodeSelector":{"zone":"a"})"));
  CHECK(cluster.create_pod("b", "'nodeSelector':{'disk':'ssd'}") ==
        "pods \"b\" is forbidden: pod node label selector labels conflict with its namespace "
        "whitelist");
}

// Returns a certificate request (PKCS #10) as far as the plugins read it.
std::string request_for(std::string_view organization) {
  const auto element = [](char tag, std::string_view contents) {
    return std::string(1, tag) + static_cast<char>(contents.size()) + std::string(contents);
  };
  const std::string attribute =
      element('\x30', element('\x06', "\x55\x04\x0a") + element('\x0c', organization));
  const std::string info = element('\x30', element('\x02', std::string_view("\0", 1)) +
                                               element('\x30', element('\x31', attribute)) +
                                               element('\x30', {}));  // the public key
  return base64_encode("-----BEGIN CERTIFICATE REQUEST-----\n" +
                       base64_encode(element('\x30', info)) +
                       "\n-----END CERTIFICATE REQUEST-----\n");
}

TEST_CASE("CertificateSubjectRestriction: nobody becomes a master by a certificate",
          "[admission]") {
  TestCluster cluster;
  constexpr Resource kRequests{"certificates.k8s.io", "v1", "certificatesigningrequests"};
  const auto ask = [&](std::string_view request) {
    return cluster.create(kRequests, "",
                          "{'metadata':{'generateName':'c-'},'spec':{'signerName':"
                          "'kubernetes.io/kube-apiserver-client','usages':['client auth'],"
                          "'request':'" +
                              std::string(request) + "'}}");
  };
  CHECK(stored(ask(request_for("users"))));
  CHECK(has(ask(request_for("system:masters")),
            "is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters "
            "group is not allowed"));
}

TEST_CASE("AdmissionConfiguration: what cannot be used is named", "[admission]") {
  struct Case {
    std::string_view text, fault;
  };
  constexpr std::string_view kHead =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n";
  static constexpr Case kCases[] = {
      {"- name: Nothing\n", "AdmissionConfiguration.plugins[0].name: is no admission plugin"},
      {"- name: PodSecurity\n  path: x.yaml\n",
       "AdmissionConfiguration.plugins[0].path: is not read; put the content into configuration"},
      {"- name: Priority\n  configuration: {}\n",
       "AdmissionConfiguration.plugins[0].configuration: is not supported for Priority"},
      {"- name: PodSecurity\n  configuration:\n    kind: PodSecurityConfiguration\n    apiVersion: "
       "pod-security.admission.config.k8s.io/v1\n    defaults: {enforce: strict}\n",
       "AdmissionConfiguration.plugins[0].configuration.defaults.enforce: must be one of "
       "privileged, baseline, restricted"},
      {"- name: EventRateLimit\n  configuration:\n    kind: Configuration\n    apiVersion: "
       "eventratelimit.admission.k8s.io/v1alpha1\n    limits: [{type: Server, qps: 0, burst: 1}]\n",
       "AdmissionConfiguration.plugins[0].configuration.limits[0].qps: must be positive"},
  };
  for (const Case& c : kCases) {
    const auto checked = check_admission_configuration(std::string(kHead) + std::string(c.text));
    REQUIRE_FALSE(checked);
    CHECK(checked.fault().message == c.fault);
  }
  CHECK(check_admission_configuration(""));
  CHECK_FALSE(check_admission_configuration("kind: Pod"));
}

// --- Fail closed

Result<void> fail(const AdmissionRequest&, PluginState&) { return errors::internal_error("fault"); }

TEST_CASE("chain: a fault in any phase of any plugin refuses the request", "[admission]") {
  const std::span<const Plugin> all = all_plugins();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const bool mutating : {true, false}) {
      Phase Plugin::*phase = mutating ? &Plugin::mutate : &Plugin::validate;
      if (all[i].*phase == nullptr) continue;
      std::vector<Plugin> table(all.begin(), all.end());
      table[i].mutate = table[i].validate = nullptr;
      table[i].*phase = &fail;
      table[i].configured_by = {};
      table[i].targets = {};
      table[i].operations = {registry::Operation::kCreate};
      PluginSet on = with(all[i].name);
      if (all[i].name == "ServiceAccount") on.set("ServiceAccount", true);
      TestCluster cluster(table, on);
      INFO(all[i].name);
      CHECK(cluster.create_pod("a") == "Internal error occurred: fault");
      CHECK(cluster.store.get("pods/default/a") == nullptr);
    }
  }
}

}  // namespace
}  // namespace tabernetes::admission
