// Distributes endpoints over EndpointSlices, with as few changes of slices as possible. Source:
// upstream 1.36 k8s.io/endpointslice/reconciler.go.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "json/value.h"

namespace tabernetes::controllers {

// Endpoints that share ports, and so slices.
struct EndpointGroup {
  json::Value ports;                   // an array
  std::vector<json::Value> endpoints;  // each of another pod or address
};

// A slice whose endpoints get hints. `changes`: it is to be written.
struct HintedSlice {
  std::vector<json::Value>* endpoints;
  bool changes;
};

// What the slices of one owner and address type are to be.
struct WantedSlices {
  std::string_view ns, address_type;
  std::vector<EndpointGroup> groups;  // each with other ports
  json::Value labels;
  json::Value owner;  // the owner reference
  std::string name_prefix;
  std::size_t most_per_slice = 100;
  // An owner without endpoints keeps one empty slice.
  bool keeps_empty_slice = true;
  bool owner_is_terminating = false;
  // A slice that gets other endpoints is written anew under its name, without its generateName.
  bool is_written_anew = false;
  // Sets the hints of all endpoints; empty: they have those that they are given with.
  std::function<void(std::vector<HintedSlice>& slices)> hint = {};
  // Sets the annotations of a slice that is written.
  std::function<void(json::Value& metadata)> annotate;
  // Returns whether the annotations of a stored slice need no write; empty: they never do.
  std::function<bool(const json::Value& slice)> is_annotated = {};
};

// Writes what `existing`, the owner's slices of that address type, must change. Returns the error
// of the first write that failed, or an empty text.
std::string reconcile_slices(const ReconcileContext& cluster, const WantedSlices& wanted,
                             const std::vector<json::Value>& existing);

// Returns the prefix of the names of an owner's slices.
std::string slice_name_prefix(std::string_view owner);

}  // namespace tabernetes::controllers
