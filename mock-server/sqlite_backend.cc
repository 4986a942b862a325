#include "sqlite_backend.h"

#include <exception>
#include <utility>

namespace tabernetes::host {

SqliteBackend::SqliteBackend(const std::string& directory, const Log& log)
    : directory_(directory),
      log_(log),
      file_(directory_.file(), Sqlite::Mode::kCreate),
      same_(directory_.file()) {
  stored_ = file_.read();
}

std::optional<store::Stored> SqliteBackend::take_stored() {
  return std::exchange(stored_, std::nullopt);
}

void SqliteBackend::propose(store::Batch batch, Done done) {
  if (!thread_.joinable()) return done(store(batch));
  {
    const std::lock_guard lock(mutex_);
    job_.emplace(Job{std::move(batch), std::move(done)});
  }
  changed_.notify_one();
}

void SqliteBackend::start(std::function<void(Task)> deliver) {
  deliver_ = std::move(deliver);
  thread_ = std::thread([this] { work(); });
}

void SqliteBackend::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void SqliteBackend::work() {
  for (;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return job_ || stopping_; });
      job = std::exchange(job_, std::nullopt);
      if (!job) return;
    }
    deliver_([done = std::move(job->done), outcome = store(job->batch)]() mutable {
      done(std::move(outcome));
    });
  }
}

store::Outcome SqliteBackend::store(const store::Batch& batch) {
  std::string problem = same_.problem();
  if (problem.empty()) {
    try {
      file_.apply(batch);
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }
  if (problem != problem_) {
    log_.warn(problem.empty() ? "changes are stored again"
                              : "changes cannot be stored: " + problem);
  }
  problem_ = problem;
  if (problem.empty()) return {};
  return {.kind = store::Outcome::Kind::kFailed, .fault = {std::move(problem)}, .others = {}};
}

}  // namespace tabernetes::host
