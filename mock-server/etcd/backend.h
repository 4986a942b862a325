// The backend of --etcd-servers: storage that other API servers share, kube-apiserver's own
// included. See docs/decisions/034-etcd.md.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "etcd/batch_writer.h"
#include "etcd/changes.h"
#include "etcd/client.h"
#include "etcd/compactor.h"
#include "etcd/etcd_settings.h"
#include "etcd/leases.h"
#include "log.h"
#include "tabernetes/backend.h"
#include "task.h"

namespace tabernetes::host {

class EtcdBackend final : public store::Backend {
 public:
  // Reads what is there. Throws a std::runtime_error for wrong settings, and if that does not
  // succeed soon.
  EtcdBackend(const EtcdSettings& settings, const Log& log);
  ~EtcdBackend() override { stop(); }

  std::optional<store::Stored> take_stored() override;
  // Before start(), waits for the outcome and calls `done` at once.
  void propose(store::Batch batch, Done done) override;
  bool shared() const override { return true; }
  void listen(const std::function<void()>& changed) override { changed_ = changed; }
  store::News take_news() override;
  void catch_up(const CaughtUp& done) override;
  void watch_health(const HealthTold& told) override { health_ = told; }

  // From now on has `deliver` run each `done` on the strand.
  void start(std::function<void(Task)> deliver);
  // Finishes the batch under way, unless that takes long. Nothing may be proposed afterwards.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    store::Batch batch;
    Done done;
    Clock::time_point until, again;
    std::unique_ptr<etcd::BatchWriter> writer;
    bool written = false;   // no transaction is under way
    bool resolves = false;  // it has lost its connection, and looks for what was stored
  };
  // Those that wait for what was stored before they came.
  struct Question {
    std::vector<CaughtUp> waiting;
    Clock::time_point until;
    bool asked = false;
    std::uint64_t revision = 0;  // what they wait for, once that is known
    bool touched = false;
  };

  // On the thread:
  void end();
  void on_all(store::Stored stored);
  void on_some(std::vector<store::StoredChange> changes, std::uint64_t revision);
  void tell();
  void look_at_job();
  store::Outcome outcome_of(const std::vector<std::uint64_t>& revisions);
  void give_job_back();
  void finish_job(store::Outcome outcome);
  void fail_job(std::string why);
  void look_at_question();
  void ask();
  void touch();
  void answer_question(const std::optional<Fault>& fault);
  void check_times();
  void check_health();
  std::string problem() const;

  const Log log_;
  const std::string prefix_;
  boost::asio::io_context context_{1};
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guard_;

  // Used on the thread only.
  etcd::Client client_;
  etcd::Changes changes_;
  etcd::Leases leases_;
  etcd::Compactor compactor_;
  boost::asio::steady_timer tick_;
  std::optional<Job> job_;
  std::vector<CaughtUp> questions_;  // not asked yet
  std::optional<Question> question_;
  std::string fault_;  // of the storage itself, that it has told
  bool stopping_ = false;
  Clock::time_point stop_at_;
  Clock::time_point worked_ = Clock::now();  // when it was last seen to work
  bool told_down_ = false;                   // health_ knows that it does not work

  std::function<void()> changed_;
  HealthTold health_;
  std::mutex mutex_;  // guards the next three
  std::function<void(Task)> deliver_;
  store::News news_;
  bool told_ = false;
  std::function<void(std::optional<store::Stored>)> on_first_;  // until the first state is there

  std::optional<store::Stored> stored_;
  std::thread thread_;
};

}  // namespace tabernetes::host
