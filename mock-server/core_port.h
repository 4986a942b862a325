// A thread's access to the core: its connections hand in requests, and answers come back to the
// same thread.
//
// Lives on that thread; every call and callback happens there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core_strand.h"
#include "io_threads.h"
#include "openapi_texts_file.h"
#include "stream_reader.h"
#include "tabernetes/http.h"

namespace tabernetes::host {

class CorePort {
 public:
  // All arguments outlive the port, and the port outlives its readers and unanswered requests.
  // `texts`: the texts of the strand's cluster; null if it has none.
  CorePort(CoreStrand& strand, IoThread& thread, OpenApiTextsFile* texts)
      : strand_(strand), thread_(thread), texts_(texts) {}
  CorePort(const CorePort&) = delete;
  CorePort& operator=(const CorePort&) = delete;

  CoreStrand& strand() { return strand_; }
  IoThread& thread() { return thread_; }

  // Has the core answer `request`: here, from the newest view, if that suffices, otherwise on the
  // strand. Calls `on_answer` once, in this call or later. Wrap the stream of an answer in a
  // StreamReader before anything else: it must not be touched on this thread.
  void handle(Request request, Reply on_answer);

  // Has `reader` pull its stream. Readers that ask at about the same time go to the strand
  // together.
  void read(std::shared_ptr<StreamReader> reader);

  // Returns the cluster's time as an HTTP Date, formatted once a second.
  const std::string& date();

 private:
  CoreStrand& strand_;
  IoThread& thread_;
  OpenApiTextsFile* texts_;
  std::vector<std::shared_ptr<StreamReader>> reading_;
  std::int64_t date_second_ = -1;
  std::string date_;
};

}  // namespace tabernetes::host
