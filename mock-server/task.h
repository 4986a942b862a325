// A move-only closure that runs once, on another thread or later.
#pragma once

#include <memory>
#include <utility>

namespace tabernetes::host {

class Task {
 public:
  template <class Closure>
  Task(Closure closure)  // NOLINT: any closure is a task
      : body_(std::make_unique<Body<Closure>>(std::move(closure))) {}

  void operator()() { body_->run(); }

 private:
  struct AnyBody {
    virtual ~AnyBody() = default;
    virtual void run() = 0;
  };
  template <class Closure>
  struct Body final : AnyBody {
    explicit Body(Closure given) : closure(std::move(given)) {}
    void run() override { closure(); }
    Closure closure;
  };

  std::unique_ptr<AnyBody> body_;
};

}  // namespace tabernetes::host
