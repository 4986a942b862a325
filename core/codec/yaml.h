// Reads and writes YAML 1.1 as Kubernetes does. libyaml supplies the events; scalars are resolved
// by the rules of spec/rest.md 5.14.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::codec {

struct YamlRead {
  json::Value value;
  std::string error;                    // "yaml: line 3: ...": sigs.k8s.io/yaml's message
  std::vector<std::string> duplicates;  // `line 2: key "metadata" already set in map`, in order
  bool ok() const { return error.empty(); }
};

// Reads the first document of `text` into a tree (the real server ignores others, too); an empty
// stream gives null. The last value of a duplicate key is kept, and `duplicates` reports it.
YamlRead read_yaml(std::string_view text, json::Arena& arena);

struct YamlDocuments {
  std::vector<json::Value> documents;  // without empty ones
  std::string error;
  std::size_t failed_document = 0;  // counted from 1; set with `error`
};

// Reads every document of a stream, for manifests; also accepts a sequence of JSON texts.
YamlDocuments read_yaml_documents(std::string_view text, json::Arena& arena);

// Writes the tree like the real server: keys in natural order, block style. Next lines (U+0085) in
// strings are folded like line breaks, as in the real server's conversion. Returns false for
// control characters in a string, or a key that is too long or contains a next line; `error` is
// then set: "yaml: control characters are not allowed".
bool write_yaml(const json::Value& value, std::string& out, std::string* error = nullptr);

// Quick test of an object's JSON: returns true only if write_yaml() can write it.
bool is_surely_yaml(std::string_view json);

}  // namespace tabernetes::codec
