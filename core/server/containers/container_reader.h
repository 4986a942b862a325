// Reads rules of containers, as docs/containers.md describes them.
#pragma once

#include <memory>
#include <string_view>

#include "json/document_part.h"
#include "server/containers/container_rules.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Reads a list of rules or an object with such a list at `rules`; YAML or JSON. Fails for what is
// no rule, and says where.
Expected<std::shared_ptr<const ContainerRules>> read_containers(std::string_view document);

// Read what a rule says of a command, a port, a log, or what somebody answers who was asked.
void read_command_result(const json::DocumentPart& part, CommandAnswer& answer);
void read_port_result(const json::DocumentPart& part, PortAnswer& answer);
void read_log_lines(const json::DocumentPart& part, std::vector<LogLine>& lines);

// Returns the rules of a text that was checked by check_containers(); none for an empty text.
std::shared_ptr<const ContainerRules> usual_containers(std::string_view document);

}  // namespace tabernetes::server
