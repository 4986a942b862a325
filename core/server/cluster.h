// Everything that a running cluster is made of; what the verbs work on.
#pragma once

#include <memory>

#include "base/entropy.h"
#include "registry/registry.h"
#include "registry/resource_type.h"
#include "schema/schema.h"
#include "server/deadlines.h"
#include "server/negotiation.h"
#include "server/openapi_endpoint.h"
#include "store/store.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

// Whether a feature gate is on: as the host chose, else as Kubernetes has it by default.
inline bool gate_enabled(const Options& options, const schema::Catalogue& catalogue,
                         std::string_view name) {
  const auto chosen = options.feature_gates.find(std::string(name));
  if (chosen != options.feature_gates.end()) return chosen->second;
  for (const schema::FeatureGate& gate : catalogue.feature_gates()) {
    if (gate.name == name) return gate.enabled_by_default;
  }
  return false;
}

struct Cluster {
  explicit Cluster(Options chosen)
      : options(std::move(chosen)),
        catalogue(schema::Catalogue::built_in()),
        resource_table(std::make_shared<registry::ResourceTable>(catalogue)),
        resources(*resource_table),
        entropy(options.entropy, options.seed),
        audit_entropy(options.entropy, ~options.seed),
        registry(resources, store, entropy),
        now(options.now),
        negotiation{.cbor_named = gate_enabled(options, catalogue, "CBORServingAndStorage")},
        openapi(catalogue, {.cbor = negotiation.cbor_named}) {
    if (options.entropy) begin_versions_at(now);
  }
  // A fork: the same state and past, nothing of what is under way (watches, waiting answers).
  Cluster(const Cluster& other)
      : options(other.options),
        catalogue(other.catalogue),
        resource_table(other.resource_table),
        resources(*resource_table),
        store(other.store.fork()),
        initial(other.initial),
        entropy(other.entropy),
        audit_entropy(other.audit_entropy),
        registry(other.registry, store, entropy),
        now(other.now),
        negotiation(other.negotiation),
        openapi(other.openapi) {}
  Cluster& operator=(const Cluster&) = delete;

  // Versions begin at the milliseconds of `time`, so that those which a server gave before it was
  // started anew are old ones to it, not ones of the future. Without that, a client that goes on
  // from such a version would hear nothing of what is written.
  void begin_versions_at(Time time) {
    const std::int64_t first = time.unix_nanoseconds / 1'000'000;
    if (first > 1) store.restore({store.snapshot().tree, static_cast<store::Revision>(first)});
  }

  Options options;
  const schema::Catalogue& catalogue;
  std::shared_ptr<const registry::ResourceTable> resource_table;  // shared by forks
  const registry::ResourceTable& resources;
  store::Store store;
  store::Snapshot initial;  // what reset goes back to
  Entropy entropy;
  Entropy audit_entropy;  // of its own, so that reading does not change which uids come next
  registry::Registry registry;
  Time now;
  Deadlines deadlines;
  NegotiationOptions negotiation;
  OpenApiDocuments openapi;
};

}  // namespace tabernetes::server
