#include "server/encode/fault.h"

#include "codec/json_writer.h"
#include "server/encode/answer.h"

namespace tabernetes::server {

Fault fault_of(const ApiStatus& status) {
  json::Arena arena;
  Fault fault{status.message, {}};
  codec::write_json(status_tree(status, arena), fault.status);
  return fault;
}

}  // namespace tabernetes::server
