// Requests a namespace that every cluster has, and calls a function that needs no cluster, through
// the public headers alone.
#include <cstdio>

#include "tabernetes/api_server.h"
#include "tabernetes/standalone.h"

int main() {
  tabernetes::ApiServer server;
  server.advance(tabernetes::Time::from_unix_milliseconds(1'767'225'600'000));
  tabernetes::Request request;
  request.method = "GET";
  request.target = "/api/v1/namespaces/default";
  int status = 0;
  server.handle(std::move(request), [&](tabernetes::Response response) {
    status = response.status;
    std::printf("%s\n", response.body.flatten().c_str());
  });
  if (const auto restored = server.restore("{}"); restored) return 1;
  const auto order = tabernetes::compare_resource_versions("9", "10");
  return status == 200 && order && *order < 0 ? 0 : 1;
}
