// Records of custom objects that a webhook converts, in the form in which they are shown.
#pragma once

#include "registry/resource_type.h"
#include "store/record.h"

namespace tabernetes::registry::crd {

// The record as `type` shows it, so that whoever reads it later converts nothing: the same one
// unless a webhook has to.
store::RecordPtr shown_record(const ResourceType& type, const store::RecordPtr& record);

// The type of the version that the object is stored in, for work that can ask no webhook: there it
// needs none. `type` itself where nothing has to be converted, or that version is no more.
const ResourceType& stored_type(const ResourceType& type, const store::Record& record);

}  // namespace tabernetes::registry::crd
