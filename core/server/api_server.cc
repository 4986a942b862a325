#include "tabernetes/api_server.h"

#include <optional>
#include <utility>

#include "base/entropy.h"
#include "server/admin.h"
#include "server/bootstrap.h"
#include "server/cluster.h"
#include "server/load.h"
#include "server/router.h"

namespace tabernetes {

class ApiServer::Impl {
 public:
  explicit Impl(Options options) : cluster(std::move(options)) {
    server::create_initial_objects(cluster);
    initial = server::InitialState{cluster.store.snapshot(), cluster.now};
  }

  server::Cluster cluster;
  server::InitialState initial;
};

ApiServer::ApiServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
ApiServer::~ApiServer() = default;

// NOLINTNEXTLINE(performance-unnecessary-value-param): an answer that comes later keeps both.
void ApiServer::handle(Request request, Reply reply) {
  server::Cluster& cluster = impl_->cluster;
  if (cluster.options.admin && server::is_admin_path(request.target)) {
    reply(server::answer_admin(cluster, impl_->initial, request));
    return;
  }
  Response response = server::route(cluster, request);
  // The client's own id is echoed unchecked. Source: spec/rest.md 5.8.
  std::string audit_id(find_header(request.headers, "audit-id"));
  if (audit_id.empty()) audit_id = make_uid(cluster.audit_entropy);
  response.headers.emplace_back("Audit-Id", std::move(audit_id));
  reply(std::move(response));
}

void ApiServer::advance(Time now) {
  if (impl_->cluster.now < now) impl_->cluster.now = now;
  impl_->cluster.deadlines.run(impl_->cluster.now);
}

std::optional<Time> ApiServer::next_deadline() const { return impl_->cluster.deadlines.next(); }

std::vector<LoadError> ApiServer::load(std::string_view manifest) {
  return server::load_manifest(impl_->cluster, manifest);
}

void ApiServer::mark_initial_state() {
  impl_->initial = {impl_->cluster.store.snapshot(), impl_->cluster.now};
}

Time ApiServer::time() const { return impl_->cluster.now; }

}  // namespace tabernetes
