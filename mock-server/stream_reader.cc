#include "stream_reader.h"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

namespace tabernetes::host {

namespace asio = boost::asio;

void StreamReader::read(OnUnit on_unit) {
  asio::dispatch(core_.executor(),
                 [self = shared_from_this(), on_unit = std::move(on_unit)]() mutable {
                   self->on_unit_ = std::move(on_unit);
                   self->pull();
                 });
}

void StreamReader::pull() {
  if (!stream_ || !on_unit_) return;
  Rope unit = stream_->next();
  const bool ended = stream_->ended();
  core_.rearm();
  if (unit.empty() && !ended) {
    // The wake-up comes from inside the core and must not call it: it only queues the next look.
    stream_->on_ready([weak = weak_from_this(), executor = core_.executor()] {
      asio::post(executor, [weak] {
        if (const auto self = weak.lock()) self->pull();
      });
    });
    return;
  }
  if (ended) stream_.reset();
  std::exchange(on_unit_, nullptr)(std::move(unit), ended);
}

void StreamReader::close() {
  asio::dispatch(core_.executor(), [self = shared_from_this()] {
    self->on_unit_ = nullptr;
    self->stream_.reset();
    self->core_.rearm();
  });
}

}  // namespace tabernetes::host
