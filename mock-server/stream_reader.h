// Passes an open stream from the strand, where it lives, to the connection that sends it. A finite
// stream lives on the connection's thread and keeps no other thread waiting.
#pragma once

#include <functional>
#include <memory>

#include "tabernetes/http.h"

namespace tabernetes::host {

class CorePort;

class StreamReader : public std::enable_shared_from_this<StreamReader> {
 public:
  // Gets the available bytes. `ended` means that they are the last.
  using OnUnit = std::function<void(Rope unit, bool ended)>;

  // `port` is that of the connection's thread.
  StreamReader(CorePort& port, std::unique_ptr<Stream> stream);
  ~StreamReader();

  // Callable on the connection's thread:

  // Waits for the next bytes or the end, then calls `on_unit` once, after this returns. REQUIRES:
  // the `on_unit` of the previous call has run, so that the stream is read no faster than its peer
  // takes it.
  void read(OnUnit on_unit);

  // Returns true if the stream is a long body that ends by itself.
  bool finite() const { return finite_; }

  // Returns true if the end that was read came too early, on purpose: see Stream::broken().
  bool broken() const { return broken_; }

  // Passes a message of the client on to the stream.
  void receive(std::string_view message);

  // Ends the stream when the peer has left or the host shuts down. A waiting `on_unit` is dropped.
  void close();

  // Callable on the strand:

  // Sends the available bytes to the connection's thread, or waits until there are some.
  void pull();

 private:
  void pull_here();
  void arrive(Rope unit, bool ended, bool broken);

  CorePort& port_;
  OnUnit on_unit_;                  // used on the connection's thread only
  std::unique_ptr<Stream> stream_;  // used on the strand only; if finite, on that thread
  const bool finite_;
  bool broken_ = false;  // used on the connection's thread only
};

}  // namespace tabernetes::host
