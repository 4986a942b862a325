// Makes the webhook calls of the core, on the threads of the connections.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core_strand.h"
#include "known_services.h"
#include "log.h"

namespace tabernetes::host {

class WebhookCaller {
 public:
  // Takes the strand's webhook calls from now on. Threads and strand outlive this object. REQUIRES:
  // no thread runs any more when it is destroyed.
  WebhookCaller(IoThreads& threads, CoreStrand& core, std::vector<WebhookService> services,
                Log log);
  ~WebhookCaller();
  WebhookCaller(const WebhookCaller&) = delete;
  WebhookCaller& operator=(const WebhookCaller&) = delete;

  // Ends the calls under way soon, and begins no more. Callable from any thread.
  void abort();

 private:
  struct OneThread;

  void call(WebhookCall call);

  CoreStrand& core_;
  std::vector<std::shared_ptr<OneThread>> threads_;
  // Used on the strand only.
  KnownServices services_;
  std::size_t next_ = 0;  // index of the next thread
};

}  // namespace tabernetes::host
