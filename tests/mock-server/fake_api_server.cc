// A fake core with answers that are hard to get from a real cluster: endless streams, late replies,
// large bodies. Linked instead of the core into tabernetes_fake.
//
//   GET /echo         the request, as text
//   GET /large?N      N bytes, in slices of 1000
//   GET /gzip?N       numbers below N, a line each, to be compressed
//   GET /gzip-stream?N  N lines, to be compressed
//   GET /view         a text, from the view and not from handle()
//   GET /late         an answer half a second of cluster time later
//   GET /never        no answer at all
//   GET /stream?N     N lines at once, then the end
//   GET /list?N       a finite stream of N pieces of 64 KiB, each of which takes its time
//   GET /idle         a stream that sends nothing
//   GET /flood        a stream that always has more, 64 KiB each time
//   POST /webhook?URL calls a webhook there, of the service that the header names, with the body
//                     as the bundle of certificates; answers with status, error and body
//   GET /counters     open streams, and bytes that /flood has returned
//
// A request with an Upgrade header gets its stream as a WebSocket, with the subprotocol that it
// names.
#include <atomic>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tabernetes/api_server.h"

namespace tabernetes {

namespace {

struct Counters {
  std::atomic<int> streams{0};  // finite ones end on the threads of their connections
  std::size_t flooded = 0;
};

class FakeStream : public Stream {
 public:
  enum class Kind { kLines, kIdle, kFlood, kList };
  FakeStream(Kind kind, int lines, Counters& counters)
      : kind_(kind), lines_(lines), counters_(counters) {
    ++counters_.streams;
  }
  ~FakeStream() override { --counters_.streams; }

  Rope next() override {
    if (kind_ == Kind::kList) {
      if (lines_ == 0 || (busy_ = !busy_)) return Rope();
      --lines_;
      return Rope(std::string(65536, 'l'));
    }
    if (kind_ == Kind::kFlood) {
      counters_.flooded += 65536;
      return Rope(std::string(65536, 'x'));
    }
    if (kind_ == Kind::kIdle || lines_ <= 0) return Rope();
    --lines_;
    return Rope("{\"line\":" + std::to_string(lines_) + "}\n");
  }
  bool ended() const override { return lines_ == 0; }
  bool finite() const override { return kind_ == Kind::kList; }
  void on_ready(std::function<void()> wake) override { wake_ = std::move(wake); }

