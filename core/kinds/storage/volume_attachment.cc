// VolumeAttachment of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "kinds/storage/parameters.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kVolumeAttachmentRules, R"(
spec
 attacher required maxlen:63 is:lower-subdomain
 source
  ?+inlineVolumeSpec
   ?+persistentVolumeName
    . deny "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
   ?-persistentVolumeName
    inlineVolumeSpec &inline-volume-spec
  ?-inlineVolumeSpec
   ?-persistentVolumeName
    . need "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
   persistentVolumeName given required "must specify non empty persistentVolumeName"
 nodeName is:subdomain
status &attachment-status
spec.source.persistentVolumeName given is:subdomain
on update
 spec immutable=#storage.v1.VolumeAttachmentSpec
on status
 status &attachment-status
)");

TAB_RULES(kAttachmentStatusRules, R"(
attachmentMetadata @attachment-metadata
attachError &volume-error
detachError &volume-error
)");

TAB_RULES(kVolumeErrorRules, R"(
message @volume-error-message
errorCode given range:0-2147483647
)");

namespace {

using json::Value;

void print_volume_attachment(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "attacher"}));
  row.text(text_at(object, {"spec", "source", "persistentVolumeName"}));
  row.text(text_at(object, {"spec", "nodeName"}));
  row.boolean(bool_at(object, {"status", "attached"}));
  row.age(object);
}

void attachment_metadata(const Place& place) {
  if (bytes_of(place.now) > kMaxParameterBytes) place.now.too_long(kMaxParameterBytes);
}

void volume_error_message(const Place& place) {
  if (place.now.text().size() > 1024) place.now.too_long(kMaxParameterBytes);
}

}  // namespace

extern const NamedCheck kVolumeAttachmentChecks[] = {
    {"attachment-metadata", &attachment_metadata},
    {"volume-error-message", &volume_error_message},
};

extern const Kind kVolumeAttachmentKind{.group = "storage.k8s.io",
                                        .kind = "VolumeAttachment",
                                        .strategy = {.meta_passes = {"CF", "CF", ""},
                                                     .allow_unconditional_update = false,
                                                     .returns_deleted_object = true,
                                                     .status_keeps_metadata = true},
                                        .rules = &kVolumeAttachmentRules,
                                        .print = &print_volume_attachment};

}  // namespace tabernetes::registry::kinds
