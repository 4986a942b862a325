// One open stream (a watch) between the strand it lives on and the connection that sends it.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core_strand.h"
#include "tabernetes/response.h"

namespace tabernetes::host {

class StreamReader : public std::enable_shared_from_this<StreamReader> {
 public:
  // Gets the bytes that are ready; `ended` tells that they are the last. Called on the strand.
  using OnUnit = std::function<void(Rope unit, bool ended)>;

  StreamReader(CoreStrand& core, std::unique_ptr<Stream> stream)
      : core_(core), stream_(std::move(stream)) {}

  // Waits for the next bytes, or the end, and calls `on_unit` once. Not before the last call's
  // `on_unit`: so the stream is read no faster than its peer takes it.
  void read(OnUnit on_unit);

  // The peer has left, or the host shuts down: destroys the stream on its strand. A waiting
  // `on_unit` is dropped. To be called before the last reference goes.
  void close();

 private:
  void pull();

  CoreStrand& core_;
  std::unique_ptr<Stream> stream_;  // touched on the strand only
  OnUnit on_unit_;
};

}  // namespace tabernetes::host