 private:
  Kind kind_;
  int lines_;  // left to send; negative: endless
  bool busy_ = false;
  Counters& counters_;
  std::function<void()> wake_;
};

Response text(std::string body) {
  Response response;
  response.headers = {{"Content-Type", "text/plain"}};
  response.body.append(std::move(body));
  return response;
}

std::string echo(const Request& request) {
  std::string body = request.method + " " + request.target + "\n";
  for (const auto& [name, value] : request.headers) body += name + ": " + value + "\n";
  return body + "body " + std::to_string(request.body.size()) + "\n";
}

class FakeView final : public View {
 public:
  std::optional<Response> answer(const Request& request, Time) const override {
    if (request.target != "/view") return std::nullopt;
    return text("view\n");
  }
};

}  // namespace

class ApiServer::Impl {
 public:
  Time now;
  std::optional<Time> late_at;
  std::vector<Reply> late, never;
  Counters counters;
  std::vector<WebhookCall> calls;
  std::uint64_t last_call = 0;
  std::map<std::uint64_t, Reply> called;
  std::shared_ptr<const View> view = std::make_shared<const FakeView>();
};

ApiServer::ApiServer(Options options) : impl_(std::make_unique<Impl>()) {
  impl_->now = options.now;
}
ApiServer::~ApiServer() = default;

void ApiServer::handle(Request request, Reply reply) {
  const std::string_view target = request.target;
  const auto path = target.substr(0, target.find('?'));
  const int number = path.size() < target.size() ? std::atoi(target.data() + path.size() + 1) : 0;
  Response response;
  if (path == "/large") {
    for (int left = number; left > 0; left -= 1000) {
      response.body.append(std::string(static_cast<std::size_t>(left < 1000 ? left : 1000), 'a'));
    }
  } else if (path == "/gzip") {
    for (int at = 0; at < number; at += 7) response.body.append(std::to_string(at * 31) + "\n");
    response.content_encoding = ContentEncoding::kGzip;
  } else if (path == "/gzip-stream") {
    response.stream =
        std::make_unique<FakeStream>(FakeStream::Kind::kLines, number, impl_->counters);
    response.content_encoding = ContentEncoding::kGzip;
  } else if (path == "/late") {
    impl_->late_at = impl_->now + Duration::from_milliseconds(500);
    impl_->late.push_back(std::move(reply));
    return;
  } else if (path == "/never") {
    impl_->never.push_back(std::move(reply));
    return;
  } else if (path == "/webhook") {
    WebhookCall call;
    call.id = ++impl_->last_call;
    call.url = std::string(target.substr(path.size() + 1));
    call.ca_bundle = request.body;
    call.body = "{}";
    const std::string_view service = find_header(request.headers, "x-service");
    const std::string_view address = find_header(request.headers, "x-address");
    if (!service.empty() && address.empty()) {
      call.service = {std::string(service), Fault{"it is nowhere"}};
    } else if (!service.empty()) {
      call.service = {std::string(service), std::string(address)};
    }
    impl_->called[call.id] = std::move(reply);
    impl_->calls.push_back(std::move(call));
    return;
  } else if (path == "/counters") {
    response = text(std::to_string(impl_->counters.streams.load()) + " " +
                    std::to_string(impl_->counters.flooded));
  } else if (path == "/stream") {
    response.stream =
        std::make_unique<FakeStream>(FakeStream::Kind::kLines, number, impl_->counters);
  } else if (path == "/list") {
    response.stream =
        std::make_unique<FakeStream>(FakeStream::Kind::kList, number, impl_->counters);
  } else if (path == "/idle") {
    response.stream = std::make_unique<FakeStream>(FakeStream::Kind::kIdle, -1, impl_->counters);
  } else if (path == "/flood") {
    response.stream = std::make_unique<FakeStream>(FakeStream::Kind::kFlood, -1, impl_->counters);
  } else {
    response = text(echo(request));
  }
  if (response.stream && !find_header(request.headers, "upgrade").empty()) {
    response.status = 101;
    response.message_type = MessageType::kText;
    const std::string protocol(find_header(request.headers, "sec-websocket-protocol"));
    if (!protocol.empty()) response.headers = {{"Sec-WebSocket-Protocol", protocol}};
  }
  reply(std::move(response));
}

void ApiServer::advance(Time now) {
  impl_->now = now;
  if (!impl_->late_at || now < *impl_->late_at) return;
  impl_->late_at.reset();
  for (Reply& reply : std::exchange(impl_->late, {})) reply(text("late\n"));
}

std::vector<ProxyCall> ApiServer::take_proxy_calls() { return {}; }

std::vector<std::uint64_t> ApiServer::take_abandoned_proxy_calls() { return {}; }

std::vector<ProxiedInput> ApiServer::take_proxied_input() { return {}; }

void ApiServer::answer_proxy(std::uint64_t, ProxyAnswer) {}

void ApiServer::continue_proxy_answer(std::uint64_t, std::string, ProxiedBody) {}

std::vector<WebhookCall> ApiServer::take_webhook_calls() { return std::exchange(impl_->calls, {}); }

void ApiServer::answer_webhook(std::uint64_t id, const WebhookAnswer& answer) {
  const Reply reply = std::move(impl_->called[id]);
  impl_->called.erase(id);
  const std::string fault = answer.fault ? answer.fault->message : "";
  reply(text(std::to_string(answer.status) + " " + fault + "\n" + answer.body));
}

std::shared_ptr<const View> ApiServer::view() { return impl_->view; }

std::optional<Time> ApiServer::next_deadline() const { return impl_->late_at; }

std::vector<LoadFault> ApiServer::load(std::string_view manifest) {
  if (manifest.find("bad") == std::string_view::npos) return {};
  return {{2, {"the document is bad"}}};
}

void ApiServer::mark_initial_state() {}
Expected<void> ApiServer::set_audit_log(AuditLog) { return {}; }

void ApiServer::set_token_file(std::string_view) {}

Time ApiServer::time() const { return impl_->now; }

bool ApiServer::paused() const { return false; }

void ApiServer::wake(Time now) { advance(now); }

void ApiServer::resign() {}

}  // namespace tabernetes
