// A request that kube-apiserver would hand to a node: for logs, a shell, a port.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tabernetes/request.h"
#include "tabernetes/response.h"

namespace tabernetes {

struct NodeConnection {
  std::string what;  // "log", "exec", "attach", "portforward" or "proxy"
  std::string node;  // empty for a proxy to a pod or service
  std::string ns, name, container;
};

// Answers in the place of the nodes; nothing: there is no such node. Called on any thread that
// reads; must not call back into the server.
using NodeConnector = std::function<std::optional<Response>(const NodeConnection&, const Request&)>;

}  // namespace tabernetes
