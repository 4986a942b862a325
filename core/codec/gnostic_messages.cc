#include "codec/gnostic_messages.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tabernetes::codec {
namespace {

using M = GnosticMessage;
using S = GnosticShape;

// By message, and within it by number, the order in which fields are written.
constexpr GnosticField kFields[] = {
    {M::kDocument2, 1, S::kString, M::kNone, "swagger"},
    {M::kDocument2, 2, S::kMessage, M::kInfo2, "info"},
    {M::kDocument2, 8, S::kMessage, M::kPaths2, "paths"},
    {M::kDocument2, 9, S::kMessage, M::kDefinitions2, "definitions"},
    {M::kDocument2, 10, S::kMessage, M::kParameterDefinitions2, "parameters"},
    {M::kDocument2, 12, S::kMessages, M::kSecurityRequirement, "security"},
    {M::kDocument2, 13, S::kMessage, M::kSecurityDefinitions2, "securityDefinitions"},
    {M::kInfo2, 1, S::kString, M::kNone, "title"},
    {M::kInfo2, 2, S::kString, M::kNone, "version"},
    {M::kInfo2, 3, S::kString, M::kNone, "description"},
    {M::kPaths2, 2, S::kNamed, M::kPathItem2, ""},
    {M::kPathItem2, 2, S::kMessage, M::kOperation2, "get"},
    {M::kPathItem2, 3, S::kMessage, M::kOperation2, "put"},
    {M::kPathItem2, 4, S::kMessage, M::kOperation2, "post"},
    {M::kPathItem2, 5, S::kMessage, M::kOperation2, "delete"},
    {M::kPathItem2, 6, S::kMessage, M::kOperation2, "options"},
    {M::kPathItem2, 7, S::kMessage, M::kOperation2, "head"},
    {M::kPathItem2, 8, S::kMessage, M::kOperation2, "patch"},
    {M::kPathItem2, 9, S::kMessages, M::kParametersItem2, "parameters"},
    {M::kOperation2, 1, S::kStrings, M::kNone, "tags"},
    {M::kOperation2, 2, S::kString, M::kNone, "summary"},
    {M::kOperation2, 3, S::kString, M::kNone, "description"},
    {M::kOperation2, 5, S::kString, M::kNone, "operationId"},
    {M::kOperation2, 6, S::kStrings, M::kNone, "produces"},
    {M::kOperation2, 7, S::kStrings, M::kNone, "consumes"},
    {M::kOperation2, 8, S::kMessages, M::kParametersItem2, "parameters"},
    {M::kOperation2, 9, S::kMessage, M::kResponses2, "responses"},
    {M::kOperation2, 10, S::kStrings, M::kNone, "schemes"},
    {M::kOperation2, 11, S::kBool, M::kNone, "deprecated"},
    {M::kOperation2, 13, S::kExtensions, M::kNone, ""},
    {M::kResponses2, 1, S::kNamed, M::kResponseValue2, ""},
    {M::kResponseValue2, 1, S::kSelf, M::kResponse2, ""},
    {M::kResponse2, 1, S::kString, M::kNone, "description"},
    {M::kResponse2, 2, S::kMessage, M::kSchemaItem2, "schema"},
    {M::kSchemaItem2, 1, S::kSelf, M::kSchema2, ""},
    {M::kParametersItem2, 1, S::kSelfUnlessReference, M::kParameter2, ""},
    {M::kParametersItem2, 2, S::kSelfIfReference, M::kReference, ""},
    {M::kParameter2, 1, S::kSelfIfIn, M::kBodyParameter2, "body"},
    {M::kParameter2, 2, S::kSelfUnlessBody, M::kNonBodyParameter2, ""},
    {M::kBodyParameter2, 1, S::kString, M::kNone, "description"},
    {M::kBodyParameter2, 2, S::kString, M::kNone, "name"},
    {M::kBodyParameter2, 3, S::kString, M::kNone, "in"},
    {M::kBodyParameter2, 4, S::kBool, M::kNone, "required"},
    {M::kBodyParameter2, 5, S::kMessage, M::kSchema2, "schema"},
    {M::kNonBodyParameter2, 3, S::kSelfIfIn, M::kQueryParameter2, "query"},
    {M::kNonBodyParameter2, 4, S::kSelfIfIn, M::kPathParameter2, "path"},
    {M::kQueryParameter2, 1, S::kBool, M::kNone, "required"},
    {M::kQueryParameter2, 2, S::kString, M::kNone, "in"},
    {M::kQueryParameter2, 3, S::kString, M::kNone, "description"},
    {M::kQueryParameter2, 4, S::kString, M::kNone, "name"},
    {M::kQueryParameter2, 6, S::kString, M::kNone, "type"},
    {M::kQueryParameter2, 20, S::kBool, M::kNone, "uniqueItems"},
    {M::kPathParameter2, 1, S::kBool, M::kNone, "required"},
    {M::kPathParameter2, 2, S::kString, M::kNone, "in"},
    {M::kPathParameter2, 3, S::kString, M::kNone, "description"},
    {M::kPathParameter2, 4, S::kString, M::kNone, "name"},
    {M::kPathParameter2, 5, S::kString, M::kNone, "type"},
    {M::kPathParameter2, 19, S::kBool, M::kNone, "uniqueItems"},
    {M::kDefinitions2, 1, S::kNamed, M::kSchema2, ""},
    {M::kParameterDefinitions2, 1, S::kNamed, M::kParameter2, ""},
    {M::kSecurityDefinitions2, 1, S::kNamed, M::kSecurityItem2, ""},
    {M::kSecurityItem2, 2, S::kSelf, M::kApiKey2, ""},
    {M::kApiKey2, 1, S::kString, M::kNone, "type"},
    {M::kApiKey2, 2, S::kString, M::kNone, "name"},
    {M::kApiKey2, 3, S::kString, M::kNone, "in"},
    {M::kApiKey2, 4, S::kString, M::kNone, "description"},
    {M::kSchema2, 1, S::kString, M::kNone, "$ref"},
    {M::kSchema2, 2, S::kString, M::kNone, "format"},
    {M::kSchema2, 3, S::kString, M::kNone, "title"},
    {M::kSchema2, 4, S::kString, M::kNone, "description"},
    {M::kSchema2, 5, S::kAny, M::kNone, "default"},
    {M::kSchema2, 6, S::kDouble, M::kNone, "multipleOf"},
    {M::kSchema2, 7, S::kDouble, M::kNone, "maximum"},
    {M::kSchema2, 8, S::kBool, M::kNone, "exclusiveMaximum"},
    {M::kSchema2, 9, S::kDouble, M::kNone, "minimum"},
    {M::kSchema2, 10, S::kBool, M::kNone, "exclusiveMinimum"},
    {M::kSchema2, 11, S::kInt, M::kNone, "maxLength"},
    {M::kSchema2, 12, S::kInt, M::kNone, "minLength"},
    {M::kSchema2, 13, S::kString, M::kNone, "pattern"},
    {M::kSchema2, 14, S::kInt, M::kNone, "maxItems"},
    {M::kSchema2, 15, S::kInt, M::kNone, "minItems"},
    {M::kSchema2, 16, S::kBool, M::kNone, "uniqueItems"},
    {M::kSchema2, 17, S::kInt, M::kNone, "maxProperties"},
    {M::kSchema2, 18, S::kInt, M::kNone, "minProperties"},
    {M::kSchema2, 19, S::kStrings, M::kNone, "required"},
    {M::kSchema2, 20, S::kAnys, M::kNone, "enum"},
    {M::kSchema2, 21, S::kMessage, M::kAdditional2, "additionalProperties"},
    {M::kSchema2, 22, S::kMessage, M::kStringArray, "type"},
    {M::kSchema2, 23, S::kMessage, M::kItems2, "items"},
    {M::kSchema2, 24, S::kMessages, M::kSchema2, "allOf"},
    {M::kSchema2, 25, S::kMessage, M::kDefinitions2, "properties"},
    {M::kSchema2, 29, S::kMessage, M::kExternalDocs2, "externalDocs"},
    {M::kSchema2, 30, S::kAny, M::kNone, "example"},
    {M::kSchema2, 31, S::kExtensions, M::kNone, ""},
    {M::kAdditional2, 1, S::kSelfIfObject, M::kSchema2, ""},
    {M::kAdditional2, 2, S::kSelfIfBool, M::kNone, ""},
    {M::kItems2, 1, S::kSelf, M::kSchema2, ""},
    {M::kExternalDocs2, 1, S::kString, M::kNone, "description"},
    {M::kExternalDocs2, 2, S::kString, M::kNone, "url"},

    {M::kDocument3, 1, S::kString, M::kNone, "openapi"},
    {M::kDocument3, 2, S::kMessage, M::kInfo3, "info"},
    {M::kDocument3, 4, S::kMessage, M::kPaths3, "paths"},
    {M::kDocument3, 5, S::kMessage, M::kComponents3, "components"},
    {M::kInfo3, 1, S::kString, M::kNone, "title"},
    {M::kInfo3, 2, S::kString, M::kNone, "description"},
    {M::kInfo3, 6, S::kString, M::kNone, "version"},
    {M::kPaths3, 1, S::kNamed, M::kPathItem3, ""},
    {M::kPathItem3, 4, S::kMessage, M::kOperation3, "get"},
    {M::kPathItem3, 5, S::kMessage, M::kOperation3, "put"},
    {M::kPathItem3, 6, S::kMessage, M::kOperation3, "post"},
    {M::kPathItem3, 7, S::kMessage, M::kOperation3, "delete"},
    {M::kPathItem3, 8, S::kMessage, M::kOperation3, "options"},
    {M::kPathItem3, 9, S::kMessage, M::kOperation3, "head"},
    {M::kPathItem3, 10, S::kMessage, M::kOperation3, "patch"},
    {M::kPathItem3, 13, S::kMessages, M::kParameterOrReference3, "parameters"},
    {M::kOperation3, 1, S::kStrings, M::kNone, "tags"},
    {M::kOperation3, 2, S::kString, M::kNone, "summary"},
    {M::kOperation3, 3, S::kString, M::kNone, "description"},
    {M::kOperation3, 5, S::kString, M::kNone, "operationId"},
    {M::kOperation3, 6, S::kMessages, M::kParameterOrReference3, "parameters"},
    {M::kOperation3, 7, S::kMessage, M::kBodyOrReference3, "requestBody"},
    {M::kOperation3, 8, S::kMessage, M::kResponses3, "responses"},
    {M::kOperation3, 10, S::kBool, M::kNone, "deprecated"},
    {M::kOperation3, 13, S::kExtensions, M::kNone, ""},
    {M::kResponses3, 2, S::kNamed, M::kResponseOrReference3, ""},
    {M::kResponseOrReference3, 1, S::kSelfUnlessReference, M::kResponse3, ""},
    {M::kResponseOrReference3, 2, S::kSelfIfReference, M::kReference, ""},
    {M::kResponse3, 1, S::kString, M::kNone, "description"},
    {M::kResponse3, 3, S::kMessage, M::kContent3, "content"},
    {M::kBodyOrReference3, 1, S::kSelfUnlessReference, M::kBody3, ""},
    {M::kBodyOrReference3, 2, S::kSelfIfReference, M::kReference, ""},
    {M::kBody3, 1, S::kString, M::kNone, "description"},
    {M::kBody3, 2, S::kMessage, M::kContent3, "content"},
    {M::kBody3, 3, S::kBool, M::kNone, "required"},
    {M::kContent3, 1, S::kNamed, M::kMediaType3, ""},
    {M::kMediaType3, 1, S::kMessage, M::kSchemaOrReference3, "schema"},
    {M::kParameterOrReference3, 1, S::kSelfUnlessReference, M::kParameter3, ""},
    {M::kParameterOrReference3, 2, S::kSelfIfReference, M::kReference, ""},
    {M::kParameter3, 1, S::kString, M::kNone, "name"},
    {M::kParameter3, 2, S::kString, M::kNone, "in"},
    {M::kParameter3, 3, S::kString, M::kNone, "description"},
    {M::kParameter3, 4, S::kBool, M::kNone, "required"},
    {M::kParameter3, 10, S::kMessage, M::kSchemaOrReference3, "schema"},
    {M::kComponents3, 1, S::kMessage, M::kSchemas3, "schemas"},
    {M::kComponents3, 7, S::kMessage, M::kSecuritySchemes3, "securitySchemes"},
    {M::kSchemas3, 1, S::kNamed, M::kSchemaOrReference3, ""},
    {M::kSchemaOrReference3, 1, S::kSelfUnlessReference, M::kSchema3, ""},
    {M::kSchemaOrReference3, 2, S::kSelfIfReference, M::kReference, ""},
    {M::kSchema3, 1, S::kBool, M::kNone, "nullable"},
    {M::kSchema3, 3, S::kBool, M::kNone, "readOnly"},
    {M::kSchema3, 4, S::kBool, M::kNone, "writeOnly"},
    {M::kSchema3, 6, S::kMessage, M::kExternalDocs2, "externalDocs"},
    {M::kSchema3, 7, S::kAny, M::kNone, "example"},
    {M::kSchema3, 9, S::kString, M::kNone, "title"},
    {M::kSchema3, 10, S::kDouble, M::kNone, "multipleOf"},
    {M::kSchema3, 11, S::kDouble, M::kNone, "maximum"},
    {M::kSchema3, 12, S::kBool, M::kNone, "exclusiveMaximum"},
    {M::kSchema3, 13, S::kDouble, M::kNone, "minimum"},
    {M::kSchema3, 14, S::kBool, M::kNone, "exclusiveMinimum"},
    {M::kSchema3, 15, S::kInt, M::kNone, "maxLength"},
    {M::kSchema3, 16, S::kInt, M::kNone, "minLength"},
    {M::kSchema3, 17, S::kString, M::kNone, "pattern"},
    {M::kSchema3, 18, S::kInt, M::kNone, "maxItems"},
    {M::kSchema3, 19, S::kInt, M::kNone, "minItems"},
    {M::kSchema3, 20, S::kBool, M::kNone, "uniqueItems"},
    {M::kSchema3, 21, S::kInt, M::kNone, "maxProperties"},
    {M::kSchema3, 22, S::kInt, M::kNone, "minProperties"},
    {M::kSchema3, 23, S::kStrings, M::kNone, "required"},
    {M::kSchema3, 24, S::kAnys, M::kNone, "enum"},
    {M::kSchema3, 25, S::kString, M::kNone, "type"},
    {M::kSchema3, 26, S::kMessages, M::kSchemaOrReference3, "allOf"},
    {M::kSchema3, 27, S::kMessages, M::kSchemaOrReference3, "oneOf"},
    {M::kSchema3, 28, S::kMessages, M::kSchemaOrReference3, "anyOf"},
    {M::kSchema3, 29, S::kMessage, M::kSchema3, "not"},
    {M::kSchema3, 30, S::kMessage, M::kItems3, "items"},
    {M::kSchema3, 31, S::kMessage, M::kSchemas3, "properties"},
    {M::kSchema3, 32, S::kMessage, M::kAdditional3, "additionalProperties"},
    {M::kSchema3, 33, S::kScalar, M::kNone, "default"},
    {M::kSchema3, 34, S::kString, M::kNone, "description"},
    {M::kSchema3, 35, S::kString, M::kNone, "format"},
    {M::kSchema3, 36, S::kExtensions, M::kNone, ""},
    {M::kAdditional3, 1, S::kSelfIfObject, M::kSchemaOrReference3, ""},
    {M::kAdditional3, 2, S::kSelfIfBool, M::kNone, ""},
    {M::kItems3, 1, S::kSelf, M::kSchemaOrReference3, ""},
    {M::kSecuritySchemes3, 1, S::kNamed, M::kSecurityOrReference3, ""},
    {M::kSecurityOrReference3, 1, S::kSelf, M::kSecurityScheme3, ""},
    {M::kSecurityScheme3, 1, S::kString, M::kNone, "type"},
    {M::kSecurityScheme3, 2, S::kString, M::kNone, "description"},
    {M::kSecurityScheme3, 3, S::kString, M::kNone, "name"},
    {M::kSecurityScheme3, 4, S::kString, M::kNone, "in"},

    {M::kReference, 1, S::kString, M::kNone, "$ref"},
    {M::kSecurityRequirement, 1, S::kNamed, M::kStringArray, ""},
    {M::kStringArray, 1, S::kSelfStrings, M::kNone, ""},
};

constexpr bool is_in_order() {
  for (std::size_t i = 1; i < std::size(kFields); ++i) {
    const GnosticField& before = kFields[i - 1];
    if (before.owner > kFields[i].owner) return false;
    if (before.owner == kFields[i].owner && before.number >= kFields[i].number) return false;
  }
  return true;
}
static_assert(is_in_order());

// The index of the first field of each message.
constexpr auto kFirst = [] {
  std::array<std::uint8_t, static_cast<std::size_t>(M::kCount) + 1> first{};
  std::size_t field = 0;
  for (std::size_t message = 0; message < first.size(); ++message) {
    while (field < std::size(kFields) && static_cast<std::size_t>(kFields[field].owner) < message) {
      ++field;
    }
    first[message] = static_cast<std::uint8_t>(field);
  }
  return first;
}();
static_assert(std::size(kFields) < 256);

}  // namespace

GnosticFields gnostic_fields(GnosticMessage message) {
  const auto number = static_cast<std::size_t>(message);
  return {kFields + kFirst[number], kFields + kFirst[number + 1]};
}

}  // namespace tabernetes::codec
