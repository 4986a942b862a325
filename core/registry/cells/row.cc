#include "registry/cells/row.h"

#include "json/access.h"
#include "registry/cells/cell_text.h"

namespace tabernetes::registry {

using json::Value;

void Row::name(const Value& object) { text(text_at(object, {"metadata", "name"})); }

void Row::age(const Value& object) {
  text(age_of(text_at(object, {"metadata", "creationTimestamp"})));
}

std::string Row::age_of(std::string_view rfc3339) {
  const Age age = format_age(rfc3339, now_);
  validity_.intersect(age.validity.from, age.validity.until);
  return age.text;
}

void Row::completed(std::string_view reason, std::string_view message) {
  Value condition = Value::object(arena_);
  condition.append(arena_, "type", Value::string("Completed"));
  condition.append(arena_, "status", Value::string("True"));
  condition.append(arena_, "reason", Value::string(reason));
  condition.append(arena_, "message", Value::string(message));
  conditions_ = Value::array(arena_);
  conditions_.push_back(arena_, condition);
}

}  // namespace tabernetes::registry
