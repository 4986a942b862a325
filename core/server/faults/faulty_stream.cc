#include "server/faults/faulty_stream.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace tabernetes::server {
namespace {

// How many bytes are garbled.
constexpr std::int64_t kGarbled = 16;

class FaultyWatch final : public Stream {
 public:
  FaultyWatch(std::unique_ptr<Stream> watch, WatchFault fault, Slice gone)
      : watch_(std::move(watch)), fault_(fault), gone_(std::move(gone)) {}

  Rope next() override {
    if (!watch_) return {};
    Rope unit;
    if (left() > 0) {
      const Rope read = watch_->next();
      for (const Slice& event : read.slices()) {
        if (left() == 0) break;
        unit.append(event);
        ++seen_;
      }
    }
    if (left() == 0) {
      watch_.reset();
      if (fault_.end == WatchFault::End::kGone) unit.append(gone_);
    }
    return unit;
  }

  bool ended() const override {
    return watch_ ? watch_->ended() : fault_.end != WatchFault::End::kStall;
  }
  bool broken() const override { return !watch_ && fault_.end == WatchFault::End::kClose; }

  void on_ready(std::function<void()> wake) override {
    if (watch_) {
      watch_->on_ready(std::move(wake));
    } else if (fault_.end == WatchFault::End::kStall) {
      kept_ = std::move(wake);
    } else {
      wake();
    }
  }

 private:
  std::int64_t left() const { return fault_.events - seen_; }

  std::unique_ptr<Stream> watch_;  // null once the fault has struck
  const WatchFault fault_;
  const Slice gone_;
  std::int64_t seen_ = 0;
  std::function<void()> kept_;  // is never called
};

class FaultyBody final : public Stream {
 public:
  // `body`: null if all of it is in `ready`.
  FaultyBody(std::unique_ptr<Stream> body, Rope ready, BodyFault fault)
      : body_(std::move(body)), ready_(std::move(ready)), fault_(fault) {}

  Rope next() override {
    Rope unit = std::exchange(ready_, {});
    if (unit.empty() && body_ && !struck()) unit = body_->next();
    return fault_.then == BodyFault::Then::kGarble ? garbled(unit) : cut(unit);
  }

  bool ended() const override {
    if (!ready_.empty()) return false;
    if (struck() && fault_.then != BodyFault::Then::kGarble) {
      return fault_.then == BodyFault::Then::kClose;
    }
    return !body_ || body_->ended();
  }
  bool broken() const override { return struck() && fault_.then == BodyFault::Then::kClose; }
  bool finite() const override {
    return fault_.then == BodyFault::Then::kGarble && (!body_ || body_->finite());
  }

  void on_ready(std::function<void()> wake) override {
    if (struck() && fault_.then == BodyFault::Then::kStall) {
      kept_ = std::move(wake);
    } else if (body_) {
      body_->on_ready(std::move(wake));
    } else {
      wake();
    }
  }

 private:
  bool struck() const { return sent_ >= fault_.bytes; }

  Rope cut(const Rope& unit) {
    Rope kept;
    for (const Slice& slice : unit.slices()) {
      const std::int64_t left = fault_.bytes - sent_;
      if (left <= 0) break;
      const std::size_t size = std::min(slice.size(), static_cast<std::size_t>(left));
      kept.append(Slice::shared(slice.view().substr(0, size), slice.owner()));
      sent_ += static_cast<std::int64_t>(size);
    }
    if (struck()) ready_ = Rope();
    return kept;
  }

  Rope garbled(const Rope& unit) {
    if (unit.empty()) return unit;
    std::string bytes = unit.flatten();
    for (char& byte : bytes) {
      if (sent_ >= fault_.bytes && sent_ < fault_.bytes + kGarbled) byte = static_cast<char>(~byte);
      ++sent_;
    }
    return Rope(std::move(bytes));
  }

  std::unique_ptr<Stream> body_;
  Rope ready_;
  const BodyFault fault_;
  std::int64_t sent_ = 0;
  std::function<void()> kept_;  // is never called
};

}  // namespace

void spoil_watch(const WatchFault& fault, Slice gone, Response& response) {
  if (!response.stream || response.stream->finite()) return;
  response.stream =
      std::make_unique<FaultyWatch>(std::move(response.stream), fault, std::move(gone));
}

void spoil_body(const BodyFault& fault, Response& response) {
  response.stream = std::make_unique<FaultyBody>(std::move(response.stream),
                                                 std::exchange(response.body, {}), fault);
}

}  // namespace tabernetes::server
