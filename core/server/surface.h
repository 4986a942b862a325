// What a cluster serves, apart from its objects: never changes while the cluster lives, and is
// shared with its views.
#pragma once

#include <string_view>

#include "registry/resource_type.h"
#include "schema/schema.h"
#include "server/negotiation.h"
#include "server/openapi_endpoint.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

// Whether a feature gate is on: as the host chose, else as Kubernetes has it by default.
bool gate_enabled(const Options& options, const schema::Catalogue& catalogue,
                  std::string_view name);

// Any thread may read it.
struct Surface {
  explicit Surface(Options chosen)
      : options(std::move(chosen)),
        catalogue(schema::Catalogue::built_in()),
        resources(catalogue),
        negotiation{.cbor_named = gate_enabled(options, catalogue, "CBORServingAndStorage")},
        openapi(catalogue, {.cbor = negotiation.cbor_named}) {}
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  const Options options;
  const schema::Catalogue& catalogue;
  const registry::ResourceTable resources;
  const NegotiationOptions negotiation;
  const OpenApiDocuments openapi;
};

}  // namespace tabernetes::server
