// Answers with what a request has written.

#include "registry/kind/kind_behaviour.h"
#include "registry/objects/object_record.h"
#include "server/encode/answer.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {

using json::Value;

Result<Response> answer_addressed(RequestContext& call, const Representation& form, int code,
                                  const store::RecordPtr& record) {
  if (!is_scale(call)) return answer_object(call, form, code, record);
  const Value object = registry::read_object(*call.type, *record, call.arena, call.pending);
  TAB_CHECK(call.type->behaviour->check_scale(object));
  const Value scale = registry::scale_of(*call.type, object, call.arena);
  return answer_tree_object(call, form, code, scale);
}

Result<Response> answer_written(RequestContext& call, Cluster& cluster, const Representation& form,
                                int code, const store::RecordPtr& record, store::Revision shown) {
  if (cluster.shared) {
    cluster.answered = {call.type, call.type->hold(), call.subresource, form, code, record, shown};
  }
  if (shown != 0) return answer_object(call, form, code, record, shown);
  return answer_addressed(call, form, code, record);
}

std::optional<Response> answer_again(const ReadContext& reading, const Request& request,
                                     const WrittenAnswer& written, const store::RecordPtr& record,
                                     store::Revision shown) {
  json::Arena arena;
  RequestContext call(reading, request, arena);
  const std::size_t mark = request.target.find('?');
  if (mark != std::string::npos) {
    call.query = Query::parse(std::string_view(request.target).substr(mark + 1));
  }
  call.type = written.type;
  call.subresource = written.subresource;
  Result<Response> response = shown != 0
                                  ? answer_object(call, written.form, written.code, record, shown)
                                  : answer_addressed(call, written.form, written.code, record);
  if (!response) return std::nullopt;
  return std::move(*response);
}

}  // namespace tabernetes::server
