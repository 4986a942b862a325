// The optional control loops.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {

struct LoopRow {
  std::string_view name;   // kube-controller-manager's
  std::string_view alias;  // its former name
  std::string_view brief;  // our shorter name; may be empty
  std::unique_ptr<ControlLoop> (*make)();
  // False: `*` does not mean it; kube-controller-manager runs it only if its flags ask for it.
  bool by_default = true;
};

// Returns them in the order in which they run when they are due at the same time.
std::span<const LoopRow> loop_table();

}  // namespace tabernetes::controllers
