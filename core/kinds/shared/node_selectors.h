// Selectors of nodes: their rules (`&node-selector`, `&preferred-node-term`), and warnings about
// obsolete labels of nodes.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

// Warns about an obsolete node label; `key` precedes the message.
void warn_of_node_label(const Field& place, std::string_view label, Warnings& out,
                        std::string_view key = {});
// Warns about the terms of a node selector; with `values`, also about their values.
void warn_of_node_term(const Field& term, bool values, Warnings& out);

}  // namespace tabernetes::registry::kinds
