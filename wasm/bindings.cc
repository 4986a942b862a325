// Binds Cluster (cluster.h) and the transfer buffers to JavaScript by name. functions.cc binds the
// functions that need no cluster. This file only translates; it makes no decisions.
#include <emscripten/bind.h>

#include "backend.h"
#include "cluster.h"
#include "input.h"
#include "output.h"

namespace tabernetes::wasm {

EMSCRIPTEN_BINDINGS(tabernetes_cluster) {
  emscripten::function("input", &input);
  emscripten::function("dropInput", &drop_input);
  emscripten::function("output", &output);
  emscripten::function("dropOutput", &drop_output);
  emscripten::function("giveChanges", &give_changes);

  emscripten::value_object<AnswerFacts>("AnswerFacts")
      .field("status", &AnswerFacts::status)
      .field("stream", &AnswerFacts::stream)
      .field("finite", &AnswerFacts::finite)
      .field("messages", &AnswerFacts::messages)
      .field("gzip", &AnswerFacts::gzip)
      .field("lost", &AnswerFacts::lost)
      .field("places", &AnswerFacts::places);

  emscripten::class_<Cluster>("Cluster")
      .constructor<const emscripten::val&>()
      .function("fork", &Cluster::fork, emscripten::allow_raw_pointers())
      .function("state", &Cluster::state)
      .function("request", &Cluster::request)
      .function("giveOpenapiTexts", &Cluster::give_openapi_texts)
      .function("nextReady", &Cluster::next_ready)
      .function("takeReady", &Cluster::take_ready)
      .function("takeAnswer", &Cluster::take_answer)
      .function("readStreams", &Cluster::read_streams)
      .function("receive", &Cluster::receive)
      .function("closeStream", &Cluster::close_stream)
      .function("places", &Cluster::places)
      .function("webhookCall", &Cluster::webhook_call)
      .function("answerWebhook", &Cluster::answer_webhook)
      .function("proxyCall", &Cluster::proxy_call)
      .function("answerProxy", &Cluster::answer_proxy)
      .function("continueProxyAnswer", &Cluster::continue_proxy_answer)
      .function("takeProxiedInput", &Cluster::take_proxied_input)
      .function("proposal", &Cluster::proposal)
      .function("finishProposal", &Cluster::finish_proposal)
      .function("load", &Cluster::load)
      .function("markInitialState", &Cluster::mark_initial_state)
      .function("reset", &Cluster::reset)
      .function("useTokenFile", &Cluster::use_token_file)
      .function("snapshot", &Cluster::snapshot)
      .function("restore", &Cluster::restore)
      .function("compact", &Cluster::compact)
      .function("advance", &Cluster::advance)
      .function("wake", &Cluster::wake)
      .function("setAuditLog", &Cluster::set_audit_log)
      .function("endAuditLog", &Cluster::end_audit_log)
      .function("takeAuditEvents", &Cluster::take_audit_events)
      .function("administer", &Cluster::administer);
}

}  // namespace tabernetes::wasm
