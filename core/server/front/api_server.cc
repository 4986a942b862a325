#include "server/front/api_server_impl.h"

namespace tabernetes {

std::shared_ptr<const View> ApiServer::Impl::view() {
  cluster.asked = true;
  const Shown now{cluster.store.settled_revision(), cluster.store.compacted_revision(),
                  past_states_made_, cluster.storage_fault, cluster.aggregator.apis()};
  if (!view_ || shown_ != now) {
    view_ = server::make_view(cluster);
    shown_ = now;
  }
  return view_;
}

ApiServer::ApiServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
ApiServer::ApiServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ApiServer::~ApiServer() = default;

ApiServer::Impl& ApiServer::live() const {
  impl_->begin_if_new();
  return *impl_;
}

void ApiServer::handle(Request request, Reply reply) {
  Impl& impl = live();
  impl.handle(std::move(request), std::move(reply));
  impl.wake_waiting();
}

void ApiServer::advance(Time now) {
  Impl& impl = live();
  impl.cluster.advance(std::max(impl.cluster.now, now));
  impl.wake_waiting();
}

void ApiServer::wake(Time now) {
  Impl& impl = live();
  impl.cluster.wake(std::max(impl.cluster.now, now));
  impl.wake_waiting();
}

std::vector<WebhookCall> ApiServer::take_webhook_calls() {
  return impl_->cluster.webhooks.take_calls();
}

void ApiServer::answer_webhook(std::uint64_t id, const WebhookAnswer& answer) {
  impl_->cluster.webhooks.answer(id, answer);
  impl_->wake_waiting();
}

std::vector<ProxyCall> ApiServer::take_proxy_calls() { return impl_->cluster.proxies.take_calls(); }

std::vector<std::uint64_t> ApiServer::take_abandoned_proxy_calls() {
  return impl_->cluster.proxies.take_abandoned();
}

void ApiServer::answer_proxy(std::uint64_t id, ProxyAnswer answer) {
  impl_->cluster.proxies.answer(id, std::move(answer));
  impl_->wake_waiting();
}

std::vector<ProxiedInput> ApiServer::take_proxied_input() {
  return impl_->cluster.proxies.take_input();
}

void ApiServer::continue_proxy_answer(std::uint64_t id, std::string bytes, ProxiedBody state) {
  impl_->cluster.proxies.go_on(id, std::move(bytes), state);
}

std::optional<Time> ApiServer::next_deadline() const { return impl_->next_deadline(); }

std::vector<LoadFault> ApiServer::load(std::string_view manifest) {
  Impl& impl = live();
  if (impl.cluster.shared) server::reserve_node_ports(impl.cluster);
  std::vector<LoadFault> faults = server::load_manifest(impl.cluster, manifest);
  impl.wake_waiting();
  return faults;
}

void ApiServer::mark_initial_state() {
  Impl& impl = live();
  server::mark_initial_state(impl.cluster);
  impl.wake_waiting();
}

void ApiServer::reset() {
  Impl& impl = live();
  server::reset(impl.cluster);
  impl.wake_waiting();
}

std::unique_ptr<ApiServer> ApiServer::fork() const {
  // Not make_unique: the constructor is private.
  return std::unique_ptr<ApiServer>(new ApiServer(std::make_unique<Impl>(live().cluster)));
}

std::string ApiServer::snapshot() const { return server::save(live().cluster).flatten(); }

Expected<void> ApiServer::restore(std::string_view document) {
  Impl& impl = live();
  Expected<void> done = server::restore(impl.cluster, document);
  impl.forget_view();
  impl.wake_waiting();
  return done;
}

Expected<void> ApiServer::compact(std::string_view resource_version) {
  return server::compact(live().cluster, resource_version);
}

void ApiServer::resign() { impl_->resign(); }

std::shared_ptr<const View> ApiServer::view() { return live().view(); }

Time ApiServer::time() const { return impl_->cluster.now; }

Expected<void> ApiServer::set_audit_log(AuditLog log) {
  auto auditor = server::make_auditor(std::move(log));
  if (!auditor) return std::move(auditor).fault();
  impl_->cluster.auditor = std::move(*auditor);
  impl_->forget_view();
  return {};
}

void ApiServer::set_token_file(std::string_view text) {
  impl_->cluster.server->token_file.use(text);
}

bool ApiServer::paused() const { return impl_->cluster.paused; }

Response ApiServer::administer(const Request& request) {
  Impl& impl = live();
  Response response = impl.administer(request);
  impl.wake_waiting();
  return response;
}

}  // namespace tabernetes
