#include "schema/openapi/descriptions.h"

namespace tabernetes::schema::openapi {

std::string_view Descriptions::of_type(std::string_view type) const { return of_field(type, ""); }

std::string_view Descriptions::of_field(std::string_view type, std::string_view field) const {
  return text(root_.at({"types", type, field}));
}

std::string_view Descriptions::of_parameter(std::string_view name) const {
  return text(root_.at({"parameters", name}));
}

std::string_view Descriptions::text(const json::Value* number) const {
  if (number == nullptr) return {};
  return root_.find("texts")->items()[static_cast<std::size_t>(number->as_int())].as_string();
}

}  // namespace tabernetes::schema::openapi
