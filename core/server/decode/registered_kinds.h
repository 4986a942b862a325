// The kinds registered in kube-apiserver's two schemes: a body of another kind fails to decode.
// They are not exactly the served kinds. Source: compared with a kube-apiserver 1.36.3.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"
#include "server/decode/type_meta.h"

namespace tabernetes::server {

// Returns the type in the scheme of objects, or null: `no kind ... is registered`.
const schema::Type* registered_object(const schema::Catalogue& catalogue, const Gvk& gvk);

// Returns the type in the scheme for bodies of DELETE, or null.
const schema::Type* registered_option(const schema::Catalogue& catalogue, const Gvk& gvk);

// Returns whether the scheme has this version of a served kind without serving it.
bool is_registered_elsewhere(const schema::Catalogue& catalogue, const Gvk& gvk);

// Returns `Foo in version "v1" cannot be handled as a Bar: `, the prefix of an error.
std::string cannot_be_handled(const Gvk& actual, std::string_view target);

// Returns `no kind "Foo" is registered for version "v1" in scheme "..."`.
enum class Scheme { kObjects, kOptions };
std::string not_registered(const Gvk& gvk, Scheme scheme = Scheme::kObjects);

// Return `Object 'Kind' is missing in '...'`, `Object 'apiVersion' is missing in '...'`.
std::string missing_kind(std::string_view body);
std::string missing_version(std::string_view body);

// Returns `converting (v1.Pod) to (core.ConfigMap): unknown conversion`; internal_type() returns
// such a target.
std::string unknown_conversion(std::string_view version, std::string_view kind,
                               const std::string& target);
std::string internal_type(const Gvk& gvk);

}  // namespace tabernetes::server
