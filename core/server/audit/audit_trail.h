// What is known of a request for its audit events, and their writing. Source: upstream 1.36
// apiserver pkg/audit/{context,request}.go, pkg/endpoints/filters/audit.go.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/authorizer.h"
#include "json/value.h"
#include "registry/kind/audit_notes.h"
#include "server/audit/audit_policy.h"
#include "server/audit/request_explanation.h"
#include "server/request/audit_ids.h"
#include "tabernetes/audit.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// A policy and the place where events go. Safe on any thread.
struct Auditor {
  AuditPolicy policy;
  AuditSink sink;
  AuditLog::Format format = AuditLog::Format::kJson;
  std::size_t most_bytes = 0;
};

// Follows one request; on one thread at a time. A request that is done again has the same trail.
class AuditTrail {
 public:
  // REQUIRES: `ids` outlives this object.
  AuditTrail(std::shared_ptr<const Auditor> auditor, const Request& request, Time begun,
             std::shared_ptr<AuditIds> ids);

  // Forgets what the last attempt to answer has found.
  void begin_attempt();
  registry::AuditNotes& notes() { return notes_; }

  // Has the request explained; nobody asks by default.
  void explain_to(std::shared_ptr<RequestExplanation> explanation);
  // Returns null if nobody asks.
  RequestExplanation* explanation() const { return explanation_.get(); }

  // Notes who asks for what; `known`: there is a user. `long_running`: it has ResponseStarted.
  void identify(const auth::Attributes& request, bool known, bool long_running);
  void impersonate(const auth::User& user, std::string_view constraint);
  void decide(const auth::Decision& decision);
  // Returns whether anything but the head of the request is wanted.
  bool wants_request() const { return scope_.level >= AuditLevel::kRequest; }
  bool wants_object() const { return scope_.level >= AuditLevel::kMetadata; }

  // Notes the object that a body was decoded to. An empty kind leaves its members in their order.
  void object_of_request(const json::Value& object, std::string_view api_version,
                         std::string_view kind);
  // Notes the patch as it was sent.
  void patch_of_request(std::string_view patch);

  // Writes that the request has come, unless that is done or not wanted.
  void write_received();
  // Writes the events of an answer; the last one at the end of its stream if it waits for
  // something. REQUIRES: `now` outlives the stream.
  static void finish(std::shared_ptr<AuditTrail> trail, Response& response, const Time& now);

  // Returns the id in the events and in the answer.
  const std::string& id();

 private:
  friend class AuditedStream;

  struct ObjectRef {
    std::string resource, ns, name, uid, group, version, resource_version, subresource;
  };
  struct Outcome {
    int code = 0;
    std::string status;  // members of responseStatus after metadata, without code
    std::string object;  // responseObject
  };

  Outcome outcome_of(Response& response) const;
  bool answers_with_object(const Response& response) const;
  void write(AuditStage stage, Time time, const Outcome* outcome);
  std::string json_event(AuditStage stage, Time time, const Outcome* outcome, bool whole) const;
  std::string legacy_event(AuditStage stage, Time time, const Outcome* outcome) const;

  const std::shared_ptr<const Auditor> auditor_;
  const std::shared_ptr<AuditIds> ids_;
  const Time begun_;
  const std::string uri_, accept_, method_;
  std::string id_, agent_;
  std::vector<std::string> addresses_;
  registry::AuditNotes notes_;
  std::shared_ptr<RequestExplanation> explanation_;

  AuditScope scope_;
  bool identified_ = false, known_ = false, long_running_ = false, on_resource_ = false;
  bool received_ = false;
  std::string verb_, constraint_;
  auth::User user_, impersonated_;
  ObjectRef asked_, seen_;  // by path; from the object in the body
  std::string request_object_;
  bool request_garbled_ = false;  // the patch is no JSON: its event cannot be encoded
};

}  // namespace tabernetes::server
