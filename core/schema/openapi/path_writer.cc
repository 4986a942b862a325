#include "schema/openapi/path_writer.h"

namespace tabernetes::schema::openapi {

void PathWriter::write(const PathItem& item) {
  out_.open_object();
  for (const Operation& operation : item.operations) write_operation(operation);
  write_parameters(item.shared);
  out_.close_object();
}

void PathWriter::write_operation(const Operation& operation) {
  out_.open_object(method_name(operation.method));
  write_head(operation);
  out_.member("operationId", operation.id);
  write_request(operation);
  out_.open_object("responses");
  for (const std::string_view code : operation.codes) {
    out_.open_object(code);
    out_.member("description", description_of(code));
    write_answer(operation);
    out_.close_object();
  }
  write_unauthorized(out_);
  out_.close_object();
  if (!operation.action.empty()) {
    out_.member("x-kubernetes-action", operation.action);
    write_operation_kind(operation.kind);
  }
  out_.close_object();
}

void PathWriter::write_tags() {
  out_.open_array("tags");
  out_.string(options_.tag);
  out_.close_array();
}

void PathWriter::write_description(const Operation& operation, Dialect dialect) {
  if (!options_.descriptions.empty()) out_.description(operation.description, dialect);
}

void PathWriter::write_parameters(const Parameters& parameters) {
  if (parameters.empty()) return;
  out_.open_array("parameters");
  for (const Parameter& parameter : parameters) write_parameter(parameter);
  out_.close_array();
}

}  // namespace tabernetes::schema::openapi
