// What every request passes on its way to the core, whichever protocol brought it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "connection.h"
#include "tabernetes/http.h"

namespace tabernetes::host {

Response text_answer(int status, std::string text);

// Returns the answer to a request that is refused before its body is read, or nullopt if it is
// accepted. `authority` is the host that it is for; empty if it names none.
std::optional<Response> refuse_request(const Request& request, const Peer& peer,
                                       std::string_view authority, const HttpSettings& settings);

// Has the page or the core answer. Calls `on_answer` once, in this call or later.
void answer_request(ConnectionContext& context, Request request, Reply on_answer);

// Returns the entry of the log for a request from `peer`; null if requests are not logged.
std::unique_ptr<LoggedRequest> logged_request(const Request& request, const std::string& peer,
                                              const Log& log);

}  // namespace tabernetes::host
