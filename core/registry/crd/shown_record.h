// Records of custom objects that a webhook converts, in the form in which they are shown.
#pragma once

#include <optional>

#include "registry/object_record.h"
#include "registry/pending_work.h"
#include "registry/resource_type.h"
#include "store/record.h"

namespace tabernetes::registry::crd {

// Returns the record as `type` shows it, so that whoever reads it later converts nothing: the same
// one unless a webhook has to.
store::RecordPtr shown_record(const ResourceType& type, const store::RecordPtr& record,
                              PendingWork* pending);

// Returns what `stored`, an object that is not written yet, will be shown as by `type`; nothing if
// that is what is stored.
std::optional<EncodedObject> shown_encoding(const ResourceType& type, const EncodedObject& stored,
                                            VersionMember version, json::Arena& arena,
                                            PendingWork* pending);

// The type of the version that the object is stored in, for work that can ask no webhook: there it
// needs none. `type` itself where nothing has to be converted, or that version is no more.
const ResourceType& stored_type(const ResourceType& type, const store::Record& record);

}  // namespace tabernetes::registry::crd
