// Writes path items of OpenAPI v3.
#include "base/algorithm/sort.h"
#include "schema/openapi/path_writer.h"

namespace tabernetes::schema::openapi {
namespace {

class WriterV3 final : public PathWriter {
 public:
  using PathWriter::PathWriter;

 private:
  void write_head(const Operation& operation) override {
    write_tags();
    write_description(operation, Dialect::kV3);
  }

  void write_request(const Operation& operation) override {
    write_parameters(operation.parameters);
    if (operation.body == Media::kNone) return;
    out_.open_object("requestBody");
    write_content(operation.body, operation.body_schema);
    if (operation.body_required) out_.raw_member("required", "true");
    out_.close_object();
  }

  void write_answer(const Operation& operation) override {
    write_content(operation.answer, operation.answer_schema);
  }

  void write_operation_kind(const KindName& kind) override {
    out_.open_object("x-kubernetes-group-version-kind");
    out_.member("group", kind.group);
    out_.member("version", kind.version);
    out_.member("kind", kind.kind);
    out_.close_object();
  }

  void write_parameter(const Parameter& parameter) override {
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
};

}  // namespace

void write_path_v3(const PathItem& item, const PathOptions& options, Schemas& schemas,
                   JsonText& out) {
  WriterV3(options, schemas, out).write(item);
}

}  // namespace tabernetes::schema::openapi
