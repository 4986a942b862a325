#include "stream_reader.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "core_port.h"

namespace tabernetes::host {

StreamReader::StreamReader(CorePort& port, std::unique_ptr<Stream> stream)
    : port_(port), stream_(std::move(stream)), finite_(stream_->finite()) {}

StreamReader::~StreamReader() {
  if (stream_ && !finite_) port_.strand().run([stream = std::move(stream_)] {});
}

void StreamReader::read(OnUnit on_unit) {
  on_unit_ = std::move(on_unit);
  if (finite_) return pull_here();
  port_.read(shared_from_this());
}

// Posted after the other work of the thread.
void StreamReader::pull_here() {
  boost::asio::post(port_.thread().context(), [self = shared_from_this()] {
    if (!self->stream_) return;
    Rope unit = self->stream_->next();
    const bool ended = self->stream_->ended();
    if (unit.empty() && !ended) return self->pull_here();
    self->arrive(std::move(unit), ended, self->stream_->broken());
  });
}

void StreamReader::close() {
  on_unit_ = nullptr;
  if (finite_) return stream_.reset();
  port_.strand().run([self = shared_from_this()] { self->stream_.reset(); });
}

void StreamReader::receive(std::string_view message) {
  port_.strand().run([self = shared_from_this(), message = std::string(message)] {
    if (self->stream_) self->stream_->receive(message);
  });
}

void StreamReader::pull() {
  if (!stream_) return;
  Rope unit = stream_->next();
  const bool ended = stream_->ended();
  if (unit.empty() && !ended) {
    // The wake-up comes from inside the core and must not call it, so it only queues the next read.
    stream_->on_ready(
        [this] { port_.strand().run([self = shared_from_this()] { self->pull(); }); });
    return;
  }
  const bool broken = stream_->broken();
  if (ended) stream_.reset();
  port_.strand().send(port_.thread(),
                      [self = shared_from_this(), unit = std::move(unit), ended, broken]() mutable {
                        self->arrive(std::move(unit), ended, broken);
                      });
}

void StreamReader::arrive(Rope unit, bool ended, bool broken) {
  broken_ = broken;
  if (!on_unit_) return;  // closed meanwhile
  std::exchange(on_unit_, nullptr)(std::move(unit), ended);
}

}  // namespace tabernetes::host
