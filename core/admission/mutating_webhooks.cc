// MutatingAdmissionWebhook: asks the webhooks that match one after the other, and applies their
// patches. Source: upstream 1.36 apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go.

#include <algorithm>
#include <utility>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "admission/webhook_call.h"
#include "base/go/text.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/type_name.h"
#include "patch/json_patch.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

// Returns encoding/json's error for a patch; empty if it can be decoded.
std::string undecodable(const codec::JsonRead& read) {
  if (!read.ok()) return read.error;
  if (read.value.is_null()) return {};
  constexpr std::string_view kInto = " into Go value of type jsonpatch.";
  if (!read.value.is_array()) {
    return "json: cannot unmarshal " + std::string(json::go_type_name(read.value)) +
           std::string(kInto) + "Patch";
  }
  for (const Value& operation : read.value.items()) {
    if (operation.is_object() || operation.is_null()) continue;
    return "json: cannot unmarshal " + std::string(json::go_type_name(operation)) +
           std::string(kInto) + "Operation";
  }
  return {};
}

class WebhookDispatch {
 public:
  WebhookDispatch(const PolicyRequest& request, MutatingRound& round)
      : request_(request), round_(round), again_(round.webhooks) {}

  // Calls the webhook if it matches. Errors: what ends the request.
  Result<void> ask(const std::shared_ptr<const CompiledWebhook>& webhook, std::size_t place) {
    place_ = place;
    TAB_TRY(const ResourceType* type, match_conditionally(*webhook, request_));
    if (type == nullptr) return {};
    // A webhook is not called for the first time in the second round.
    if (round_.second && !again_.wanted.contains(webhook->id)) return {};
    TAB_TRY(const WebhookOutcome outcome, call(webhook, round_.second ? 1 : 0, request_, *type));
    if (outcome.missing) return registry::may_persist(request_.request().context.pending);
    std::string fault = outcome.fault;
    bool changed = false;
    if (fault.empty()) {
      Result<bool> obeyed = obey(*webhook, outcome.response, *type, fault);
      note_call(*webhook, obeyed && *obeyed);
      TAB_TRY(changed, std::move(obeyed));
    } else {
      note_call(*webhook, false);
    }
    if (!fault.empty() && webhook->fails_open()) {
      note("failed-open.mutation", std::string(webhook->name()), From::kMetadata);
    }
    if (changed) {
      again_.object_changed();
      round_.again = true;
    }
    if (webhook->may_be_reinvoked()) again_.invoked.insert(webhook->id);
    if (fault.empty() || webhook->fails_open()) return {};
    return call_failure(*webhook, fault);
  }

 private:
  using From = registry::AuditNotes::From;

  void note(std::string_view what, std::string text, From from) const {
    registry::AuditNotes* notes = request_.request().context.notes;
    if (notes == nullptr) return;
    notes->add(std::string(what) + ".webhook.admission.k8s.io/round_" +
                   (round_.second ? "1" : "0") + "_index_" + std::to_string(place_),
               std::move(text), from);
  }

  static std::string head_of_note(const CompiledWebhook& webhook) {
    std::string text = "{\"configuration\":";
    codec::write_json_string(webhook.configuration->name(), text);
    text += ",\"webhook\":";
    codec::write_json_string(webhook.name(), text);
    return text;
  }

  void note_call(const CompiledWebhook& webhook, bool changed) const {
    note("mutation", head_of_note(webhook) + ",\"mutated\":" + (changed ? "true}" : "false}"),
         From::kMetadata);
  }

  void note_patch(const CompiledWebhook& webhook, const Value& patch) const {
    note("patch",
         head_of_note(webhook) + ",\"patch\":" + codec::json_text(patch) +
             ",\"patchType\":\"JSONPatch\"}",
         From::kRequest);
  }

  // Does what the response says; returns whether the object has changed. Sets `fault` if the
  // response cannot be used. Errors: those that no failure policy forgives.
  Result<bool> obey(const CompiledWebhook& webhook, const Value& response, const ResourceType& type,
                    std::string& fault) {
    take_warnings(webhook, response, request_);
    if (auto denial = denial_of(webhook, response)) return std::move(*denial);
    const std::string_view encoded = response.string_at("patch");
    if (encoded.empty()) return false;
    const std::string_view bytes =
        request_.arena().copy(base64_decode(encoded).value_or(std::string()));
    const codec::JsonRead patch = codec::read_json(bytes, request_.arena());
    if (const std::string why = undecodable(patch); !why.empty()) {
      fault = "received undecodable patch in webhook response: " + why;
      return false;
    }
    if (patch.value.size() == 0) return false;
    if (request_.object().is_null()) {
      return errors::internal_error("admission webhook " + go_quote(webhook.name()) +
                                    " attempted to modify the object, which is not supported for "
                                    "this operation");
    }
    const std::string_view patch_type = response.string_at("patchType");
    if (webhook.review_version == "v1" && patch_type != "JSONPatch") {
      fault = "unsupported patch type " + go_quote(patch_type);
      return false;
    }
    note_patch(webhook, patch.value);
    return apply(patch.value, type);
  }

  // Returns true for the first patch of a request that writes a time into managedFields: upstream
  // keeps its nanoseconds until then, and a patched object has none, so that it counts as changed.
  bool rounds_times(const Value& object) const {
    if (!again_.rounds_times) return false;
    const std::string now = format_rfc3339(request_.request().context.now);
    const Value* meta = object.is_object() ? registry::metadata_of(object) : nullptr;
    const Value* fields = meta == nullptr ? nullptr : meta->find("managedFields");
    if (fields == nullptr || !fields->is_array()) return false;
    return std::any_of(fields->items().begin(), fields->items().end(),
                       [&](const Value& entry) { return entry.string_at("time") == now; });
  }

  Result<bool> apply(const Value& patch, const ResourceType& type) {
    const Value before = request_.in_version(request_.object(), type);
    std::string why;
    auto patched = patch::apply_json_patch(before, patch, request_.arena(),
                                           patch::OperationTypes::kUnchecked, &why);
    if (!patched) return errors::internal_error(why.empty() ? patched.error().message : why);
    TAB_TRY(Value decoded, request_.decoded(*patched, type));
    const bool changed = !json::deep_equal(before, decoded) || rounds_times(before);
    again_.rounds_times = false;
    request_.set_defaults(decoded, type);
    request_.request().object = request_.from_version(decoded, type);
    return changed;
  }

  const PolicyRequest& request_;
  MutatingRound& round_;
  Reinvocations& again_;
  std::size_t place_ = 0;  // of the webhook among all, for annotations
};

}  // namespace

Result<void> ask_mutating_webhooks(const AdmissionRequest& request, PluginState& state) {
  if (is_exempt_from_webhooks(request) || request.context.pending == nullptr) return {};
  state.follow(request.registry);
  const auto& equivalents = state.equivalents.of(request.registry, request.type);
  const auto candidates = state.mutating_webhooks.candidates(request.type, equivalents);
  if (candidates.empty()) return {};
  Reinvocations& again = state.round.webhooks;
  if (state.round.second && !json::deep_equal(again.last_output, request.object)) {
    again.object_changed();
  }
  const PolicyRequest seen(request, equivalents, state.may_access);
  WebhookDispatch dispatch(seen, state.round);
  for (const auto& webhook : candidates) {
    TAB_CHECK(dispatch.ask(webhook, state.mutating_webhooks.place_of(*webhook)));
  }
  again.last_output = request.object.clone(seen.arena());
  return {};
}

}  // namespace tabernetes::admission
