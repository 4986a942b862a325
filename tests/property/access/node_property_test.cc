// The Node authorizer against the definition of what a node has to do with: random pods, claims and
// volumes, searched whole for each request. Source: upstream 1.36
// plugin/pkg/auth/authorizer/node/graph.go.
#include "../../core/registry_fixture.h"
#include "auth/node_authorizer.h"
#include "draw.h"

namespace tabernetes::access {
namespace {

struct Pod {
  std::string ns, name, node, account;
  bool mirror = false;
  Names secrets, config_maps, claims;
};
struct Volume {
  std::string name, claim_ns, claim;  // bound to that claim
  std::string secret_ns, secret;      // of the driver; no name: none
};
struct World {
  std::vector<Pod> pods;
  std::vector<Volume> volumes;
};

constexpr std::initializer_list<std::string_view> kNodes = {"n1", "n2"};
constexpr std::initializer_list<std::string_view> kPlaces = {"a", "b"};
constexpr std::initializer_list<std::string_view> kNames = {"x", "y", "z"};

World draw_world(Draw& draw) {
  World world;
  for (std::size_t i = draw.below(6); i > 0; --i) {
    Pod pod;
    pod.ns = draw.from(kPlaces);
    pod.name = "p" + std::to_string(i);
    pod.node = draw.from({"n1", "n2", ""});
    pod.account = draw.from(kNames);
    pod.mirror = draw.one_in(4);
    pod.secrets = draw.some(kNames, 0);
    pod.config_maps = draw.some(kNames, 0);
    pod.claims = draw.some(kNames, 0);
    world.pods.push_back(std::move(pod));
  }
  for (const std::string_view name : {"v1", "v2"}) {
    Volume volume;
    volume.name = name;
    volume.claim_ns = draw.from(kPlaces);
    volume.claim = draw.from(kNames);
    if (draw.one_in(2)) volume.secret = draw.from(kNames);
    volume.secret_ns = draw.from(kPlaces);
    world.volumes.push_back(std::move(volume));
  }
  return world;
}

// --- The definition

bool uses_claim(const World& world, std::string_view node, const std::string& ns,
                const std::string& claim) {
  for (const Pod& pod : world.pods) {
    if (pod.node == node && !pod.mirror && pod.ns == ns && contains(pod.claims, claim)) return true;
  }
  return false;
}

bool is_related(const World& world, std::string_view node, const std::string& resource,
                const std::string& ns, const std::string& name) {
  if (resource == "persistentvolumeclaims") return uses_claim(world, node, ns, name);
  for (const Volume& volume : world.volumes) {
    if (!uses_claim(world, node, volume.claim_ns, volume.claim)) continue;
    if (resource == "persistentvolumes" && volume.name == name) return true;
    const bool secret = !volume.secret.empty() && volume.secret == name && volume.secret_ns == ns;
    if (resource == "secrets" && secret) return true;
  }
  for (const Pod& pod : world.pods) {
    // A pod that the node made itself gives no rights.
    if (pod.node != node || pod.mirror || pod.ns != ns) continue;
    if (resource == "secrets" && contains(pod.secrets, name)) return true;
    if (resource == "configmaps" && contains(pod.config_maps, name)) return true;
  }
  return false;
}

bool allows(const World& world, std::string_view node, const std::string& verb,
            const std::string& resource, const std::string& ns, const std::string& name) {
  const bool reads = verb == "get" || verb == "list" || verb == "watch";
  const bool lists = resource == "secrets" || resource == "configmaps";
  if (lists ? !reads || ns.empty() : verb != "get") return false;
  return !name.empty() && is_related(world, node, resource, ns, name);
}

// --- The same in a cluster

std::string text_of(const Pod& pod) {
  std::string text = "{\"metadata\":{\"name\":\"" + pod.name + "\"";
  if (pod.mirror) text += R"(,"annotations":{"kubernetes.io/config.mirror":"m"})";
  text += "},\"spec\":{\"nodeName\":\"" + pod.node + "\",\"serviceAccountName\":\"" + pod.account +
          "\",\"containers\":[{\"name\":\"c\",\"envFrom\":[";
  std::string sources;
  for (const std::string& name : pod.config_maps) {
    sources +=
        std::string(sources.empty() ? "" : ",") + "{\"configMapRef\":{\"name\":\"" + name + "\"}}";
  }
  text += sources + "]}],\"volumes\":[";
  std::string volumes;
  std::size_t number = 0;
  const auto add = [&](const std::string& source) {
    volumes += std::string(volumes.empty() ? "" : ",") + "{\"name\":\"v" +
               std::to_string(number++) + "\"," + source + "}";
  };
  for (const std::string& name : pod.secrets) add("\"secret\":{\"secretName\":\"" + name + "\"}");
  for (const std::string& name : pod.claims) {
    add("\"persistentVolumeClaim\":{\"claimName\":\"" + name + "\"}");
  }
  return text + volumes + "]}}";
}

std::string text_of(const Volume& volume) {
  std::string text = "{\"metadata\":{\"name\":\"" + volume.name +
                     "\"},\"spec\":{\"claimRef\":{\"namespace\":\"" + volume.claim_ns +
                     "\",\"name\":\"" + volume.claim +
                     R"("},"csi":{"driver":"d","volumeHandle":"h")";
  if (!volume.secret.empty()) {
    text += ",\"nodeStageSecretRef\":{\"namespace\":\"" + volume.secret_ns + "\",\"name\":\"" +
            volume.secret + "\"}";
  }
  return text + "}}}";
}

class NodeCluster : public tests::RegistryFixture {
 public:
  explicit NodeCluster(const World& world) {
    for (const Pod& pod : world.pods) put({"", "v1", "pods"}, pod.ns, text_of(pod));
    for (const Volume& volume : world.volumes) {
      put({"", "v1", "persistentvolumes"}, "", text_of(volume));
    }
  }
};

TEST_CASE("the Node authorizer decides as its definition does", "[property]") {
  const std::uint64_t first = setting("TABERNETES_PROPERTY_SEED", 1);
  const std::uint64_t runs = setting("TABERNETES_PROPERTY_RUNS", 200);
  std::size_t allowed = 0, refused = 0;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    Draw draw(seed);
    const World world = draw_world(draw);
    NodeCluster cluster(world);
    const auth::NodeAuthorizer authorizer(cluster.store.snapshot().tree,
                                          cluster.registry.shared_resources(), false);
    for (int i = 0; i < 100; ++i) {
      const std::string node = draw.from(kNodes);
      const auth::User user{
          .name = "system:node:" + node, .uid = {}, .groups = {"system:nodes"}, .extra = {}};
      const std::string resource =
          draw.from({"secrets", "configmaps", "persistentvolumeclaims", "persistentvolumes"});
      const bool whole = resource == "persistentvolumes";
      const std::string verb = draw.from({"get", "get", "list", "watch", "update"});
      const std::string ns = whole ? "" : draw.from({"a", "b", "a", "b", ""});
      const std::string name = whole ? draw.from({"v1", "v2"}) : draw.from({"x", "y", "z", ""});
      auth::Attributes wanted{.user = user, .verb = verb};
      wanted.version = "v1";
      wanted.resource = resource;
      wanted.ns = ns;
      wanted.name = name;
      const bool expected = allows(world, node, verb, resource, ns, name);
      (expected ? allowed : refused) += 1;
      INFO("seed " << seed << ": " << node << " " << verb << " " << resource << " " << ns << "/"
                   << name);
      REQUIRE((authorizer.authorize(wanted).verdict == auth::Verdict::kAllow) == expected);
    }
  }
  CHECK(allowed > refused / 100);
  CHECK(refused > allowed / 20);
}

}  // namespace
}  // namespace tabernetes::access
