#include "webhook_caller.h"

#include <map>
#include <utility>

#include "webhook_exchange.h"

namespace tabernetes::host {

// Used on its thread only.
struct WebhookCaller::OneThread : std::enable_shared_from_this<OneThread> {
  OneThread(IoThread& io_thread, CoreStrand& strand) : thread(io_thread), core(strand) {}

  void call(WebhookTarget target, WebhookCall call) {
    if (stopped) return;
    const std::uint64_t id = call.id;
    auto trusted = trust.of(
        {call.ca_bundle, call.client_certificate, call.client_key, call.unverified}, target.fault);
    if (!call.server_name.empty()) target.server_name = call.server_name;
    if (!trusted) return answer(id, {Fault{target.fault}, 0, {}});
    open[id] = WebhookExchange::start(thread.context(), std::move(trusted), std::move(target),
                                      std::move(call),
                                      [self = shared_from_this(), id](WebhookAnswer given) {
                                        self->open.erase(id);
                                        self->answer(id, std::move(given));
                                      });
  }

  void answer(std::uint64_t id, WebhookAnswer given) {
    core.run([this, self = shared_from_this(), id, given = std::move(given)] {
      core.server().answer_webhook(id, given);
    });
  }

  void abort() {
    stopped = true;
    for (const auto& [id, exchange] : std::exchange(open, {})) exchange->abort();
  }

  IoThread& thread;
  CoreStrand& core;
  TlsTrust trust;
  bool stopped = false;
  std::map<std::uint64_t, std::shared_ptr<WebhookExchange>> open;  // by the call's id
};

WebhookCaller::WebhookCaller(IoThreads& threads, CoreStrand& core,
                             std::vector<WebhookService> services, Log log)
    : core_(core), services_(std::move(services), log, "the webhook's service %") {
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads_.push_back(std::make_shared<OneThread>(threads[i], core));
  }
  core.on_webhook_call([this](WebhookCall made) { call(std::move(made)); });
}

WebhookCaller::~WebhookCaller() = default;

void WebhookCaller::call(WebhookCall call) {
  WebhookTarget target = services_.target_of(call);
  if (!target.fault.empty()) {
    return threads_[0]->answer(call.id, {Fault{std::move(target.fault)}, 0, {}});
  }
  OneThread& one = *threads_[next_++ % threads_.size()];
  core_.send(one.thread, [self = one.shared_from_this(), call = std::move(call),
                          target = std::move(target)]() mutable {
    self->call(std::move(target), std::move(call));
  });
}

void WebhookCaller::abort() {
  for (const auto& one : threads_) {
    one->thread.run([one] { one->abort(); });
  }
}

}  // namespace tabernetes::host
