// YAML 1.1 as Kubernetes reads and writes it. libyaml gives the events; scalars are resolved by
// the rules of spec/rest.md 5.14.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::codec {

struct YamlRead {
  json::Value value;
  std::string error;                    // "yaml: line 3: ...": sigs.k8s.io/yaml's text
  std::vector<std::string> duplicates;  // `line 2: key "metadata" already set in map`, in order
  bool ok() const { return error.empty(); }
};

// The first document of `text` as a tree (others are ignored, as the real server does); no
// document is null. Of a key that stands twice the last one counts and `duplicates` says so.
YamlRead read_yaml(std::string_view text, json::Arena& arena);

struct YamlDocuments {
  std::vector<json::Value> documents;  // empty ones left out
  std::string error;
  std::size_t failed_document = 0;  // counted from 1; with `error`
};

// Every document of a stream, for manifests; JSON texts one after another are accepted too.
YamlDocuments read_yaml_documents(std::string_view text, json::Arena& arena);

// The tree as the real server prints it: keys in natural order, block style. Next lines (U+0085) in
// strings are folded like line breaks, as they are on the way there. False if it cannot be written,
// for control characters in a string or a key that is too long or has a next line; `error` then
// says so: "yaml: control characters are not allowed".
bool write_yaml(const json::Value& value, std::string& out, std::string* error = nullptr);

// Whether a glance at an object's JSON shows that write_yaml() can write it.
bool is_surely_yaml(std::string_view json);

}  // namespace tabernetes::codec
