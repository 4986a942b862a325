// Plugins that look at nodes, make namespaces and ask about images.
#include "admission/plugin_settings.h"
#include "cluster.h"
#include "registry/kind/webhook_question.h"
#include "tabernetes/options.h"

namespace tabernetes::admission {
namespace {

// --- Nodes

// A pod on the node "n".
std::string create_placed_pod(TestCluster& cluster) {
  return cluster.create(
      TestCluster::kPods, "default",
      "{'metadata':{'name':'p'},'spec':{'nodeName':'n','initContainers':[{'name':'i','image':'i',"
      "'resources':{'requests':{'cpu':'100m'}}}],'containers':[{'name':'c','image':'i',"
      "'resources':{'requests':{'cpu':'100m','memory':'64Mi'}}}]}}");
}

std::string resize(TestCluster& cluster, std::string_view list, std::string_view requests) {
  const registry::ResourceType& type = cluster.type(TestCluster::kPods);
  registry::WriteContext context = cluster.context();
  context.subresource = "resize";
  const auto updated =
      cluster.objects.update(context, {&type, "default", "p"}, registry::Subresource::kResize,
                             [&](const json::Value* old) -> Result<json::Value> {
                               json::Value pod = old->clone(cluster.arena);
                               pod.find("spec")
                                   ->find(list)
                                   ->items()[0]
                                   .find("resources")
                                   ->set(cluster.arena, "requests", cluster.read(requests));
                               return pod;
                             });
  if (updated) return {};
  const ApiStatus& status = updated.error();
  const bool caused = status.details && !status.details->causes.empty();
  return status.message + (caused ? " (" + status.details->causes[0].reason + ")" : "");
}

constexpr std::string_view kDeclaring =
    "'declaredFeatures':['InPlacePodVerticalScalingInitContainers'],";

std::string create_node(TestCluster& cluster, std::string_view labels,
                        std::string_view features = kDeclaring) {
  return cluster.create(TestCluster::kNodes, "",
                        "{'metadata':{'name':'n','labels':{" + std::string(labels) +
                            "}},'status':{" + std::string(features) +
                            "'allocatable':{'cpu':'1','memory':'1Gi'}}}");
}

TEST_CASE("PodResizeValidator: a node must have room for what a pod asks", "[admission]") {
  TestCluster cluster;
  REQUIRE(stored(create_placed_pod(cluster)));
  CHECK(resize(cluster, "containers", "{'cpu':'200m','memory':'64Mi'}") ==
        "pods \"p\" is forbidden: node \"n\" not found");
  REQUIRE(stored(create_node(cluster, "'kubernetes.io/os':'linux'")));
  CHECK(resize(cluster, "containers", "{'cpu':'1','memory':'1Gi'}").empty());
  CHECK(resize(cluster, "containers", "{'cpu':'1100m','memory':'1025Mi'}") ==
        "pods \"p\" is forbidden: node didn't have enough allocatable resources: cpu, requested: "
        "1100, allocatable: 1000; memory, requested: 1074790400, allocatable: 1073741824 "
        "(NodeCapacity)");
  // Init containers run before the others.
  CHECK(resize(cluster, "initContainers", "{'cpu':'2'}") ==
        "pods \"p\" is forbidden: node didn't have enough allocatable resources: cpu, requested: "
        "2000, allocatable: 1000 (NodeCapacity)");
  // Nothing changes.
  REQUIRE(cluster.remove(TestCluster::kNodes, "", "n") == "gone");
  CHECK(resize(cluster, "containers", "{'cpu':'1','memory':'1Gi'}").empty());
}

TEST_CASE("PodResizeValidator: nodes of other systems cannot resize", "[admission]") {
  TestCluster cluster;
  REQUIRE(stored(create_placed_pod(cluster)));
  REQUIRE(stored(create_node(cluster, "'kubernetes.io/os':'windows'")));
  CHECK(resize(cluster, "containers", "{'cpu':'200m','memory':'64Mi'}") ==
        "pods \"p\" is forbidden: pod resize is only supported on linux nodes, node \"n\" is "
        "\"windows\" (UnsupportedPlatform)");
}

TEST_CASE("NodeDeclaredFeatureValidator: a node must declare what a change needs", "[admission]") {
  TestCluster cluster;
  REQUIRE(stored(create_placed_pod(cluster)));
  REQUIRE(stored(create_node(cluster, "", "")));
  CHECK(resize(cluster, "containers", "{'cpu':'200m','memory':'64Mi'}").empty());
  CHECK(resize(cluster, "initContainers", "{'cpu':'200m'}") ==
        "pods \"p\" is forbidden: pod update requires features "
        "InPlacePodVerticalScalingInitContainers which are not available on node \"n\"");
  REQUIRE(cluster.remove(TestCluster::kNodes, "", "n") == "gone");
  CHECK(resize(cluster, "initContainers", "{'cpu':'200m'}") ==
        "pods \"p\" is forbidden: node \"n\" not found");
  REQUIRE(stored(create_node(cluster, "")));
  CHECK(resize(cluster, "initContainers", "{'cpu':'200m'}").empty());
}

// --- Namespaces

TEST_CASE("NamespaceAutoProvision: a missing namespace is made, and stays", "[admission]") {
  TestCluster cluster(all_plugins(), with("NamespaceAutoProvision"));
  const auto make = [&](std::string_view ns, std::string_view name) {
    return cluster.create(TestCluster::kConfigMaps, ns,
                          "{'metadata':{'name':'" + std::string(name) + "'}}");
  };
  const auto has_namespace = [&](std::string_view name) {
    return cluster.objects.find_object(TestCluster::kNamespaces, {}, name, cluster.arena)
        .is_object();
  };
  cluster.dry_run = true;
  CHECK(make("new", "a") == "namespaces \"new\" not found");
  cluster.dry_run = false;
  CHECK(stored(make("new", "a")));
  CHECK(stored(make("new", "b")));
  REQUIRE(has_namespace("new"));
  const json::Value made =
      cluster.objects.find_object(TestCluster::kNamespaces, {}, "new", cluster.arena);
  CHECK(json_text(*made.at({"spec", "finalizers"})) == R"(["kubernetes"])");
  CHECK(make("other", "Not-A-Name").find("Invalid value") != std::string::npos);
  CHECK(has_namespace("other"));
  CHECK(make("Wrong", "a").find("forbidden: Namespace \"Wrong\" is invalid") != std::string::npos);
}

// --- Images

constexpr std::string_view kKubeconfig =
    "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: k, cluster: {server: "
    "'https://images.example/policy'}}]\ncontexts: [{name: c, context: {cluster: k}}]\n";

class ImagePolicyCluster : public TestCluster {
 public:
  explicit ImagePolicyCluster(std::string_view more = "")
      : TestCluster(all_plugins(), with("ImagePolicyWebhook")) {
    auto settings = std::make_shared<PluginSettings>();
    const std::string text =
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- {name: "
        "ImagePolicyWebhook, configuration: {imagePolicy: {kubeConfigFile: k" +
        std::string(more) + "}}}\n";
    const auto read = read_plugin_settings(text, {{"k", std::string(kKubeconfig)}}, *settings);
    INFO((read ? std::string() : read.fault().message));
    REQUIRE(read);
    chain.configure(settings);
    user = &caller_;
  }

  // Creates a pod; `status` is the answer's, if the webhook is asked. Returns the refusal.
  std::string create_pod_of(std::string_view name, std::string_view image,
                            std::string_view status = {}, int code = 200) {
    const std::string text =
        "{'metadata':{'name':'" + std::string(name) +
        "','annotations':{'b.image-policy.k8s.io/x':'1','other':'2'}},'spec':{'initContainers':["
        "{'name':'i','image':'init'}],'containers':[{'name':'c','image':'" +
        std::string(image) + "'}]}}";
    asked.clear();
    pending.clear();
    std::string made = create(kPods, "default", text);
    for (const auto& question : pending.take_all()) {
      const auto& review = static_cast<const registry::WebhookQuestion&>(*question);
      asked = review.url() + " " + review.body("");
      WebhookAnswer answer;
      answer.status = code;
      answer.content_type = "application/json";
      answer.body =
          R"({"kind":"ImageReview","apiVersion":"imagepolicy.k8s.io/v1alpha1","status":)" +
          std::string(status) + "}";
      pending.answer(*question, review.read("", answer));
    }
    if (!asked.empty()) made = create(kPods, "default", text);
    return stored(made) ? "" : made;
  }

  std::string asked;

 private:
  registry::User caller_{"jane", "", {}, {}};
};

TEST_CASE("ImagePolicyWebhook: a service decides about images, and its answers are kept",
          "[admission]") {
  ImagePolicyCluster cluster(", allowTTL: 60, denyTTL: 30");
  CHECK(cluster.create_pod_of("a", "good", R"({"allowed":true})").empty());
  CHECK(cluster.asked ==
        "https://images.example/policy?timeout=30s "
        R"({"kind":"ImageReview","apiVersion":"imagepolicy.k8s.io/v1alpha1","metadata":{},)"
        R"("spec":{"containers":[{"image":"good"},{"image":"init"}],)"
        R"("annotations":{"b.image-policy.k8s.io/x":"1"},"namespace":"default"},)"
        R"("status":{"allowed":false}})"
        "\n");
  CHECK(cluster.create_pod_of("b", "good").empty());
  CHECK(cluster.asked.empty());
  CHECK(cluster.create_pod_of("c", "bad", R"({"allowed":false,"reason":"no signature"})") ==
        "pods \"c\" is forbidden: image policy webhook backend denied one or more images: no "
        "signature");
  CHECK(cluster.create_pod_of("c", "bad") ==
        "pods \"c\" is forbidden: image policy webhook backend denied one or more images: no "
        "signature");
  cluster.now = cluster.now + Duration::from_seconds(31);
  CHECK(cluster.create_pod_of("c", "bad", R"({"allowed":false})") ==
        "pods \"c\" is forbidden: one or more images rejected by webhook backend");
  CHECK(cluster.create_pod_of("d", "good").empty());
  CHECK(cluster.asked.empty());
  cluster.user = nullptr;  // a control loop
  CHECK(cluster.create_pod_of("e", "unknown").empty());
}

TEST_CASE("ImagePolicyWebhook: defaultAllow says what counts when the service fails",
          "[admission]") {
  ImagePolicyCluster closed(", allowTTL: -1");
  CHECK(closed.create_pod_of("a", "x", "7") ==
        "pods \"a\" is forbidden: json: cannot unmarshal number into Go struct field "
        "ImageReview.status of type v1.ImageReviewStatus");
  CHECK(closed.create_pod_of("a", "good", R"({"allowed":true})").empty());
  CHECK(closed.create_pod_of("b", "good", R"({"allowed":false})") ==
        "pods \"b\" is forbidden: one or more images rejected by webhook backend");
  ImagePolicyCluster open(", defaultAllow: true");
  CHECK(open.create_pod_of("a", "x", "7").empty());
  TestCluster unconfigured(all_plugins(), with("ImagePolicyWebhook"));
  const registry::User jane{"jane", "", {}, {}};
  unconfigured.user = &jane;
  CHECK(unconfigured.create_pod("a") ==
        "pods \"a\" is forbidden: the plugin ImagePolicyWebhook is not configured");
}

TEST_CASE("admission webhooks: a kubeconfig has credentials for servers", "[admission]") {
  const registry::Files files = {
      {"/k",
       "users: [{name: exact.example:8443, user: {token: t1}}, {name: '*.wild.example', user: "
       "{username: u, password: p}}, {name: hook.shop.svc, user: {tokenFile: t3}}, {name: last, "
       "user: {client-certificate-data: QQ==, client-key-data: Qg==}}]\n"
       "contexts: [{name: c, context: {user: last}}]\ncurrent-context: c\n"},
      {"/t3", " t3\n"}};
  CHECK(
      registry::files_of_kubeconfig("/k", {{"/k", files.at("/k")}}, registry::UsersWanted::kAll) ==
      std::vector<std::string>{"/t3"});
  const auto users = registry::read_webhook_users("/k", files);
  REQUIRE(users);
  const auto caller = [&](std::string_view url) {
    registry::WebhookClient client;
    client.url = url;
    users->identify(client);
    return client.headers.empty() ? client.client_certificate + client.client_key
                                  : client.headers[0].second;
  };
  CHECK(caller("https://exact.example:8443/path") == "Bearer t1");
  CHECK(caller("https://exact.example/path") == "AB");
  CHECK(caller("https://a.b.wild.example/") == "Basic dTpw");
  CHECK(caller("https://hook.shop.svc:443/mutate") == "Bearer t3");
  CHECK(caller("https://hook.shop.svc:8443/mutate") == "AB");

  const auto checked = [&](std::string_view kubeconfig) {
    return check_admission_configuration(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- {name: "
        "ValidatingAdmissionWebhook, configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: "
        "WebhookAdmissionConfiguration, kubeConfigFile: " +
            std::string(kubeconfig) + "}}\n",
        files);
  };
  CHECK(checked("/k"));
  CHECK(checked("k").fault().message ==
        "AdmissionConfiguration.plugins[0].configuration.kubeConfigFile: must be an absolute file "
        "path");
  CHECK(checked("/lost").fault().message ==
        "AdmissionConfiguration.plugins[0].configuration.kubeConfigFile: stat /lost: no such file "
        "or directory");
}

TEST_CASE("ImagePolicyWebhook: its configuration is checked", "[admission]") {
  const auto fault = [](std::string_view more, std::string_view file = "k") {
    const auto checked = check_admission_configuration(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- {name: "
        "ImagePolicyWebhook, configuration: {imagePolicy: {kubeConfigFile: '" +
            std::string(file) + "'" + std::string(more) + "}}}\n",
        {{"k", std::string(kKubeconfig)}}, {"ImagePolicyWebhook"});
    const std::string head = "AdmissionConfiguration.plugins[0].configuration.imagePolicy.";
    if (checked) return std::string();
    const std::string& message = checked.fault().message;
    return message.starts_with(head) ? message.substr(head.size()) : message;
  };
  CHECK(fault("").empty());
  CHECK(fault("", "other") == "kubeConfigFile: stat other: no such file or directory");
  CHECK(fault("", "") ==
        "kubeConfigFile: invalid configuration: no configuration has been provided, try setting "
        "KUBERNETES_MASTER environment variable");
  CHECK(fault(", allowTTL: 1801") == "allowTTL: valid value is between 1s and 30m0s, got 30m1s");
  CHECK(fault(", denyTTL: -2") == "denyTTL: valid value is between 1s and 30m0s, got -2s");
  CHECK(fault(", retryBackoff: 300001") ==
        "retryBackoff: valid value is between 1ns and 5m0s, got 5m0.001s");
  CHECK(fault(", allowTTL: 0, denyTTL: -1, retryBackoff: 1, defaultAllow: true").empty());
  CHECK(fault(", defaultAllow: 1") == "defaultAllow: must be true or false");
  const auto missing = check_admission_configuration("", {}, {"ImagePolicyWebhook"});
  REQUIRE_FALSE(missing);
  CHECK(missing.fault().message ==
        "couldn't init admission plugin \"ImagePolicyWebhook\": no config specified");
}

}  // namespace
}  // namespace tabernetes::admission
