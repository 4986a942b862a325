// Asks a cluster for a namespace that every cluster has, through the public headers alone.
#include <cstdio>

#include "tabernetes/api_server.h"

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
  return status == 200 ? 0 : 1;
}
