// Writes new keys to etcd through the transport of --etcd-servers, so many at a time: what etcd
// itself allows.
//
//   etcd_load URL AT_A_TIME SECONDS BYTES
//
// Prints one line of JSON: {"seconds":…, "requests":…, "failed":…}.
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "etcd/client.h"
#include "etcd/messages.h"
#include "etcd/settings.h"

namespace {

namespace etcd = tabernetes::host::etcd;
using SteadyClock = std::chrono::steady_clock;

struct Load {
  boost::asio::io_context context{1};
  etcd::Client client;
  const std::string value;
  const SteadyClock::time_point begin = SteadyClock::now(), end;
  const std::string prefix = "/bench/" + std::to_string(begin.time_since_epoch().count()) + "/";
  long requests = 0, failed = 0;
  int under_way = 0;

  Load(const std::string& url, int seconds, std::size_t bytes)
      : client(context, etcd::parse_endpoints({url}), nullptr),
        value(bytes, 'x'),
        end(begin + std::chrono::seconds(seconds)) {}

  void next() {
    if (SteadyClock::now() >= end) {
      if (--under_way == 0) client.stop();
      return;
    }
    const etcd::KeyWrite write{
        .key = prefix + std::to_string(requests++), .value = value, .replaces = 0, .lease = 0};
    client.call(etcd::kTxn, etcd::write_request({&write}),
                [this](const etcd::CallEnd& ended, const std::string& answer) {
                  failed += ended.code != 0 || !etcd::read_txn(answer).succeeded;
                  next();
                });
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int at_a_time = std::atoi(argv[2]), seconds = std::atoi(argv[3]);
  Load load(argv[1], seconds, static_cast<std::size_t>(std::atoi(argv[4])));
  load.client.start(
      [&load, at_a_time] {
        load.under_way = at_a_time;
        for (int i = 0; i < at_a_time; ++i) load.next();
      },
      [] { std::exit(1); });
  load.context.run();
  const std::chrono::duration<double> took = SteadyClock::now() - load.begin;
  std::printf("{\"seconds\":%.3f,\"requests\":%ld,\"failed\":%ld}\n", took.count(), load.requests,
              load.failed);
}
