// CertificateSigningRequest of certificates.k8s.io. Source: upstream 1.36
// pkg/apis/certificates/validation.
#include <string>
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
)~");

TAB_RULES(kDistinctRules, "[] distinct");

namespace {

using json::Arena;
using json::Value;

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
    keep_decision(status, before, "Approved");
    keep_decision(status, before, "Denied");
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

}  // namespace

extern const NamedCheck kCertificateSigningRequestChecks[] = {
    {"key-usages", &key_usages},
    {"pem-request", &pem_request},
    {"signer-name", &signer_name},
};

extern const Kind kCertificateSigningRequestKind{
    .group = "certificates.k8s.io",
    .kind = "CertificateSigningRequest",
    .strategy = {.names = kAnyName,
                 .meta_passes = {"CF", "CFUF", "CFUF"},
                 .reset_fields = kCertificateRequestResets,
                 .prepare_for_create = &prepare_certificate_request_for_create,
                 .prepare_subresource = &prepare_certificate_request_subresource},
    .rules = &kCertificateSigningRequestRules,
    .print = &print_certificate_signing_request};

}  // namespace tabernetes::registry::kinds
