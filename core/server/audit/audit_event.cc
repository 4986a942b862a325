// The text of audit events: JSON in the order of upstream's type, and the legacy lines.

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "codec/json_writer.h"
#include "server/audit/audit_trail.h"

namespace tabernetes::server {
namespace {

void member(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  if (out.back() != '{') out += ',';
  out.append("\"").append(name).append("\":");
  codec::write_json_string(text, out);
}

void raw(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  if (out.back() != '{') out += ',';
  out.append("\"").append(name).append("\":").append(text);
}

std::string list_text(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.back() != '[') out += ',';
    codec::write_json_string(text, out);
  }
  return out + "]";
}

std::string user_text(const auth::User& user) {
  std::string out = "{";
  member(out, "username", user.name);
  member(out, "uid", user.uid);
  if (!user.groups.empty()) raw(out, "groups", list_text(user.groups));
  if (!user.extra.empty()) {
    std::string extra = "{";
    for (const auto& [key, values] : user.extra) {
      if (extra.back() != '{') extra += ',';
      codec::write_json_string(key, extra);
      extra += ':' + list_text(values);
    }
    raw(out, "extra", extra + "}");
  }
  return out + "}";
}

// Prints a time as RFC 3339 with the digits of the second that it needs.
std::string precise(Time time) {
  std::string text = format_rfc3339(time);
  text.pop_back();
  const std::int64_t within = time.unix_nanoseconds - time.unix_seconds() * 1'000'000'000;
  std::string digits = std::to_string(1'000'000'000 + within).substr(1);
  while (digits.ends_with('0')) digits.pop_back();
  return text + (digits.empty() ? "" : "." + digits) + "Z";
}

std::string quoted_groups(const std::vector<std::string>& groups) {
  std::string text;
  for (const std::string& group : groups) {
    text += (text.empty() ? "" : ",") + go_quote(group);
  }
  return text;
}

}  // namespace

std::string AuditTrail::json_event(AuditStage stage, Time time, const Outcome* outcome,
                                   bool whole) const {
  std::string out = R"({"kind":"Event","apiVersion":"audit.k8s.io/v1")";
  member(out, "level", name_of(scope_.level));
  member(out, "auditID", id_);
  member(out, "stage", name_of(stage));
  member(out, "requestURI", uri_);
  raw(out, "verb", verb_.empty() ? "\"\"" : "");
  member(out, "verb", verb_);
  raw(out, "user", known_ ? user_text(user_) : "{}");
  if (outcome != nullptr && !impersonated_.name.empty()) {
    raw(out, "impersonatedUser", user_text(impersonated_));
    if (!constraint_.empty()) {
      std::string how = "{";
      member(how, "impersonationConstraint", constraint_);
      raw(out, "authenticationMetadata", how + "}");
    }
  }
  if (!addresses_.empty()) raw(out, "sourceIPs", list_text(addresses_));
  member(out, "userAgent", agent_);
  if (on_resource_) {
    // What the body says is known only once it was read.
    const bool read = outcome != nullptr;
    const auto either = [&](const std::string& asked, const std::string& seen) {
      return asked.empty() && read ? seen : asked;
    };
    std::string ref = "{";
    member(ref, "resource", asked_.resource);
    member(ref, "namespace", either(asked_.ns, seen_.ns));
    member(ref, "name", either(asked_.name, seen_.name));
    member(ref, "uid", either({}, seen_.uid));
    member(ref, "apiGroup", asked_.group);
    member(ref, "apiVersion", asked_.version);
    member(ref, "resourceVersion", either({}, seen_.resource_version));
    member(ref, "subresource", asked_.subresource);
    raw(out, "objectRef", ref + "}");
  }
  if (outcome != nullptr) {
    std::string status = R"({"metadata":{})" + outcome->status;
    raw(out, "responseStatus", status + ",\"code\":" + std::to_string(outcome->code) + "}");
    if (whole) {
      raw(out, "requestObject", request_object_);
      raw(out, "responseObject", outcome->object);
    }
  }
  member(out, "requestReceivedTimestamp", format_rfc3339_micro(begun_));
  member(out, "stageTimestamp", format_rfc3339_micro(time));
  if (outcome == nullptr && whole) return out + "}";
  std::string notes = "{";
  if (!whole) member(notes, "audit.k8s.io/truncated", "true");
  if (known_ && outcome != nullptr) {
    for (const auto& [key, note] : notes_.all()) {
      if (note.from == registry::AuditNotes::From::kRequest && !wants_request()) continue;
      if (notes.back() != '{') notes += ',';
      codec::write_json_string(key, notes);
      notes += ':';
      codec::write_json_string(note.value, notes);
    }
  }
  if (notes.size() > 1) raw(out, "annotations", notes + "}");
  return out + "}";
}

std::string AuditTrail::legacy_event(AuditStage stage, Time time, const Outcome* outcome) const {
  const auto or_none = [](const std::string& text) { return text.empty() ? "<none>" : text; };
  const auto field = [](std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=" + go_quote(value);
  };
  const bool impersonates = outcome != nullptr && !impersonated_.name.empty();
  std::string out = precise(time) + " AUDIT:";
  out += field("id", id_);
  out += field("stage", name_of(stage));
  out += field("ip", addresses_.empty() ? std::string() : addresses_.front());
  out += field("method", verb_);
  out += field("user", or_none(known_ ? user_.name : std::string()));
  out += field("groups", or_none(known_ ? quoted_groups(user_.groups) : std::string()));
  out += field("as", impersonates ? impersonated_.name : "<self>");
  out += field("asgroups", impersonates ? quoted_groups(impersonated_.groups) : "<lookup>");
  out += field("user-agent", agent_);
  out += field("namespace", or_none(asked_.ns));
  out += field("uri", uri_);
  out += field("response", outcome == nullptr ? "<deferred>" : std::to_string(outcome->code));
  return out;
}

}  // namespace tabernetes::server
