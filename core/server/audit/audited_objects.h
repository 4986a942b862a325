// Objects as audit events show them: as compact JSON, whatever form they were sent in.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// Returns a decoded object as JSON that begins with its kind and version; with an empty kind, in
// its own order.
std::string audited_object(const json::Value& object, std::string_view api_version,
                           std::string_view kind, bool omits_managed_fields, json::Arena& arena);

// How an answer is shown.
struct AnswerView {
  std::string_view accept;  // the header of the request
  bool whole = false;       // with its object
  bool omits_managed_fields = false;
};

struct AuditedAnswer {
  std::string status;  // members of a Status as `,"name":value`; empty for other objects
  std::string object;
};

// Reads the object of an answer's body.
AuditedAnswer audited_answer(const Response& response, const AnswerView& view);

}  // namespace tabernetes::server
