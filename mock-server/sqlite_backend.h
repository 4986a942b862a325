// The backend of --data-dir: an SQLite file, written on a thread of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "data_directory.h"
#include "data_file.h"
#include "log.h"
#include "tabernetes/backend.h"
#include "task.h"

namespace tabernetes::host {

class SqliteBackend final : public store::Backend {
 public:
  // Takes the directory and reads what is there. Throws a std::runtime_error.
  SqliteBackend(const std::string& directory, const Log& log);
  ~SqliteBackend() override { stop(); }

  std::optional<store::Stored> take_stored() override;

  // Before start(), stores the batch and calls `done` at once.
  void propose(store::Batch batch, Done done) override;

  // From now on stores batches on a thread, and has `deliver` run each `done` on the strand.
  void start(std::function<void(Task)> deliver);
  // Finishes the batch under way. Nothing may be proposed afterwards.
  void stop();

  // Returns why the last batch was not stored, or an empty text. REQUIRES: not started.
  const std::string& problem() const { return problem_; }

 private:
  struct Job {
    store::Batch batch;
    Done done;
  };

  void work();
  store::Outcome store(const store::Batch& batch);

  DataDirectory directory_;
  const Log log_;
  std::optional<store::Stored> stored_;

  // Used by start() and before, then on the thread only.
  DataFile file_;
  SameFile same_;
  std::string problem_;

  std::function<void(Task)> deliver_;
  std::mutex mutex_;  // guards the next three
  std::condition_variable changed_;
  std::optional<Job> job_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tabernetes::host
