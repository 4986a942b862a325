// The cost of field ownership for a new object: the same pod created with and without
// managedFields. Both decode it, apply defaults, validate, encode and store it. Prints rows as
// JSON.
//
//   ownership_bench POD.json      the pod's name is ########
//
// Budget: with is at most 1.5 times without. Times are processor time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

#include "codec/json_reader.h"
#include "kinds/table/built_in_kind.h"
#include "registry/life/registry.h"
#include "schema/decode.h"

namespace {

using namespace tabernetes;

constexpr int kPods = 4000;
constexpr int kRounds = 7;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "ownership_bench: %s\n", what.c_str());
  std::exit(1);
}

std::string named(std::string pod, int number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 8 - digits.size(), '0');
  return pod.replace(pod.find("########"), 8, digits);
}

// Without the plugins that read other objects.
struct Cluster {
  std::shared_ptr<const registry::ResourceTable> resources = registry::built_in_resources();
  store::Store store;
  Entropy entropy{nullptr, 1};
  schema::GatedFields gated_fields{schema::FeatureGates()};
  registry::Registry objects{resources, gated_fields, store, entropy};

  Cluster() { create("namespaces", "", R"({"metadata":{"name":"default"}})", false); }

  void create(const char* plural, const char* ns, const std::string& text, bool tracks_fields) {
    const registry::ResourceType& type = *resources->find("", "v1", plural);
    json::Arena arena;
    const json::Value body = codec::read_json(text, arena).value;
    const json::Value object = schema::decode_typed(*type.resource->type, body, arena).value;
    registry::WriteContext context{arena, Time::from_unix_milliseconds(1'780'315'200'000)};
    context.manager = "bench";
    context.tracks_fields = tracks_fields;
    if (auto created = objects.create(context, type, ns, object); !created) {
      give_up(created.error().message);
    }
  }
};

// Returns the microseconds of one create.
double microseconds(const std::string& pod, bool tracks_fields) {
  Cluster cluster;
  const std::clock_t start = std::clock();
  for (int i = 0; i < kPods; ++i) {
    cluster.create("pods", "default", named(pod, i), tracks_fields);
  }
  return static_cast<double>(std::clock() - start) * 1e6 / CLOCKS_PER_SEC / kPods;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) give_up("usage: ownership_bench POD.json");
  std::ifstream file(arguments[1]);
  const std::string pod(std::istreambuf_iterator<char>(file), {});
  double with = 1e12, without = 1e12;  // the best of several alternating rounds
  for (int round = 0; round < kRounds; ++round) {
    without = std::min(without, microseconds(pod, false));
    with = std::min(with, microseconds(pod, true));
  }
  std::printf(R"([{"measure":"create of a pod of 2 KiB","value":%.3f,"unit":"µs"},)"
              R"({"measure":"the same without its owners","value":%.3f,"unit":"µs"},)"
              R"({"measure":"with by without","value":%.3f,"unit":"times","budget":1.5}])"
              "\n",
              with, without, with / without);
}
