#include "core_port.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "time_text.h"

namespace tabernetes::host {

void CorePort::handle(Request request, Reply on_answer) {
  if (texts_ != nullptr) texts_->load_for(request.target);
  if (auto response = strand_.view()->answer(request, strand_.now())) {
    return on_answer(std::move(*response));
  }
  strand_.run([this, request = std::move(request), on_answer = std::move(on_answer)]() mutable {
    // Called in this task or a later one.
    Reply reply = [this, on_answer = std::move(on_answer)](Response response) mutable {
      strand_.send(thread_,
                   [on_answer = std::move(on_answer), response = std::move(response)]() mutable {
                     on_answer(std::move(response));
                   });
    };
    strand_.server().handle(std::move(request), std::move(reply));
  });
}

void CorePort::read(std::shared_ptr<StreamReader> reader) {
  reading_.push_back(std::move(reader));
  if (reading_.size() > 1) return;
  boost::asio::post(thread_.context(), [this] {
    strand_.run([readers = std::exchange(reading_, {})] {
      for (const auto& each : readers) each->pull();
    });
  });
}

const std::string& CorePort::date() {
  const Time now = strand_.now();
  if (now.unix_seconds() != date_second_) {
    date_second_ = now.unix_seconds();
    date_ = http_date(now);
  }
  return date_;
}

}  // namespace tabernetes::host
