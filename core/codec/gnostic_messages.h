// Internal to codec: the messages of gnostic as a table, without fields that our documents never
// have. Facts: OpenAPIv2.proto and OpenAPIv3.proto of google/gnostic-models 0.7.
#pragma once

#include <cstdint>
#include <string_view>

namespace tabernetes::codec {

// How a field is encoded from the JSON of its message.
enum class GnosticShape : std::uint8_t {
  kString,
  kBool,
  kInt,
  kDouble,
  kStrings,  // repeated
  kAny,      // YAML text
  kAnys,     // repeated
  kMessage,
  kMessages,    // repeated
  kScalar,      // v3's DefaultType
  kNamed,       // every member, as {name, message}
  kExtensions,  // every member that begins with x-, as {name, Any}
  // Fields that take the message's value itself instead of a member.
  kSelf,             // as a message
  kSelfStrings,      // a string, or an array of strings
  kSelfIfObject,     // otherwise the next field
  kSelfIfBool,       //
  kSelfIfReference,  // has `$ref`
  kSelfUnlessReference,
  kSelfIfIn,        // if `in` is the field's name
  kSelfUnlessBody,  // if `in` is not `body`
};

enum class GnosticMessage : std::uint8_t {
  kNone,
  // v2
  kDocument2,
  kInfo2,
  kPaths2,
  kPathItem2,
  kOperation2,
  kResponses2,
  kResponseValue2,
  kResponse2,
  kSchemaItem2,
  kParametersItem2,
  kParameter2,
  kBodyParameter2,
  kNonBodyParameter2,
  kQueryParameter2,
  kPathParameter2,
  kDefinitions2,
  kParameterDefinitions2,
  kSecurityDefinitions2,
  kSecurityItem2,
  kApiKey2,
  kSchema2,
  kAdditional2,
  kItems2,
  kExternalDocs2,
  // v3
  kDocument3,
  kInfo3,
  kPaths3,
  kPathItem3,
  kOperation3,
  kResponses3,
  kResponseOrReference3,
  kResponse3,
  kBodyOrReference3,
  kBody3,
  kContent3,
  kMediaType3,
  kParameterOrReference3,
  kParameter3,
  kComponents3,
  kSchemas3,
  kSchemaOrReference3,
  kSchema3,
  kAdditional3,
  kItems3,
  kSecuritySchemes3,
  kSecurityOrReference3,
  kSecurityScheme3,
  // both
  kReference,
  kSecurityRequirement,
  kStringArray,
  kCount,
};

struct GnosticField {
  GnosticMessage owner;
  std::uint8_t number;
  GnosticShape shape;
  GnosticMessage message;  // for kMessage, kMessages, kNamed and kSelf...
  std::string_view key;
};

// The fields of one message, by number.
struct GnosticFields {
  const GnosticField* first;
  const GnosticField* last;
  const GnosticField* begin() const { return first; }
  const GnosticField* end() const { return last; }
};
GnosticFields gnostic_fields(GnosticMessage message);

}  // namespace tabernetes::codec
