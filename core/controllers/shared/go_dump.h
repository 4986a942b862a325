// Prints an object as the Go library spew prints the struct that it would be decoded to, which is
// what upstream hashes: types in brackets, fields in the order of the struct, unset ones too.
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::controllers {

// Returns "(v1.PodTemplateSpec){ObjectMeta:(v1.ObjectMeta){Name:(string) ...". Made for pod
// templates and subsets of Endpoints: it knows the Go names of their fields. Numbers beyond 64 bits
// are printed as texts.
std::string go_dump(const schema::Type& type, const json::Value& object);

}  // namespace tabernetes::controllers
