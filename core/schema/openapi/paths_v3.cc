// Writes path items of OpenAPI v3.
#include <utility>

#include "base/sort.h"
#include "schema/openapi/write_paths.h"

namespace tabernetes::schema::openapi {
namespace {

class WriterV3 {
 public:
  WriterV3(const PathOptions& options, Schemas& schemas, JsonText& out)
      : options_(options), schemas_(schemas), out_(out) {}

  void write(const PathItem& item) {
    out_.open_object();
    for (const Operation& operation : item.operations) write(operation);
    write(item.shared);
    out_.close_object();
  }

 private:
  void write(const Operation& operation) {
    out_.open_object(method_name(operation.method));
    out_.open_array("tags");
    out_.string(options_.tag);
    out_.close_array();
    if (!options_.descriptions.empty()) out_.description(operation.description, Dialect::kV3);
    out_.member("operationId", operation.id);
    write(operation.parameters);
    if (operation.body != Media::kNone) {
      out_.open_object("requestBody");
      write_content(operation.body, operation.body_schema);
      if (operation.body_required) out_.raw_member("required", "true");
      out_.close_object();
    }
    out_.open_object("responses");
    for (const std::string_view code : operation.codes) {
      out_.open_object(code);
      out_.member("description", description_of(code));
      write_content(operation.answer, operation.answer_schema);
      out_.close_object();
    }
    write_unauthorized(out_);
    out_.close_object();
    if (!operation.action.empty()) {
      out_.member("x-kubernetes-action", operation.action);
      out_.open_object("x-kubernetes-group-version-kind");
      out_.member("group", operation.kind.group);
      out_.member("version", operation.kind.version);
      out_.member("kind", operation.kind.kind);
      out_.close_object();
    }
    out_.close_object();
  }

  void write_content(Media media, std::string_view schema) {
    std::vector<std::string_view> types = media_types(media, options_.cbor, options_.custom);
    sort_stable(types);
    out_.open_object("content");
    for (const std::string_view type : types) {
      out_.open_object(type);
      schemas_.write_schema_member(schema, out_);
      out_.close_object();
    }
    out_.close_object();
  }

  void write(const Parameters& parameters) {
    if (parameters.empty()) return;
    out_.open_array("parameters");
    for (const Parameter& parameter : parameters) {
      out_.open_object();
      out_.member("name", parameter.name);
      out_.member("in", parameter.in);
      out_.description(description_of(parameter, options_.descriptions), Dialect::kV3);
      if (parameter.required) out_.raw_member("required", "true");
      out_.open_object("schema");
      out_.member("type", parameter.type);
      out_.raw_member("uniqueItems", "true");
      out_.close_object();
      out_.close_object();
    }
    out_.close_array();
  }

  const PathOptions& options_;
  Schemas& schemas_;
  JsonText& out_;
};

}  // namespace

void write_path_v3(const PathItem& item, const PathOptions& options, Schemas& schemas,
                   JsonText& out) {
  WriterV3(options, schemas, out).write(item);
}

}  // namespace tabernetes::schema::openapi
