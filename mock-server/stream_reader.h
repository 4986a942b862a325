// One open stream between the strand it lives on and the connection that sends it. A finite stream
// lives on the connection's thread and keeps no one else from working.
#pragma once

#include <functional>
#include <memory>

#include "tabernetes/response.h"

namespace tabernetes::host {

class CorePort;

class StreamReader : public std::enable_shared_from_this<StreamReader> {
 public:
  // Gets the bytes that are ready; `ended` tells that they are the last.
  using OnUnit = std::function<void(Rope unit, bool ended)>;

  // `port` is the one of the connection's thread.
  StreamReader(CorePort& port, std::unique_ptr<Stream> stream);
  ~StreamReader();

  // On the connection's thread.

  // Waits for the next bytes, or the end, and calls `on_unit` once, later. Not before the last
  // call's `on_unit`: so the stream is read no faster than its peer takes it.
  void read(OnUnit on_unit);

  // Whether it ends by itself, soon.
  bool finite() const { return finite_; }

  // The peer has left, or the host shuts down: ends the stream. A waiting `on_unit` is dropped.
  void close();

  // On the strand.

  // Sends what is ready to the connection's thread, or waits until something is.
  void pull();

 private:
  void pull_here();
  void arrive(Rope unit, bool ended);

  CorePort& port_;
  OnUnit on_unit_;                  // touched on the connection's thread only
  std::unique_ptr<Stream> stream_;  // touched on the strand only, or on that thread if finite
  const bool finite_;
};

}  // namespace tabernetes::host
