// Reads rules of containers, as docs/containers.md describes them.
#pragma once

#include <memory>
#include <string_view>

#include "server/containers/container_rules.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Reads a list of rules or an object with such a list at `rules`; YAML or JSON. Fails for what is
// no rule, and says where.
Expected<std::shared_ptr<const ContainerRules>> read_containers(std::string_view document);

// Returns the rules of a text that was checked by check_containers(); none for an empty text.
std::shared_ptr<const ContainerRules> usual_containers(std::string_view document);

}  // namespace tabernetes::server
