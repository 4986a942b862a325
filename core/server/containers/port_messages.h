// A request to a port of a simulated pod, over HTTP, and its answer.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tabernetes::server {

struct PortRequest {
  std::string method, target;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
};

struct PortReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

}  // namespace tabernetes::server
