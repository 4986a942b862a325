// Brings a custom resource into the form of its definition: decodes metadata, drops unknown fields
// and disallowed nulls. Applied to objects from clients and from the store, and to the results of
// conversions and admission. Defaults are applied afterwards (schema::apply_defaults).
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/customresource_handler.go,
// unstructuredSchemaCoercer; pkg/apiserver/schema/objectmeta/{algorithm,coerce}.go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/api/field_error.h"
#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

struct Conform {
  // For a stored object: malformed metadata is dropped instead of an error, and a missing
  // generation becomes 1.
  bool stored = false;
  bool keep_nulls = false;
  bool keep_unknown = false;  // fields outside metadata
  // Receives the paths of unknown fields ("metadata.x", "spec.foo") in the order of the real
  // server's messages. Null: not wanted.
  std::vector<std::string>* unknown = nullptr;
};

// Changes `object` in place. Returns the error in metadata ("json: cannot unmarshal ..."), or an
// empty text. REQUIRES: it is an object of the definition's kind.
std::string conform(json::Value& object, const schema::Structural& schema, json::Arena& arena,
                    const Conform& options = {});

struct CoerceMetadata {
  schema::Whole whole = schema::Whole::kPart;
  bool drop_malformed = false;                  // as Conform::stored
  std::vector<std::string>* unknown = nullptr;  // as in Conform
};

// Decodes and encodes the metadata of embedded objects (and of the value itself if it is whole) as
// ObjectMeta, in place. Returns the first error.
std::optional<field::Error> coerce_metadata(json::Value& value, const schema::Structural& schema,
                                            json::Arena& arena, const field::Path& path,
                                            const CoerceMetadata& options);

}  // namespace tabernetes::registry::custom
