// A LIST of 10,000 pods in each representation, cold (nothing of it encoded yet) and warm (for a
// second client), from a View as the native host's threads do; beside a copy of the answer's bytes,
// the limit for all of them. Prints the rows of representations.mjs as JSON.
//
//   representations_bench POD.json      the pod's name is ########
//
// Times are processor time, which other work on the machine disturbs least.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pods.h"
#include "tabernetes/api_server.h"

namespace {

using namespace tabernetes;

constexpr int kPods = 10'000;
constexpr int kRounds = 3;  // the best counts

struct Form {
  const char* name;
  const char* query;
  std::string accept;
};

struct Row {
  std::string measure;
  double value;
  const char* unit;
};

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string as(std::string_view media, std::string_view transform) {
  return std::string(media) + ";as=" + std::string(transform) + ";g=meta.k8s.io;v=v1";
}

std::vector<Form> forms() {
  const std::string json = "application/json", yaml = "application/yaml",
                    protobuf = "application/vnd.kubernetes.protobuf", cbor = "application/cbor";
  return {{"JSON", "", json},
          {"JSON, pretty", "?pretty=1", json},
          {"YAML", "", yaml},
          {"protobuf", "", protobuf},
          {"CBOR", "", cbor},
          {"Table, objects' metadata", "", as(json, "Table")},
          {"Table, whole objects", "?includeObject=Object", as(json, "Table")},
          {"Table, no objects", "?includeObject=None", as(json, "Table")},
          {"metadata", "", as(json, "PartialObjectMetadataList")},
          {"metadata, protobuf", "", as(protobuf, "PartialObjectMetadataList")}};
}

// Reads a whole answer piece by piece, as a host does. Returns the number of its bytes, 0 for an
// error.
std::size_t read_list(const View& view, const Form& form, Time now) {
  Request request;
  request.method = "GET";
  request.target = std::string("/api/v1/pods") + form.query;
  request.headers = {{"accept", form.accept}};
  std::optional<Response> answer = view.answer(request, now);
  if (!answer || answer->status != 200) return 0;
  std::size_t size = answer->body.size();
  while (answer->stream && !answer->stream->ended()) size += answer->stream->next().size();
  return size;
}

double copy_seconds(std::size_t size) {
  const std::string from(size, 'x');
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const double start = seconds();
    const std::string copy(from);
    best = std::min(best, seconds() - start + (copy[size / 2] == 'x' ? 0 : 1));
  }
  return best;
}

std::vector<Row> measure(const std::string& pod) {
  std::vector<Row> rows;
  const std::string text = manifest_of(pod, kPods);
  for (const Form& form : forms()) {
    Options options;
    options.feature_gates["CBORServingAndStorage"] = true;
    double cold = 1e9, warm = 1e9;
    std::size_t size = 0;
    for (int round = 0; round < kRounds; ++round) {
      ApiServer server(options);
      for (const LoadFault& found : server.load(text)) {
        std::fprintf(stderr, "%s\n", found.fault.message.c_str());
      }
      const std::shared_ptr<const View> view = server.view();
      double start = seconds();
      size = read_list(*view, form, server.time());
      cold = std::min(cold, seconds() - start);
      for (int again = 0; again < kRounds; ++again) {
        start = seconds();
        (void)read_list(*view, form, server.time());
        warm = std::min(warm, seconds() - start);
      }
    }
    if (size == 0) continue;
    const std::string name = form.name;
    rows.push_back({name + ": bytes", static_cast<double>(size) / 1e6, "MB"});
    rows.push_back({name + ": cold", cold * 1e3, "ms"});
    rows.push_back({name + ": warm", warm * 1e3, "ms"});
    rows.push_back({"peer: a copy of these bytes", copy_seconds(size) * 1e3, "ms"});
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ostringstream pod;
  pod << std::ifstream(argv[1]).rdbuf();
  const std::vector<Row> rows = measure(pod.str());
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%s{\"measure\":\"%s\",\"value\":%.6f,\"unit\":\"%s\"}", i == 0 ? "" : ",",
                rows[i].measure.c_str(), rows[i].value, rows[i].unit);
  }
  std::printf("]\n");
  return 0;
}
