// Answers in the negotiated form: objects, lists, Status, documents.
#pragma once

#include <string>
#include <string_view>

#include "base/api_status.h"
#include "json/value.h"
#include "server/request/call.h"
#include "store/record.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// An object as stored. `shown` is the version to write in place of the record's own; 0 keeps it.
// Errors: 406 where the form does not fit, 400 for a bad includeObject.
Result<Response> answer_object(Call& call, const Representation& form, int code,
                               const store::RecordPtr& record, store::Revision shown = 0);

// The same of an object that is a tree.
Result<Response> answer_tree_object(Call& call, const Representation& form, int code,
                                    const json::Value& object);

// Appends a tree in the form's encoding. Errors: 406 for what has no protobuf form, 500 for what
// YAML cannot hold.
Result<void> encode_tree(const Representation& form, const json::Value& tree, std::string& out);

// A tree as it is (discovery documents, Status, scales).
Response answer_tree(const Representation& form, int code, const json::Value& tree);

// Status Failure, in the form that negotiate_error() finds; without options CBOR is none.
Response answer_error(const Request& request, const Query& query, const ApiStatus& status,
                      const NegotiationOptions& options = {});

// A plain text answer, as net/http's Error writes it.
Response answer_text(int code, std::string text);

// `404 page not found`
Response answer_unknown_path();

// Status as a tree: Success where the code is that of one.
json::Value status_tree(const ApiStatus& status, json::Arena& arena);
json::Value success_tree(const registry::ResourceType& type, std::string_view name,
                         std::string_view uid, json::Arena& arena);

// Adds the Warning headers for the collected texts. Source: spec/rest.md 5.10.
void add_warnings(const std::vector<std::string>& texts, Response& response);

// Content-Type of an answer in this form.
std::string_view content_type(const Representation& form);

}  // namespace tabernetes::server
