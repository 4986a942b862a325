// Patches of each type without a server: one decode of the object and of the patch, the merge,
// field ownership, one encode. Also patches to a server with a custom resource, which is decoded,
// validated and stored too. Prints the rows of patch.mjs as JSON.
//
//   patch_bench POD.json      the pod's name is ########
//
// Times are processor time, which other work on the machine disturbs least.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_reader.h"
#include "patch/managed_fields.h"
#include "tabernetes/api_server.h"
#include "tabernetes/standalone.h"

namespace {

using namespace tabernetes;

constexpr int kManagers = 10;
constexpr int kLargeKeys = 2000;

struct Row {
  std::string measure;
  double value;
  const char* unit;
};

std::vector<Row> rows;

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Returns the microseconds of one call, the best of several rounds.
template <class Work>
double microseconds(Work work) {
  double best = 1e12;
  for (int round = 0; round < 5; ++round) {
    int calls = 0;
    const double start = seconds();
    double now = start;
    for (; now - start < 0.05; now = seconds()) {
      for (int i = 0; i < 16; ++i) (void)work();
      calls += 16;
    }
    best = std::min(best, (now - start) * 1e6 / calls);
  }
  return best;
}

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "patch_bench: %s\n", what.c_str());
  std::exit(1);
}

void measure_patch(const std::string& object, std::string_view of, const char* name,
                   std::string_view media_type, const std::string& patch) {
  const PatchOptions options{.media_type = media_type, .manager = "patcher"};
  const auto once = apply_patch(object, patch, options);
  if (!once) give_up(once.fault().status);
  rows.push_back({std::string(name) + " of " + std::string(of),
                  microseconds([&] { return apply_patch(object, patch, options); }), "µs"});
}

void measure_apply(const std::string& object, std::string_view of, const char* name,
                   const std::string& config, std::string_view manager) {
  const ApplyOptions options{.manager = manager};
  const auto once = server_side_apply(object, config, options);
  if (!once) give_up(once.fault().status);
  rows.push_back({std::string(name) + " to " + std::string(of),
                  microseconds([&] { return server_side_apply(object, config, options); }), "µs"});
}

std::string config_of(std::string_view kind, const std::string& rest) {
  return R"({"apiVersion":"v1","kind":")" + std::string(kind) +
         R"(","metadata":{"name":"x","namespace":"bench"})" + rest + "}";
}

// Returns the object with fields of ten managers.
std::string owned(std::string object, std::string_view kind) {
  for (int i = 0; i < kManagers; ++i) {
    const std::string manager = "manager-" + std::to_string(i);
    std::string config = config_of(kind, "");
    config.insert(config.rfind('}') - 1, R"(,"annotations":{"e.com/)" + manager + R"(":"x"})");
    const auto applied = server_side_apply(object, config, {.manager = manager});
    if (!applied) give_up(applied.fault().status);
    object = applied->object;
  }
  return object;
}

// Measures the saving for a patch or apply of a stored object whose entries are cached
// (registry/ownership/managed_fields_cache).
void measure_reading(const std::string& object, const std::string& of) {
  json::Arena arena;
  const json::Value tree = codec::read_json(object, arena).value;
  const json::Value& list = *tree.at({"metadata", "managedFields"});
  rows.push_back({"reading the managedFields of " + of,
                  microseconds([&] { return patch::read_managed_fields(list)->size(); }), "µs"});
  const patch::ManagedFields read = *patch::read_managed_fields(list);
  rows.push_back(
      {"copying them", microseconds([&] { return patch::ManagedFields(read).size(); }), "µs"});
}

void measure_pod(const std::string& file) {
  std::string text = file;
  text.replace(text.find("########"), 8, "x");
  const std::string pod = owned(text, "Pod"), of = "a pod of 2 KiB with 10 managers";
  measure_patch(pod, of, "JSON Patch", "application/json-patch+json",
                R"([{"op":"add","path":"/metadata/labels/x","value":"1"}])");
  const std::string labels = R"({"metadata":{"labels":{"x":"1"}}})";
  measure_patch(pod, of, "merge patch", "application/merge-patch+json", labels);
  measure_patch(pod, of, "strategic merge patch", "application/strategic-merge-patch+json", labels);
  measure_reading(pod, of);
  const std::string config = config_of("Pod", R"(,"spec":{"priority":1})");
  measure_apply(pod, of, "apply of one field", config, "applier");
  rows.push_back(
      {"owners of the fields of " + of, microseconds([&] { return field_owners(pod); }), "µs"});
}

void measure_large() {
  std::string data, changed;
  for (int i = 0; i < kLargeKeys; ++i) {
    const std::string entry = (i == 0 ? "\"key-" : ",\"key-") + std::to_string(i) + "\":\"";
    data += entry + std::string(90, 'x') + '"';
    changed += entry + (i == 0 ? "y" : "") + std::string(90, 'x') + '"';
  }
  const std::string of = "an object of 200 KiB with 10 managers";
  const std::string whole = config_of("ConfigMap", ",\"data\":{" + data + "}");
  const auto applied = server_side_apply({}, whole, {.manager = "owner"});
  if (!applied) give_up(applied.fault().status);
  const std::string large = owned(applied->object, "ConfigMap");
  measure_reading(large, of);
  measure_patch(large, of, "JSON Patch", "application/json-patch+json",
                R"([{"op":"replace","path":"/data/key-7","value":"1"}])");
  const std::string part = R"({"data":{"key-7":"1"}})";
  measure_patch(large, of, "merge patch", "application/merge-patch+json", part);
  measure_patch(large, of, "strategic merge patch", "application/strategic-merge-patch+json", part);
  measure_apply(large, of, "apply of the whole",
                config_of("ConfigMap", ",\"data\":{" + changed + "}"), "owner");
  rows.push_back(
      {"owners of the fields of " + of, microseconds([&] { return field_owners(large); }), "µs"});
}

