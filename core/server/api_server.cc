#include "tabernetes/api_server.h"

#include <optional>
#include <utility>

#include "base/entropy.h"
#include "server/admin.h"
#include "server/bootstrap.h"
#include "server/cluster.h"
#include "server/cluster_state.h"
#include "server/load.h"
#include "server/router.h"

namespace tabernetes {

class ApiServer::Impl {
 public:
  explicit Impl(Options options) : cluster(std::move(options)) {
    server::create_initial_objects(cluster);
    server::mark_initial_state(cluster);
  }
  explicit Impl(const server::Cluster& parent) : cluster(parent) {}

  server::Cluster cluster;
};

ApiServer::ApiServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
ApiServer::ApiServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ApiServer::~ApiServer() = default;

// NOLINTNEXTLINE(performance-unnecessary-value-param): an answer that comes later keeps both.
void ApiServer::handle(Request request, Reply reply) {
  server::Cluster& cluster = impl_->cluster;
  if (cluster.options.admin && server::is_admin_path(request.target)) {
    reply(server::answer_admin(cluster, request));
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

void ApiServer::mark_initial_state() { server::mark_initial_state(impl_->cluster); }

void ApiServer::reset() { server::reset(impl_->cluster); }

std::unique_ptr<ApiServer> ApiServer::fork() const {
  // Not make_unique: the constructor is private.
  return std::unique_ptr<ApiServer>(new ApiServer(std::make_unique<Impl>(impl_->cluster)));
}

std::string ApiServer::snapshot() const { return server::save(impl_->cluster).flatten(); }

std::string ApiServer::restore(std::string_view document) {
  return server::restore(impl_->cluster, document);
}

std::string ApiServer::compact(std::string_view resource_version) {
  return server::compact(impl_->cluster, resource_version);
}

Time ApiServer::time() const { return impl_->cluster.now; }

}  // namespace tabernetes
