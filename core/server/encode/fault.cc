#include "server/encode/fault.h"

#include "codec/json_writer.h"
#include "server/encode/answer.h"

namespace tabernetes::server {

Fault fault_of(const ApiStatus& status) {
  json::Arena arena;
  return {status.message, codec::json_text(status_tree(status, arena))};
}

}  // namespace tabernetes::server
