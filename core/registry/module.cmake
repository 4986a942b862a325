# The life cycle of objects; independent of their kinds.
tab_module(registry
  SOURCES
    cells/cell_text.cc
    cells/row.cc
    kind/expiring_cache.cc
    kind/pending_work.cc
    kind/resource_type.cc
    kind/review_answer.cc
    kind/review_question.cc
    kind/warnings.cc
    kind/webhook_client.cc
    kind/webhook_kubeconfig.cc
    kind/webhook_question.cc
    kind/write_context.cc
    life/create.cc
    life/generation.cc
    life/get.cc
    life/remove.cc
    life/request_size.cc
    life/scale.cc
    life/update.cc
    life/write.cc
    meta/conditions.cc
    meta/member_path.cc
    meta/name_constraints.cc
    meta/object_meta.cc
    meta/object_meta_validation.cc
    meta/owner_references.cc
    meta/version_order.cc
    objects/object_record.cc
    ownership/managed_fields.cc
    ownership/managed_fields_cache.cc
    ownership/object_versions.cc
    record/encoded_object.cc
    record/stored_value.cc
    selectors/field_selector.cc
    selectors/label_selector.cc
    selectors/selector_object.cc
    table/partial_metadata.cc
    table/table.cc
  ROOMS
    "meta:"  # metadata, conditions, names
    "selectors:"  # label and field selectors
    "record: selectors"  # encoded objects, with offsets
    "cells: selectors"  # the texts of table cells
    "kind: cells meta record"  # interfaces of kinds: KindBehaviour, Strategy, ResourceType
    "objects: kind record"  # stored objects as trees
    "table: cells kind meta objects"  # tables and partial metadata
    "ownership: kind meta"  # managedFields
    "life: kind meta objects ownership selectors"  # create, get, update, remove
  DEPS patch rules store)
