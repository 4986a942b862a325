#include "proxy_caller.h"

#include <utility>

#include "proxy_exchange.h"
#include "tls_trust.h"

namespace tabernetes::host {

// Used on its thread only.
struct ProxyCaller::OneThread : std::enable_shared_from_this<OneThread> {
  OneThread(IoThread& io_thread, CoreStrand& strand, Certificate shown)
      : thread(io_thread), core(strand), own(std::move(shown)) {}

  void call(ProxyCall made, WebhookTarget target) {
    if (stopped) return;
    const std::uint64_t id = made.id;
    auto trusted = trust.of({.ca_bundle = made.insecure ? std::string() : made.ca_bundle,
                             .certificate = own.pem,
                             .key = own.key,
                             .unverified = made.insecure},
                            target.fault);
    if (!trusted) {
      ProxyAnswer none;
      none.fault = Fault{target.fault};
      return answer(id, std::move(none));
    }
    open[id] = ProxyExchange::start(
        thread.context(), std::move(trusted), std::move(target), std::move(made),
        {.on_answer =
             [self = shared_from_this(), id](ProxyAnswer given) {
               if (!given.more) self->open.erase(id);
               self->answer(id, std::move(given));
             },
         .on_body =
             [self = shared_from_this(), id](std::string bytes, ProxiedBody state) {
               if (state != ProxiedBody::kMore) self->open.erase(id);
               self->core.run([self, id, bytes = std::move(bytes), state]() mutable {
                 self->core.server().continue_proxy_answer(id, std::move(bytes), state);
               });
             }});
  }

  void answer(std::uint64_t id, ProxyAnswer given) {
    core.run([this, self = shared_from_this(), id, given = std::move(given)]() mutable {
      core.server().answer_proxy(id, std::move(given));
    });
  }

  void give_up(std::uint64_t id) {
    const auto found = open.find(id);
    if (found == open.end()) return;
    found->second->abort();
    open.erase(found);
  }

  void send(const ProxiedInput& input) {
    const auto found = open.find(input.id);
    if (found != open.end()) found->second->send(input.bytes);
  }

  void abort() {
    stopped = true;
    for (const auto& [id, exchange] : std::exchange(open, {})) exchange->abort();
  }

  IoThread& thread;
  CoreStrand& core;
  const Certificate own;  // shown to servers that ask for one
  TlsTrust trust;
  bool stopped = false;
  std::map<std::uint64_t, std::shared_ptr<ProxyExchange>> open;  // by the call's id
};

ProxyCaller::ProxyCaller(IoThreads& threads, CoreStrand& core, std::vector<WebhookService> services,
                         const Certificate& own, Log log)
    : core_(core), services_(std::move(services), log, "the service % of an aggregated API") {
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads_.push_back(std::make_shared<OneThread>(threads[i], core, own));
  }
  core.on_proxy_call([this](ProxyCall made) { call(std::move(made)); },
                     [this](std::uint64_t id) { give_up(id); },
                     [this](const ProxiedInput& input) { send(input); });
}

ProxyCaller::~ProxyCaller() = default;

void ProxyCaller::call(ProxyCall call) {
  WebhookCall wanted;
  wanted.url = call.url;
  wanted.service = call.service;
  WebhookTarget target = services_.target_of(wanted);
  if (!target.fault.empty()) {
    ProxyAnswer none;
    none.fault = Fault{std::move(target.fault)};
    return threads_[0]->answer(call.id, std::move(none));
  }
  OneThread& one = *threads_[next_++ % threads_.size()];
  core_.send(one.thread, [self = one.shared_from_this(), call = std::move(call),
                          target = std::move(target)]() mutable {
    self->call(std::move(call), std::move(target));
  });
}

void ProxyCaller::give_up(std::uint64_t id) {
  for (const auto& one : threads_) {
    core_.send(one->thread, [one, id] { one->give_up(id); });
  }
}

void ProxyCaller::send(const ProxiedInput& input) {
  const auto shared = std::make_shared<const ProxiedInput>(input);
  for (const auto& one : threads_) {
    core_.send(one->thread, [one, shared] { one->send(*shared); });
  }
}

void ProxyCaller::abort() {
  for (const auto& one : threads_) {
    one->thread.run([one] { one->abort(); });
  }
}

}  // namespace tabernetes::host
