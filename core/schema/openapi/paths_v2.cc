// Writes path items of OpenAPI v2: media types beside the operation, the body as a parameter, and
// most parameters by reference.
#include "schema/openapi/path_writer.h"

namespace tabernetes::schema::openapi {
namespace {

void write_whole_parameter(const Parameter& parameter, const Descriptions& descriptions,
                           Schemas& schemas, JsonText& out) {
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

class WriterV2 final : public PathWriter {
 public:
  WriterV2(const PathOptions& options, Schemas& schemas, SharedParameters& shared, JsonText& out)
      : PathWriter(options, schemas, out), shared_(shared) {}

 private:
  void write_head(const Operation& operation) override {
    write_description(operation, Dialect::kV2);
    write_media("consumes", operation.body == Media::kPatch ? Media::kPatch : operation.consumes);
    write_media("produces", operation.answer);
    out_.raw_member("schemes", R"(["https"])");
    write_tags();
  }

  void write_request(const Operation& operation) override {
    Parameters parameters = operation.parameters;
    if (operation.body != Media::kNone) {
      parameters.push_back(body_parameter(operation.body_schema, operation.body_required));
      sort_by_name(parameters);
    }
    write_parameters(parameters);
  }

  void write_answer(const Operation& operation) override {
    schemas_.write_schema_member(operation.answer_schema, out_);
  }

  void write_operation_kind(const KindName& kind) override {
    out_.key("x-kubernetes-group-version-kind");
    write_kind(kind, out_);
  }

  void write_parameter(const Parameter& parameter) override {
    if (parameter.suffix.empty()) {
      return write_whole_parameter(parameter, options_.descriptions, schemas_, out_);
    }
    std::string name = shared_name(parameter);
    out_.open_object();
    out_.member("$ref", "#/parameters/" + name);
    out_.close_object();
    shared_.emplace(std::move(name), parameter);
  }

  void write_media(std::string_view name, Media media) {
    if (media != Media::kNone)
      out_.array_member(name, media_types(media, options_.cbor, options_.custom));
  }

  SharedParameters& shared_;
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
    write_whole_parameter(parameter, descriptions, schemas, out);
  }
  out.close_object();
}

}  // namespace tabernetes::schema::openapi
