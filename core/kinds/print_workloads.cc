// Cells of workloads. Source: upstream 1.36 printers/internalversion/printers.go.
#include <string>

#include "base/text/ascii.h"
#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::registry {
namespace {

using json::Value;

void print_containers(json::Range<Value> containers, Row& row) {
  row.text(container_names(containers));
  row.text(container_images(containers));
}

void print_template_containers(const Value& object, Row& row) {
  print_containers(items_at(object, {"spec", "template", "spec", "containers"}), row);
}

std::string ready_of_desired(const Value& object) {
  return std::to_string(number_at(object, {"status", "readyReplicas"})) + "/" +
         std::to_string(number_at(object, {"spec", "replicas"}));
}

}  // namespace

void print_deployment(const Value& object, Row& row) {
  row.name(object);
  row.text(ready_of_desired(object));
  row.number(number_at(object, {"status", "updatedReplicas"}));
  row.number(number_at(object, {"status", "availableReplicas"}));
  row.age(object);
  print_template_containers(object, row);
  // Unlike the other workloads, without <none>.
  const auto selector = format_label_selector(object.at({"spec", "selector"}));
  row.text(selector.value_or("<invalid>"));
}

void print_replica_set(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"spec", "replicas"}));
  row.number(number_at(object, {"status", "replicas"}));
  row.number(number_at(object, {"status", "readyReplicas"}));
  row.age(object);
  print_template_containers(object, row);
  row.text(selector_text(object.at({"spec", "selector"})));
}

void print_replication_controller(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"spec", "replicas"}));
  row.number(number_at(object, {"status", "replicas"}));
  row.number(number_at(object, {"status", "readyReplicas"}));
  row.age(object);
  print_template_containers(object, row);
  row.text(labels_text(object.at({"spec", "selector"})));
}

void print_stateful_set(const Value& object, Row& row) {
  row.name(object);
  row.text(ready_of_desired(object));
  row.age(object);
  print_template_containers(object, row);
}

void print_daemon_set(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"status", "desiredNumberScheduled"}));
  row.number(number_at(object, {"status", "currentNumberScheduled"}));
  row.number(number_at(object, {"status", "numberReady"}));
  row.number(number_at(object, {"status", "updatedNumberScheduled"}));
  row.number(number_at(object, {"status", "numberAvailable"}));
  row.text(labels_text(object.at({"spec", "template", "spec", "nodeSelector"})));
  row.age(object);
  print_template_containers(object, row);
  row.text(selector_text(object.at({"spec", "selector"})));
}

void print_pod_template(const Value& object, Row& row) {
  row.name(object);
  print_containers(items_at(object, {"template", "spec", "containers"}), row);
  row.text(labels_text(object.at({"template", "metadata", "labels"})));
}

void print_scale(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"spec", "replicas"}));
  row.number(number_at(object, {"status", "replicas"}));
  row.age(object);
}

}  // namespace tabernetes::registry
