#include "etcd/backend.h"

#include <boost/asio/post.hpp>
#include <future>
#include <stdexcept>
#include <utility>

#include "etcd/messages.h"
#include "etcd/settings.h"

namespace tabernetes::host {
namespace {

using store::Outcome;

// How long a request for the first state waits for a connection; and a batch and a question, longer
// than the requests that depend on them.
constexpr std::chrono::seconds kStartTime(20), kBatchTime(35), kQuestionTime(61);
// When a batch that waits for a connection is given back, so that only those are in it who still
// wait for their answers.
constexpr std::chrono::seconds kAgain(1);
// How long it may not work before that is told: kube-apiserver's --etcd-healthcheck-timeout.
constexpr std::chrono::seconds kHealthTime(2);
// How long the last batch may take at the end.
constexpr std::chrono::seconds kLastTime(2);
// How long the revision of a question may need to arrive by itself, and how often times are
// checked.
constexpr std::chrono::milliseconds kTick(20);

std::string with_slash(std::string prefix) {
  if (!prefix.starts_with('/')) prefix.insert(0, 1, '/');
  if (!prefix.ends_with('/')) prefix += '/';
  return prefix;
}

std::string timed_out(const std::string& problem) {
  return problem.empty() ? "etcdserver: request timed out" : "etcd is not reached: " + problem;
}

}  // namespace

EtcdBackend::EtcdBackend(const EtcdSettings& settings, const Log& log)
    : log_(log),
      prefix_(with_slash(settings.prefix)),
      client_(context_, etcd::parse_endpoints(settings.servers),
              etcd::make_trust(settings.ca_file, settings.cert_file, settings.key_file)),
      changes_(client_, prefix_,
               {.all = [this](store::Stored stored) { on_all(std::move(stored)); },
                .some = [this](std::vector<store::StoredChange> changes,
                               std::uint64_t revision) { on_some(std::move(changes), revision); },
                .problem = [this](const std::string& problem) { fault_ = problem; }}),
      leases_(client_),
      compactor_(context_, client_, settings.compaction_interval),
      tick_(context_) {
  std::promise<std::optional<store::Stored>> first;
  on_first_ = [&first](std::optional<store::Stored> stored) { first.set_value(std::move(stored)); };
  guard_.emplace(context_.get_executor());
  client_.start(
      [this] {
        changes_.connected();
        if (!job_ || !job_->writer) look_at_job();
      },
      [this] {
        changes_.lost();
        log_.warn("etcd: the connection is lost: " + client_.problem());
      });
  compactor_.start();
  check_times();
  thread_ = std::thread([this] { context_.run(); });
  auto future = first.get_future();
  if (future.wait_for(kStartTime) == std::future_status::ready) {
    stored_ = future.get();
    return;
  }
  std::promise<std::string> why;
  boost::asio::post(context_, [&] {
    on_first_ = nullptr;
    why.set_value(problem());
  });
  const std::string text = why.get_future().get();
  stop();
  throw std::runtime_error("cannot read etcd: " + text);
}

std::string EtcdBackend::problem() const {
  if (!client_.connected()) return timed_out(client_.problem());
  return fault_.empty() ? timed_out({}) : fault_;
}

std::optional<store::Stored> EtcdBackend::take_stored() {
  return std::exchange(stored_, std::nullopt);
}

void EtcdBackend::start(std::function<void(Task)> deliver) {
  {
    const std::lock_guard lock(mutex_);
    deliver_ = std::move(deliver);
  }
  boost::asio::post(context_, [this] { tell(); });
}

void EtcdBackend::stop() {
  if (!thread_.joinable()) return;
  boost::asio::post(context_, [this] {
    stopping_ = true;
    stop_at_ = Clock::now() + (client_.connected() ? kLastTime : std::chrono::seconds(0));
    if (!job_) end();
  });
  thread_.join();
}

void EtcdBackend::end() {
  tick_.cancel();
  compactor_.stop();
  client_.stop();
  guard_.reset();
  context_.stop();
}

// ---- What others have stored

void EtcdBackend::on_all(store::Stored stored) {
  if (on_first_) return std::exchange(on_first_, nullptr)(std::move(stored));
  {
    const std::lock_guard lock(mutex_);
    news_ = {.whole = std::nullopt, .changes = {}, .revision = stored.revision};
    news_.whole = std::move(stored);
  }
  tell();
}

void EtcdBackend::on_some(std::vector<store::StoredChange> changes, std::uint64_t revision) {
  fault_.clear();
  {
    const std::lock_guard lock(mutex_);
    for (store::StoredChange& change : changes) news_.changes.push_back(std::move(change));
    if (revision > 0) news_.revision = revision;
  }
  tell();
  look_at_job();
  look_at_question();
}

// Lets the strand fetch the news, unless an outcome will bring them.
void EtcdBackend::tell() {
  {
    const std::lock_guard lock(mutex_);
    const bool any = news_.whole || !news_.changes.empty();
    if (!deliver_ || !changed_ || told_ || job_ || !any) return;
    told_ = true;
  }
  deliver_([this] { changed_(); });
}

store::News EtcdBackend::take_news() {
  const std::lock_guard lock(mutex_);
  told_ = false;
  store::News news = std::exchange(news_, {});
  return news;
}

// ---- Batches

void EtcdBackend::propose(store::Batch batch, Done done) {
  bool started = false;
  {
    const std::lock_guard lock(mutex_);
    started = deliver_ != nullptr;
  }
  const auto begin = [this](store::Batch proposed, Done answer) {
    auto job = std::make_shared<Job>();
    job->batch = std::move(proposed);
    job->done = std::move(answer);
    boost::asio::post(context_, [this, job] {
      job_ = std::move(*job);
      job_->until = Clock::now() + kBatchTime;
      job_->again = Clock::now() + kAgain;
      look_at_job();
    });
  };
  if (started) return begin(std::move(batch), std::move(done));
  std::promise<Outcome> promise;
  begin(std::move(batch), [&promise](Outcome outcome) { promise.set_value(std::move(outcome)); });
  done(promise.get_future().get());
}

void EtcdBackend::look_at_job() {
  if (!job_) return;
  Job& job = *job_;
  if (!job.writer) {
    if (!client_.connected() || !changes_.live()) return;
    job.writer = std::make_unique<etcd::BatchWriter>(client_, leases_, prefix_, job.batch);
    return job.writer->write([this] {
      job_->written = true;
      // Not from within the writer.
      boost::asio::post(context_, [this] { look_at_job(); });
    });
  }
  if (!job.written) return;
  etcd::BatchWriter& writer = *job.writer;
  if (!writer.fault().empty()) return fail_job(writer.fault());
  if (writer.unknown()) {
    if (job.resolves) return;
    job.resolves = true;
    questions_.push_back([this](std::optional<Fault> fault) {
      if (!job_ || !job_->writer) return;
      if (fault) return fail_job(std::move(fault->message));
      {
        const std::lock_guard lock(mutex_);
        if (!news_.whole) job_->writer->resolve(news_.changes);
      }
      if (job_->writer->unknown()) return fail_job(timed_out({}));
      look_at_job();
    });
    return ask();
  }
  if (changes_.known() < writer.last()) return;
  finish_job(outcome_of(writer.revisions()));
}

// What became of the batch under way, and what others have stored.
Outcome EtcdBackend::outcome_of(const std::vector<std::uint64_t>& revisions) {
  const Job& job = *job_;
  Outcome outcome{.kind = Outcome::Kind::kDurable, .fault = {}, .others = {}};
  {
    const std::lock_guard lock(mutex_);
    if (!news_.whole) {
      std::map<std::pair<std::uint64_t, std::string_view>, bool> own;
      for (std::size_t i = 0; i < revisions.size(); ++i) {
        if (revisions[i] != 0) own[{revisions[i], job.batch.changes[i].key}] = true;
      }
      for (store::StoredChange& change : news_.changes) {
        if (!own.contains({change.revision, change.key})) {
          outcome.others.push_back(std::move(change));
        }
      }
      news_ = {};
    }
    outcome.revision = changes_.known();
  }
  outcome.revisions = revisions;
  return outcome;
}

void EtcdBackend::give_job_back() {
  {
    const std::lock_guard lock(mutex_);
    if (!deliver_) return;
  }
  finish_job(outcome_of(std::vector<std::uint64_t>(job_->batch.changes.size())));
}

void EtcdBackend::fail_job(std::string why) {
  finish_job({.kind = Outcome::Kind::kFailed, .fault = {std::move(why)}, .others = {}});
}

void EtcdBackend::finish_job(Outcome outcome) {
  Job job = std::move(*job_);
  job_.reset();
  std::function<void(Task)> deliver;
  {
    const std::lock_guard lock(mutex_);
    deliver = deliver_;
  }
  if (stopping_) return end();
  if (!deliver) return job.done(std::move(outcome));
  deliver([done = std::move(job.done), outcome = std::move(outcome)]() mutable {
    done(std::move(outcome));
  });
  tell();
}

// ---- Questions

void EtcdBackend::catch_up(const CaughtUp& done) {
  auto asks = std::make_shared<CaughtUp>(done);
  boost::asio::post(context_, [this, asks] {
    std::function<void(Task)> deliver;
    {
      const std::lock_guard lock(mutex_);
      deliver = deliver_;
    }
    questions_.push_back([deliver, asks](std::optional<Fault> fault) {
      deliver([asks, fault = std::move(fault)]() mutable { (*asks)(std::move(fault)); });
    });
    ask();
  });
}

void EtcdBackend::ask() {
  if (question_ || questions_.empty()) return;
  question_ = Question();
  question_->waiting = std::exchange(questions_, {});
  question_->until = Clock::now() + kQuestionTime;
  look_at_question();
}

void EtcdBackend::look_at_question() {
  if (!question_ || !changes_.live()) return;
  if (!question_->asked) {
    question_->asked = true;
    client_.call(etcd::kRange,
                 etcd::range_request({.key = prefix_ + std::string(etcd::kProgress), .end = {}}),
                 [this](const etcd::CallEnd& end, const std::string& message) {
                   if (!question_) return;
                   if (end.code != 0) {
                     fault_ = end.message;
                     question_->asked = false;  // once more, when it is connected again
                     return;
                   }
                   question_->revision = etcd::read_range(message).revision;
                   look_at_question();
                 });
    return;
  }
  if (question_->revision != 0 && changes_.known() >= question_->revision) {
    answer_question(std::nullopt);
  }
}

// Writes a key, whose change shows that the earlier ones have arrived.
void EtcdBackend::touch() {
  question_->touched = true;
  client_.call(etcd::kTxn, etcd::put_request(prefix_ + std::string(etcd::kProgress), {}),
               [this](const etcd::CallEnd& end, const std::string&) {
                 if (question_ && end.code != 0) question_->touched = false;
               });
}

void EtcdBackend::answer_question(const std::optional<Fault>& fault) {
  Question question = std::move(*question_);
  question_.reset();
  for (const CaughtUp& each : question.waiting) each(fault);
  ask();
}

void EtcdBackend::check_times() {
  tick_.expires_after(kTick);
  tick_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    const auto now = Clock::now();
    if (question_ && now > question_->until) {
      answer_question(Fault{problem()});
    } else if (question_ && changes_.live()) {
      if (!question_->asked) look_at_question();
      if (question_ && question_->revision != 0 && !question_->touched) touch();
    }
    if (stopping_ && now > stop_at_) return end();
    if (job_ && !job_->writer) look_at_job();
    // An empty one asks whether the storage works again.
    if (job_ && !job_->writer && !job_->batch.changes.empty() && now > job_->again &&
        !client_.connected()) {
      give_job_back();
    }
    if (job_ && now > job_->until && !client_.connected()) fail_job(problem());
    check_health();
    check_times();
  });
}

void EtcdBackend::check_health() {
  const bool works = client_.connected() && changes_.live();
  if (works) worked_ = Clock::now();
  const bool down = Clock::now() - worked_ > kHealthTime;
  if (down == told_down_) return;
  std::function<void(Task)> deliver;
  {
    const std::lock_guard lock(mutex_);
    deliver = deliver_;
  }
  if (!deliver) return;
  told_down_ = down;
  std::optional<Fault> fault;
  if (down) fault = Fault{problem()};
  deliver([this, fault = std::move(fault)] {
    if (health_) health_(fault);
  });
}

}  // namespace tabernetes::host
