// A kind as x-kubernetes-group-version-kind names it.
#pragma once

#include <string_view>

#include "schema/openapi/json_text.h"

namespace tabernetes::schema::openapi {

struct KindName {
  std::string_view group, version, kind;
};

// Writes {"group":...,"kind":...,"version":...}.
inline void write_kind(const KindName& name, JsonText& out) {
  out.open_object();
  out.member("group", name.group);
  out.member("kind", name.kind);
  out.member("version", name.version);
  out.close_object();
}

}  // namespace tabernetes::schema::openapi
