#include "server/aggregation/proxies.h"

#include <string>

namespace tabernetes::server {
namespace {

constexpr std::string_view kNoProxy = "this host reaches no other servers";
// What a reader may leave unread before its answer is cut off.
constexpr std::size_t kMostUnread = std::size_t{64} << 20;

}  // namespace

// The bytes that are not read yet.
struct Proxies::Flow {
  Rope unread;
  ProxiedBody state = ProxiedBody::kMore;
  std::function<void()> wake;

  void ring() {
    if (const auto ring = std::exchange(wake, nullptr)) ring();
  }
};

class Proxies::Body final : public Stream {
 public:
  Body(std::shared_ptr<Flow> flow, std::uint64_t id, std::shared_ptr<Out> out)
      : flow_(std::move(flow)), id_(id), out_(std::move(out)) {}
  ~Body() override {
    if (flow_->state == ProxiedBody::kMore) out_->abandoned.push_back(id_);
  }

  Rope next() override { return std::exchange(flow_->unread, Rope()); }
  bool ended() const override {
    return flow_->state != ProxiedBody::kMore && flow_->unread.empty();
  }
  void receive(std::string_view message) override {
    if (flow_->state == ProxiedBody::kMore) out_->input.push_back({id_, std::string(message)});
  }
  bool broken() const override { return flow_->state == ProxiedBody::kBroken; }
  void on_ready(std::function<void()> wake) override {
    flow_->wake = std::move(wake);
    if (!flow_->unread.empty() || flow_->state != ProxiedBody::kMore) flow_->ring();
  }

 private:
  const std::shared_ptr<Flow> flow_;
  const std::uint64_t id_;
  const std::shared_ptr<Out> out_;
};

void Proxies::send(ProxyCall call, OnAnswer on_answer) {
  if (!can_call_) {
    ProxyAnswer none;
    none.fault = Fault{std::string(kNoProxy)};
    return on_answer(std::move(none), nullptr);
  }
  call.id = ++last_;
  calls_.emplace(call.id, std::move(on_answer));
  pending_.push_back(std::move(call));
}

void Proxies::answer(std::uint64_t id, ProxyAnswer answer) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  const OnAnswer on_answer = std::move(found->second);
  calls_.erase(found);
  std::unique_ptr<Stream> body;
  if (answer.more) {
    auto flow = std::make_shared<Flow>();
    flow->unread.append(std::exchange(answer.body, {}));
    flowing_[id] = flow;
    body = std::make_unique<Body>(std::move(flow), id, out_);
  }
  on_answer(std::move(answer), std::move(body));
}

void Proxies::go_on(std::uint64_t id, std::string bytes, ProxiedBody state) {
  const auto found = flowing_.find(id);
  if (found == flowing_.end()) return;
  const std::shared_ptr<Flow> flow = found->second.lock();
  if (flow == nullptr) {
    flowing_.erase(found);
    return;
  }
  if (state == ProxiedBody::kMore && flow->unread.size() > kMostUnread) {
    state = ProxiedBody::kBroken;
    out_->abandoned.push_back(id);
  }
  flow->unread.append(std::move(bytes));
  flow->state = state;
  if (state != ProxiedBody::kMore) flowing_.erase(found);
  flow->ring();
}

}  // namespace tabernetes::server
