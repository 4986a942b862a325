// Readers and writers on the pod of bench/data/pod.json, beside yyjson alone and a copy of the
// bytes, the limit for all of them. Prints the rows of codec.mjs as JSON.
#include <yyjson.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "codec/cbor_reader.h"
#include "codec/cbor_writer.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_writer.h"
#include "codec/yaml.h"
#include "json/arena.h"
#include "schema/decode.h"

namespace {

using namespace tabernetes;

double seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// Returns the best of several rounds, in microseconds: other work on the machine only makes it
// slower.
template <typename Work>
double microseconds(int count, const Work& work) {
  double best = 1e9;
  for (int round = 0; round < 10; ++round) {
    const double start = seconds();
    for (int i = 0; i < count; ++i) work();
    const double each = (seconds() - start) / count * 1e6;
    if (each < best) best = each;
  }
  return best;
}

std::string file_text(const char* path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Row {
  const char* measure;
  double value;
  const char* unit;
};

std::vector<Row> measure(const std::string& file, std::size_t& sum) {
  json::Arena arena;
  const json::Value tree = codec::read_json(file, arena).value;
  std::string json, yaml;
  codec::write_json(tree, json);
  codec::write_yaml(tree, yaml);

  std::vector<Row> rows;
  rows.push_back({"size as JSON", static_cast<double>(json.size()), "bytes"});
  rows.push_back({"size as YAML", static_cast<double>(yaml.size()), "bytes"});
  const auto time = [&rows](const char* name, int count, const auto& work) {
    rows.push_back({name, microseconds(count, work), "µs"});
  };
  time("read JSON to a tree", 5000, [&] {
    json::Arena request;
    sum += codec::read_json(json, request).value.size();
  });
  time("yyjson alone: read", 5000, [&] {
    yyjson_doc* document = yyjson_read(json.data(), json.size(), 0);
    sum += yyjson_doc_get_val_count(document);
    yyjson_doc_free(document);
  });
  time("write a tree as JSON", 5000, [&] {
    std::string out;
    codec::write_json(tree, out);
    sum += out.size();
  });
  time("clone a tree", 5000, [&] {
    json::Arena request;
    sum += tree.clone(request).size();
  });
  time("read YAML to a tree", 500, [&] {
    json::Arena request;
    sum += codec::read_yaml(yaml, request).value.size();
  });
  time("write a tree as YAML", 500, [&] {
    std::string out;
    codec::write_yaml(tree, out);
    sum += out.size();
  });
  const schema::Catalogue& catalogue = schema::Catalogue::built_in();
  const schema::Type& pod = *catalogue.find_kind("", "v1", "Pod");
  const json::Value typed = schema::decode_typed(pod, tree, arena).value;
  std::string protobuf, cbor;
  (void)codec::write_protobuf_message(pod, typed, protobuf);
  codec::write_cbor(catalogue, typed, cbor);
  rows.push_back({"size as protobuf", static_cast<double>(protobuf.size()), "bytes"});
  rows.push_back({"size as CBOR", static_cast<double>(cbor.size()), "bytes"});
  time("a JSON tree to the kind's form", 5000, [&] {
    json::Arena request;
    sum += schema::decode_typed(pod, tree, request).value.size();
  });
  time("read protobuf to the kind's form", 5000, [&] {
    json::Arena request;
    sum += codec::read_protobuf_message(pod, protobuf, request).value.size();
  });
  time("write protobuf", 5000, [&] {
    std::string out;
    sum += codec::write_protobuf_message(pod, typed, out) ? out.size() : 0;
  });
  time("read CBOR to the kind's form", 5000, [&] {
    json::Arena request;
    sum += codec::read_cbor_object(pod, cbor, false, request).value.size();
  });
  time("write CBOR", 5000, [&] {
    std::string out;
    codec::write_cbor(catalogue, typed, out);
    sum += out.size();
  });
  time("copy the JSON's bytes", 50000, [&] {
    const std::string copy(json);
    sum += static_cast<unsigned char>(copy[sum % copy.size()]);
  });
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: codec_bench FILE.json\n", stderr);
    return 2;
  }
  std::size_t sum = 0;
  const std::vector<Row> rows = measure(file_text(argv[1]), sum);
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%s{\"measure\":\"%s\",\"value\":%.2f,\"unit\":\"%s\"}", i == 0 ? "" : ",",
                rows[i].measure, rows[i].value, rows[i].unit);
  }
  std::printf("]\n");
  return sum == 0 ? 1 : 0;  // uses the results, so that nothing is optimised away
}
