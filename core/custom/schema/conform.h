// A custom resource as its definition knows it: metadata of the form that every object has, nothing
// that the schema does not know, no nulls where none may be. Done with what clients send, with what
// comes out of the store, and with what conversions and admission make of it. Defaults come after
// (schema::apply_defaults).
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/customresource_handler.go,
// unstructuredSchemaCoercer; pkg/apiserver/schema/objectmeta/{algorithm,coerce}.go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_error.h"
#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

struct Conform {
  // It comes out of the store: metadata of the wrong type is left out instead of an error, and a
  // missing generation is 1.
  bool stored = false;
  bool keep_nulls = false;
  // Gets the paths of what is unknown ("metadata.x", "spec.foo"), in the order of the real server's
  // messages. Null: nobody asks.
  std::vector<std::string>* unknown = nullptr;
};

// Changes `object` in place. REQUIRES: it is an object of the definition's kind. Returns what is
// wrong with metadata ("json: cannot unmarshal ..."); empty: nothing.
std::string conform(json::Value& object, const schema::Structural& schema, json::Arena& arena,
                    const Conform& options = {});

struct CoerceMetadata {
  schema::Whole whole = schema::Whole::kPart;
  bool drop_malformed = false;                  // as Conform::stored
  std::vector<std::string>* unknown = nullptr;  // as in Conform
};

// Makes the metadata of embedded objects (and of the value itself, if it is whole) what
// ObjectMeta's reader and writer make of it, in place. Returns the first error.
std::optional<field::Error> coerce_metadata(json::Value& value, const schema::Structural& schema,
                                            json::Arena& arena, const field::Path& path,
                                            const CoerceMetadata& options);

}  // namespace tabernetes::registry::custom
