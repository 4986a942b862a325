// Writes path items of OpenAPI v2: media types beside the operation, the body as a parameter, and
// most parameters by reference.
#include "schema/openapi/write_paths.h"

namespace tabernetes::schema::openapi {
namespace {

void write_parameter(const Parameter& parameter, const Descriptions& descriptions, Schemas& schemas,
                     JsonText& out) {
  const bool body = parameter.in == "body";
  out.open_object();
  if (!body) {
    out.raw_member("uniqueItems", "true");
    out.member("type", parameter.type);
  }
  out.description(description_of(parameter, descriptions), Dialect::kV2);
  out.member("name", parameter.name);
  out.member("in", parameter.in);
  if (parameter.required) out.raw_member("required", "true");
  if (body) schemas.write_schema_member(parameter.type, out);
  out.close_object();
}

class WriterV2 {
 public:
  WriterV2(const PathOptions& options, Schemas& schemas, SharedParameters& shared, JsonText& out)
      : options_(options), schemas_(schemas), shared_(shared), out_(out) {}

  void write(const PathItem& item) {
    out_.open_object();
    for (const Operation& operation : item.operations) write(operation);
    write(item.shared);
    out_.close_object();
  }

 private:
  void write(const Operation& operation) {
    out_.open_object(method_name(operation.method));
    if (!options_.descriptions.empty()) out_.description(operation.description, Dialect::kV2);
    write_media("consumes", operation.body == Media::kPatch ? Media::kPatch : operation.consumes);
    write_media("produces", operation.answer);
    out_.raw_member("schemes", R"(["https"])");
    out_.open_array("tags");
    out_.string(options_.tag);
    out_.close_array();
    out_.member("operationId", operation.id);
    Parameters parameters = operation.parameters;
    if (operation.body != Media::kNone) {
      parameters.push_back(body_parameter(operation.body_schema, operation.body_required));
      sort_by_name(parameters);
    }
    write(parameters);
    write_responses(operation);
    if (!operation.action.empty()) {
      out_.member("x-kubernetes-action", operation.action);
      out_.key("x-kubernetes-group-version-kind");
      write_kind(operation.kind, out_);
    }
    out_.close_object();
  }

  void write_media(std::string_view name, Media media) {
    if (media != Media::kNone)
      out_.array_member(name, media_types(media, options_.cbor, options_.custom));
  }

  void write_responses(const Operation& operation) {
    out_.open_object("responses");
    for (const std::string_view code : operation.codes) {
      out_.open_object(code);
      out_.member("description", description_of(code));
      schemas_.write_schema_member(operation.answer_schema, out_);
      out_.close_object();
    }
    write_unauthorized(out_);
    out_.close_object();
  }

  void write(const Parameters& parameters) {
    if (parameters.empty()) return;
    out_.open_array("parameters");
    for (const Parameter& parameter : parameters) {
      if (parameter.suffix.empty()) {
        write_parameter(parameter, options_.descriptions, schemas_, out_);
        continue;
      }
      std::string name = shared_name(parameter);
      out_.open_object();
      out_.member("$ref", "#/parameters/" + name);
      out_.close_object();
      shared_.emplace(std::move(name), parameter);
    }
    out_.close_array();
  }

  const PathOptions& options_;
  Schemas& schemas_;
  SharedParameters& shared_;
  JsonText& out_;
};

}  // namespace

void write_path_v2(const PathItem& item, const PathOptions& options, Schemas& schemas,
                   SharedParameters& shared, JsonText& out) {
  WriterV2(options, schemas, shared, out).write(item);
}

void write_shared_parameters(const SharedParameters& shared, const Descriptions& descriptions,
                             Schemas& schemas, JsonText& out) {
  out.open_object();
  for (const auto& [name, parameter] : shared) {
    out.key(name);
    write_parameter(parameter, descriptions, schemas, out);
  }
  out.close_object();
}

}  // namespace tabernetes::schema::openapi
