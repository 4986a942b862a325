// Answers in the negotiated form: objects, lists, Status, documents.
#pragma once

#include <string>
#include <string_view>

#include "base/api/api_status.h"
#include "json/value.h"
#include "server/request/request_context.h"
#include "store/record.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Answers with a stored object. `shown` is the version to write instead of the record's own, unless
// 0. Errors: 406 if the form does not fit, 400 for a bad includeObject.
Result<Response> answer_object(RequestContext& call, const Representation& form, int code,
                               const store::RecordPtr& record, store::Revision shown = 0);

// Does the same for an object that is a tree.
Result<Response> answer_tree_object(RequestContext& call, const Representation& form, int code,
                                    const json::Value& object);

// Appends a tree in the form's encoding. Errors: 406 if it has no protobuf form, 500 for content
// that YAML cannot represent.
Result<void> encode_tree(const Representation& form, const json::Value& tree, std::string& out);

// Answers with a tree as it is (discovery documents, Status, Scale).
Response answer_tree(const Representation& form, int code, const json::Value& tree);

// Answers with Status Failure in the form chosen by negotiate_error(); without options, never CBOR.
Response answer_error(const Request& request, const Query& query, const ApiStatus& status,
                      const NegotiationOptions& options = {});

// Answers with plain text like net/http's Error.
Response answer_text(int code, std::string text);

// Returns `404 page not found`.
Response answer_unknown_path();

// Return a Status as a tree: Success if its code is one.
json::Value status_tree(const ApiStatus& status, json::Arena& arena);
json::Value success_tree(const registry::ResourceType& type, std::string_view name,
                         std::string_view uid, json::Arena& arena);

// Adds Warning headers for the collected texts. Source: spec/rest.md 5.10.
void add_warnings(const std::vector<std::string>& texts, Response& response);

// Returns the Content-Type of an answer in this form.
std::string_view content_type(const Representation& form);

}  // namespace tabernetes::server
