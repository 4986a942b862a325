// A thread's way to the core: what its connections ask goes in, answers come back to the thread.
//
// Lives on that thread; every call, and every call back, happens there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core_strand.h"
#include "io_threads.h"
#include "openapi_texts_file.h"
#include "stream_reader.h"
#include "tabernetes/request.h"
#include "tabernetes/response.h"

namespace tabernetes::host {

class CorePort {
 public:
  // All outlive the port, and the port its readers and unanswered requests. `texts`: of the
  // strand's cluster; null: it has none.
  CorePort(CoreStrand& strand, IoThread& thread, OpenApiTextsFile* texts)
      : strand_(strand), thread_(thread), texts_(texts) {}
  CorePort(const CorePort&) = delete;
  CorePort& operator=(const CorePort&) = delete;

  CoreStrand& strand() { return strand_; }
  IoThread& thread() { return thread_; }

  // Has the core answer; here, from the newest view, what only reads, and on the strand the rest.
  // `on_answer` is called once, in this call or later. Give the stream of an
  // answer to a StreamReader before anything else: it must not be touched here.
  void handle(Request request, Reply on_answer);

  // Has `reader` pull its stream. Those that ask at about the same time go to the strand together.
  void read(std::shared_ptr<StreamReader> reader);

  // The cluster's time as an HTTP Date; made anew once a second.
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
