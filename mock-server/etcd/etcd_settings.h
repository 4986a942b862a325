// Where a cluster is kept in etcd: the values of --etcd-servers and the flags that go with it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tabernetes::host {

struct EtcdSettings {
  std::vector<std::string> servers;  // URLs; empty: it is not in etcd
  std::string ca_file, cert_file, key_file;
  std::string prefix = "/registry";
  std::chrono::nanoseconds compaction_interval = std::chrono::minutes(5);
};

}  // namespace tabernetes::host
