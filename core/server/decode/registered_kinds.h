// Which kinds a body may say it is, before it is found unfit for its path: what kube-apiserver's
// two schemes of types have registered, which is more and less than what it serves. Source:
// compared with a kube-apiserver 1.36.3.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"
#include "server/decode/type_meta.h"

namespace tabernetes::server {

// In the scheme of objects. Null: `no kind … is registered`.
const schema::Type* registered_object(const schema::Catalogue& catalogue, const Gvk& gvk);

// In the scheme that bodies of DELETE are read with.
const schema::Type* registered_option(const schema::Catalogue& catalogue, const Gvk& gvk);

// A version that the scheme has without serving it: of a kind whose group is served.
bool is_registered_elsewhere(const schema::Catalogue& catalogue, const Gvk& gvk);

// `Foo in version "v1" cannot be handled as a Bar: `, before what is wrong with it.
std::string cannot_be_handled(const Gvk& actual, std::string_view target);

// `no kind "Foo" is registered for version "v1" in scheme "…"`
enum class Scheme { kObjects, kOptions };
std::string not_registered(const Gvk& gvk, Scheme scheme = Scheme::kObjects);

// `Object 'Kind' is missing in '…'`, `Object 'apiVersion' is missing in '…'`
std::string missing_kind(std::string_view body);
std::string missing_version(std::string_view body);

// `converting (v1.Pod) to (core.ConfigMap): unknown conversion`; internal_type() gives such a
// target.
std::string unknown_conversion(std::string_view version, std::string_view kind,
                               const std::string& target);
std::string internal_type(const Gvk& gvk);

}  // namespace tabernetes::server
