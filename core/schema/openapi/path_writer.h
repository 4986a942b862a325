// What path items of both versions of OpenAPI have in common: the order of an operation's parts.
#pragma once

#include "schema/openapi/write_paths.h"

namespace tabernetes::schema::openapi {

class PathWriter {
 public:
  PathWriter(const PathOptions& options, Schemas& schemas, JsonText& out)
      : options_(options), schemas_(schemas), out_(out) {}
  virtual ~PathWriter() = default;
  PathWriter(const PathWriter&) = delete;
  PathWriter& operator=(const PathWriter&) = delete;

  void write(const PathItem& item);

 protected:
  void write_tags();
  void write_description(const Operation& operation, Dialect dialect);
  // Writes the member `parameters`; nothing if there are none.
  void write_parameters(const Parameters& parameters);

  const PathOptions& options_;
  Schemas& schemas_;
  JsonText& out_;

 private:
  void write_operation(const Operation& operation);

  // What stands before the operation's id.
  virtual void write_head(const Operation& operation) = 0;
  // Parameters and body.
  virtual void write_request(const Operation& operation) = 0;
  virtual void write_answer(const Operation& operation) = 0;
  virtual void write_operation_kind(const KindName& kind) = 0;
  virtual void write_parameter(const Parameter& parameter) = 0;
};

}  // namespace tabernetes::schema::openapi
