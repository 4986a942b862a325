#include "registry/kind/write_context.h"

namespace tabernetes::registry {

WriteContext server_context(const WriteContext& context, std::string_view subresource) {
  WriteContext own = context;
  own.manager = "kube-apiserver";
  own.subresource = subresource;
  own.tracks_fields = true;
  own.applies = false;
  own.check_may_create = {};
  own.user = nullptr;
  own.warnings = nullptr;
  own.notes = nullptr;
  return own;
}

}  // namespace tabernetes::registry
