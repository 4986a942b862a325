// Sends the core's requests to aggregated API servers, on the threads of the connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "certificate_maker.h"
#include "core_strand.h"
#include "known_services.h"
#include "log.h"

namespace tabernetes::host {

class ProxyCaller {
 public:
  // Takes the strand's proxy calls from now on, and shows `own` to the servers, if it is not empty.
  // Threads and strand outlive this object. REQUIRES: no thread runs any more when it is destroyed.
  ProxyCaller(IoThreads& threads, CoreStrand& core, std::vector<WebhookService> services,
              const Certificate& own, Log log);
  ~ProxyCaller();
  ProxyCaller(const ProxyCaller&) = delete;
  ProxyCaller& operator=(const ProxyCaller&) = delete;

  // Ends the calls under way soon, and begins no more. Callable from any thread.
  void abort();

 private:
  struct OneThread;

  void call(ProxyCall call);
  void give_up(std::uint64_t id);
  void send(const ProxiedInput& input);

  CoreStrand& core_;
  std::vector<std::shared_ptr<OneThread>> threads_;
  // Used on the strand only.
  KnownServices services_;
  std::size_t next_ = 0;  // index of the next thread
};

}  // namespace tabernetes::host
