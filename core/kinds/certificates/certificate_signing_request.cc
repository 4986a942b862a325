// CertificateSigningRequest of certificates.k8s.io. Source: upstream 1.36
// pkg/apis/certificates/validation.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/go/text.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kCertificateSigningRequestRules, R"~(
on create
 spec
  request @pem-request
  usages required
  usages @key-usages
  signerName required @signer-name
  expirationSeconds given ge:600 "may not specify a duration less than 600 seconds (10 minutes)"
on status
 @request-conditions
)~");

TAB_RULES(kRequestConditionRules, R"(
?type=Approved|Denied|Failed
 status required enum:True
else
 status required enum:False,True,Unknown
)");

TAB_RULES(kDistinctRules, "[] distinct");

namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kApproved = "Approved";
constexpr std::string_view kDenied = "Denied";
constexpr std::string_view kFailed = "Failed";

constexpr ResetFields kCertificateRequestResets[] = {{"", "spec status"},
                                                     {"status", "spec status.conditions"},
                                                     {"approval", "spec status.certificate"}};

Value texts_value(const std::vector<std::string>& texts, Arena& arena) {
  Value array = Value::array(arena);
  for (const std::string& text : texts) array.push_back(arena, Value::string(arena.copy(text)));
  return array;
}

// Notes who has asked, whatever the object says.
void prepare_certificate_request_for_create(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  Value& spec = object_or_new(object, "spec", arena);
  for (const std::string_view member : {"username", "uid", "groups", "extra"}) spec.erase(member);
  if (context.user == nullptr) return;
  const User& user = *context.user;
  if (!user.name.empty()) spec.set(arena, "username", Value::string(arena.copy(user.name)));
  if (!user.uid.empty()) spec.set(arena, "uid", Value::string(arena.copy(user.uid)));
  if (!user.groups.empty()) spec.set(arena, "groups", texts_value(user.groups, arena));
  if (user.extra.empty()) return;
  Value extra = Value::object(arena);
  for (const auto& [key, values] : user.extra) {
    extra.append(arena, arena.copy(key), texts_value(values, arena));
  }
  spec.set(arena, "extra", extra);
}

// Only the presence of the conditions matters, not their status.
std::string request_condition(const Value& request) {
  std::string text = find_condition(request, "Denied")     ? "Denied"
                     : find_condition(request, "Approved") ? "Approved"
                                                           : "Pending";
  if (find_condition(request, "Failed")) text += ",Failed";
  if (!text_at(request, {"status", "certificate"}).empty()) text += ",Issued";
  return text;
}

void print_certificate_signing_request(const Value& object, Row& row) {
  row.name(object);
  row.age(object);
  row.text_or(text_at(object, {"spec", "signerName"}), kNone);
  row.text(text_at(object, {"spec", "username"}));
  if (has(object, {"spec", "expirationSeconds"})) {
    row.text(
        human_duration(Duration::from_seconds(number_at(object, {"spec", "expirationSeconds"}))));
  } else {
    row.text(kNone);
  }
  row.text(request_condition(object));
}

void key_usages(const Place& place) {
  constexpr std::string_view kUsages =
      "any,cert sign,client auth,code signing,content commitment,crl sign,data encipherment,"
      "decipher only,digital signature,email protection,encipher only,ipsec end system,"
      "ipsec tunnel,ipsec user,key agreement,key encipherment,microsoft sgc,netscape sgc,"
      "ocsp signing,s/mime,server auth,signing,timestamping";
  for (const Field usage : place.now.items()) usage.one_of(kUsages);
  kDistinctRules.check(place);
}

// Only the type of the PEM block is checked.
void pem_request(const Place& place) {
  const auto bytes = base64_decode(place.now.text());
  if (bytes && bytes->find("-----BEGIN CERTIFICATE REQUEST-----") != std::string::npos) return;
  place.now.invalid_printed(place.now.present() ? place.now.printed() : "null",
                            "PEM block type must be CERTIFICATE REQUEST");
}

