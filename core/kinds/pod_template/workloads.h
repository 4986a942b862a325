// What objects with a pod template share.
#pragma once

#include "json/access.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

// Checks that the selector selects the template's labels. REQUIRES: the selector is valid.
void validate_template_labels(const Field& selector, const Field& tmpl);
void not_selected(const Field& labels);

// Copies the template's labels to an object without labels. The map is shared, so that labels which
// the Job strategy adds to the template appear on the Job too.
void copy_template_labels(json::Value& object, const json::Value& spec, json::Arena& arena);

// Print the names and images of containers.
void print_containers(json::Range<json::Value> containers, Row& row);
void print_template_containers(const json::Value& object, Row& row);
// Adds the cells of a ReplicaSet or ReplicationController before its selector.
void print_replicas(const json::Value& object, Row& row);

}  // namespace tabernetes::registry::kinds