void ask_of(ApiServer& server, const char* method, const std::string& target,
            const std::string& body, const char* type) {
  Request request;
  request.method = method;
  request.target = target;
  request.headers = {{"content-type", type}};
  request.body = body;
  server.handle(std::move(request), [](Response answer) {
    if (answer.status >= 400) give_up(answer.body.flatten());
  });
}

// Measures the pod in a server, which validates and stores it too.
void measure_stored_pod(std::string text) {
  text.replace(text.find("########"), 8, "x");
  ApiServer server;
  const auto ask_server = [&](const char* method, const char* query, const std::string& body,
                              const char* type) {
    ask_of(server, method, std::string("/api/v1/namespaces/default/pods") + query, body, type);
  };
  const char* const apply = "application/apply-patch+yaml";
  ask_server("POST", "", text, "application/json");
  const auto config = [](const std::string& key, const char* value) {
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-x","annotations":{"e.com/)" +
           key + R"(":")" + value + R"("}}})";
  };
  for (int i = 0; i < kManagers; ++i) {
    const std::string manager = "manager-" + std::to_string(i);
    ask_server("PATCH", ("/pod-x?fieldManager=" + manager).c_str(), config(manager, "1"), apply);
  }
  const std::string of = " a stored pod of 2 KiB with 10 managers";
  bool turn = false;
  const auto value = [&] { return (turn = !turn) ? "2" : "3"; };
  rows.push_back({"merge patch of" + of, microseconds([&] {
                    ask_server("PATCH", "/pod-x?fieldManager=p",
                               R"({"metadata":{"labels":{"x":")" + std::string(value()) + "\"}}}",
                               "application/merge-patch+json");
                  }),
                  "µs"});
  rows.push_back({"apply of one field to" + of, microseconds([&] {
                    ask_server("PATCH", "/pod-x?fieldManager=manager-1",
                               config("manager-1", value()), apply);
                  }),
                  "µs"});
}

// A server with a custom resource of 200 KiB whose fields have ten managers and an owner.
class Custom {
 public:
  Custom() {
    ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kDefinition);
    server_.advance(Time::from_unix_milliseconds(1'900'000'000'000));
    apply(config(entries("x")), "owner");
    for (int i = 0; i < kManagers; ++i) {
      const std::string manager = "manager-" + std::to_string(i);
      apply(config("\"" + manager + "\":\"x\""), manager);
    }
  }

  // Sends both bodies alternately, so that there is always something to change.
  void measure(const char* name, const char* media_type, const std::string& query,
               const std::string& one, const std::string& other) {
    const std::string path = kObject + query;
    rows.push_back({std::string(name) + " of a custom resource of 200 KiB with 10 managers",
                    microseconds([&] {
                      turn_ = !turn_;
                      ask("PATCH", path, turn_ ? one : other, media_type);
                    }),
                    "µs"});
  }

  static std::string entries(std::string_view first) {
    std::string text;
    for (int i = 0; i < kLargeKeys; ++i) {
      text += (i == 0 ? "\"key-" : ",\"key-") + std::to_string(i) + "\":\"";
      if (i == 0) text += first;
      text += std::string(90, 'x') + '"';
    }
    return text;
  }
  static std::string config(const std::string& entries) {
    return R"({"apiVersion":"e.com/v1","kind":"Thing","metadata":{"name":"x"},"spec":{)" + entries +
           "}}";
  }

 private:
  static constexpr const char* kDefinition =
      R"({"metadata":{"name":"things.e.com"},"spec":{"group":"e.com","scope":"Namespaced",)"
      R"("names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,)"
      R"("storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)"
      R"({"type":"object","additionalProperties":{"type":"string"}}}}}}]}})";
  inline static const std::string kObject = "/apis/e.com/v1/namespaces/default/things/x";

  void apply(const std::string& config, const std::string& manager) {
    ask("PATCH", kObject + "?fieldManager=" + manager, config, "application/apply-patch+yaml");
  }

  void ask(const char* method, const std::string& target, const std::string& body,
           const char* type = "application/json") {
    ask_of(server_, method, target, body, type);
  }

  ApiServer server_;
  bool turn_ = false;
};

void measure_custom() {
  Custom custom;
  const auto merge = [](const char* value) {
    return R"({"spec":{"key-7":")" + std::string(value) + "\"}}";
  };
  const auto json = [](const char* value) {
    return R"([{"op":"replace","path":"/spec/key-7","value":")" + std::string(value) + "\"}]";
  };
  custom.measure("apply of the whole", "application/apply-patch+yaml", "?fieldManager=owner",
                 Custom::config(Custom::entries("y")), Custom::config(Custom::entries("z")));
  custom.measure("JSON Patch", "application/json-patch+json", "?fieldManager=manager-1", json("1"),
                 json("2"));
  custom.measure("merge patch", "application/merge-patch+json", "?fieldManager=manager-1",
                 merge("1"), merge("2"));
}

void print() {
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%s{\"measure\":\"%s\",\"value\":%.3f,\"unit\":\"%s\"}", i == 0 ? "" : ",",
                rows[i].measure.c_str(), rows[i].value, rows[i].unit);
  }
  std::printf("]\n");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) give_up("usage: patch_bench POD.json");
  std::ifstream file(arguments[1]);
  std::stringstream text;
  text << file.rdbuf();
  measure_pod(text.str());
  measure_stored_pod(text.str());
  measure_large();
  measure_custom();
  print();
}