void signer_name(const Place& place) {
  const Field& name = place.now;
  const std::string_view text = name.text();
  if (text == "kubernetes.io/legacy-unknown") {
    return name.invalid("the legacy signerName is not allowed via this API version");
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.find('/', slash + 1) != std::string_view::npos) {
    return name.invalid(
        "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  }
  const std::string_view domain = text.substr(0, slash);
  for (const std::string& fault : dns1123_subdomain_faults(domain)) {
    name.invalid_string(text, "validating label " + go_quote(domain) + ": " + fault);
  }
  if (domain.find('.') == std::string_view::npos) {
    name.invalid_string(domain, "should be a domain with at least two segments separated by dots");
  }
  const std::string_view path = text.substr(slash + 1);
  for (const std::string& fault : dns1123_subdomain_faults(path)) {
    name.invalid_string(text, "validating label " + go_quote(path) + ": " + fault);
  }
}

std::size_t count_conditions(const Value& request, std::string_view type) {
  const auto conditions = items_at(request, {"status", "conditions"});
  const auto is_one = [&](const Value& each) { return each.string_at("type") == type; };
  return static_cast<std::size_t>(std::count_if(conditions.begin(), conditions.end(), is_one));
}

bool is_decided_twice(const Value& request) {
  return count_conditions(request, kApproved) > 0 && count_conditions(request, kDenied) > 0;
}

bool repeats_conditions(const Value& request) {
  const auto conditions = items_at(request, {"status", "conditions"});
  return std::any_of(conditions.begin(), conditions.end(), [&](const Value& each) {
    return count_conditions(request, each.string_at("type")) > 1;
  });
}

// Checks each condition. What the old object has already, such as a type twice, is accepted.
void validate_conditions(const Field& conditions, const Value& old) {
  const bool may_repeat = repeats_conditions(old);
  const bool may_decide_twice = is_decided_twice(old);
  const bool may_lack_type = count_conditions(old, "") > 0;
  std::set<std::string_view> types;
  for (const Field condition : conditions.items()) {
    const std::string_view type = condition.text_at("type");
    if (type.empty() && !may_lack_type) condition["type"].required();
    kRequestConditionRules.check_alone(condition);
    const std::string_view other = type == kApproved ? kDenied : type == kDenied ? kApproved : "";
    if (!may_decide_twice && !other.empty() && types.count(other) > 0) {
      conditions.invalid_string(type, "Approved and Denied conditions are mutually exclusive");
    }
    if (!types.insert(type).second && !may_repeat) condition["type"].duplicate();
  }
}

// Reports conditions that a write removes, and decisions that anything but /approval adds.
void validate_decisions(const Field& request, const Value& old, bool may_decide) {
  const Field status = request["status"];
  const Field conditions = status["conditions"];
  for (const std::string_view type : {kApproved, kDenied, kFailed}) {
    if (count_conditions(*request.value(), type) >= count_conditions(old, type)) continue;
    conditions.forbidden("updates may not remove a condition of type " + go_quote(type));
  }
  for (const std::string_view type : {kApproved, kDenied}) {
    if (may_decide || count_conditions(*request.value(), type) <= count_conditions(old, type)) {
      continue;
    }
    conditions.forbidden("updates may not add a condition of type " + go_quote(type));
  }
}

void request_conditions(const Place& place) {
  const Value& old = *place.old;
  const Field status = place.now["status"];
  validate_conditions(status["conditions"], old);
  validate_decisions(place.now, old, false);
  const std::string_view signed_before = text_at(old, {"status", "certificate"});
  const Field certificate = status["certificate"];
  if (!signed_before.empty() && certificate.text() != signed_before) {
    certificate.forbidden("updates may not modify existing certificate content");
  }
}

void validate_approval(Subresource, const Field& object, const Field& old) {
  const Field status = object["status"];
  validate_conditions(status["conditions"], *old.value());
  validate_decisions(object, *old.value(), true);
}

std::vector<Value*> conditions_of_type(const Value& status, std::string_view type) {
  std::vector<Value*> found;
  for (Value& condition : items_in(status, "conditions")) {
    if (condition.string_at("type") == type) found.push_back(&condition);
  }
  return found;
}

// Restores the conditions of a type if their number is unchanged: signers cannot change decisions.
void keep_decision(Value& status, const Value& old, std::string_view type) {
  const std::vector<Value*> now = conditions_of_type(status, type);
  const std::vector<Value*> before = conditions_of_type(old, type);
  if (now.size() != before.size()) return;
  for (std::size_t i = 0; i < now.size(); ++i) *now[i] = *before[i];
}

// Returns lastTransitionTime: that of an old condition with the same type and status, else `now`.
Value since(const Value& condition, const Value& old, Value now) {
  constexpr std::string_view kSince = "lastTransitionTime";
  for (const Value& before : items_in(old, "conditions")) {
    if (before.string_at("type") == condition.string_at("type") &&
        before.string_at("status") == condition.string_at("status") &&
        !before.string_at(kSince).empty()) {
      return *before.find(kSince);
    }
  }
  return now;
}

void fill_times(const HookContext& context, Value& status, const Value& old) {
  Arena& arena = context.arena;
  const Value now = Value::string(arena.copy(format_rfc3339(context.now)));
  for (Value& condition : items_in(status, "conditions")) {
    if (condition.string_at("lastUpdateTime").empty()) {
      condition.set(arena, "lastUpdateTime", now);
    }
    if (condition.string_at("lastTransitionTime").empty()) {
      condition.set(arena, "lastTransitionTime", since(condition, old, now));
    }
  }
}

void prepare_certificate_request_subresource(const HookContext& context, Subresource subresource,
                                             Value& object, const Value& old) {
  Arena& arena = context.arena;
  Value& status = object_or_new(object, "status", arena);
  const Value* stored = old.find("status");
  const Value before = stored == nullptr ? Value::object(arena) : *stored;
  if (subresource == Subresource::kStatus) {
    keep_decision(status, before, kApproved);
    keep_decision(status, before, kDenied);
    fill_times(context, status, before);
    return;
  }
  fill_times(context, status, before);
  Value decided = before.clone(arena);
  if (const Value* conditions = status.find("conditions")) {
    decided.set(arena, "conditions", *conditions);
  } else {
    decided.erase("conditions");
  }
  object.set(arena, "status", decided);
  if (const Value* spec = old.find("spec")) object.set(arena, "spec", *spec);
}

// Everything but metadata is set on creation, or by a subresource.
void prepare_certificate_request_for_update(const HookContext& context, Value& object,
                                            const Value& old) {
  object.erase("spec");
  if (const Value* spec = old.find("spec")) object.set(context.arena, "spec", *spec);
}

}  // namespace

extern const NamedCheck kCertificateSigningRequestChecks[] = {
    {"key-usages", &key_usages},
    {"pem-request", &pem_request},
    {"request-conditions", &request_conditions},
    {"signer-name", &signer_name},
};

extern const Kind kCertificateSigningRequestKind{
    .group = "certificates.k8s.io",
    .kind = "CertificateSigningRequest",
    .strategy = {.names = kAnyName,
                 .meta_passes = {"CF", "CFUF", "CFUF"},
                 .reset_fields = kCertificateRequestResets,
                 .prepare_for_create = &prepare_certificate_request_for_create,
                 .prepare_for_update = &prepare_certificate_request_for_update,
                 .prepare_subresource = &prepare_certificate_request_subresource,
                 .validate_subresource = &validate_approval},
    .rules = &kCertificateSigningRequestRules,
    .print = &print_certificate_signing_request};

}  // namespace tabernetes::registry::kinds
