// The forms that custom objects take: as they are stored, in the version that is stored, and as
// each version shows them.
#pragma once

#include "custom/objects/custom_kind.h"
#include "registry/kind/pending_work.h"
#include "registry/objects/object_record.h"
#include "schema/decode.h"

namespace tabernetes::registry::custom {

// What a client sent as an object of `version`: its metadata in the form of every object's, the
// rest as the schema wants it, of the version that it names (it may be refused later). The strict
// errors are in upstream's order.
// Nulls where the schema wants none: an apply is judged with them.
enum class Nulls { kDropped, kKept };
schema::DecodeResult decode(const CustomVersion& version, const json::Value& raw,
                            json::Arena& arena, Nulls nulls = Nulls::kDropped);

// What was stored, in whatever version and form, as `version` shows it today. Here and below, what
// a webhook converts is asked of `pending`; null: it is not asked.
json::Value shown_form(const CustomVersion& version, const json::Value& stored, json::Arena& arena,
                       PendingWork* pending);

// An object of any version of the kind in `version`: what its webhook makes of it, if it has one
// and can be asked (`pending` is not null); else nothing but apiVersion is changed.
json::Value converted(const CustomVersion& version, const json::Value& object, json::Arena& arena,
                      PendingWork* pending);

}  // namespace tabernetes::registry::custom
