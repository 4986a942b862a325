#include "schema/catalogue_reader.h"

#include <algorithm>
#include <cassert>

#include "schema/catalogue_data.h"

namespace tabernetes::schema {
namespace {

constexpr std::uint32_t kFieldTypeCount = 21;

// Takes the flags of a field from its shape, lowest bits first, in the order of compile.mjs.
class Shape {
 public:
  explicit Shape(std::uint32_t bits) : bits_(bits) {}
  bool flag() { return take(1) != 0; }
  std::uint32_t take(int width) {
    const std::uint32_t value = bits_ & ((1u << width) - 1);
    bits_ >>= width;
    return value;
  }

 private:
  std::uint32_t bits_;
};

bool has_ref(FieldType type) {
  return type == FieldType::kRef || type == FieldType::kSchemaOrBool ||
         type == FieldType::kSchemaOrArray || type == FieldType::kSchemaOrStringArray;
}

bool has_element(FieldType type) { return type == FieldType::kArray || type == FieldType::kMap; }

void flatten(const Type& type, std::vector<const Field*>& out) {
  for (const Field& field : type.fields) {
    if (field.inlined) {
      flatten(*field.type.ref, out);
    } else {
      out.push_back(&field);
    }
  }
}

}  // namespace

std::uint32_t TableReader::fail() {
  ok_ = false;
  next_ = end_;
  return 0;
}

std::uint32_t TableReader::number() {
  std::uint32_t value = 0;
  for (int shift = 0; shift < 28; shift += 7) {
    if (next_ == end_) return fail();
    const unsigned char byte = *next_++;
    value |= std::uint32_t{byte & 127u} << shift;
    if (byte < 128) return value;
  }
  return fail();
}

std::uint32_t TableReader::number_below(std::size_t bound) {
  const std::uint32_t value = number();
  return value < bound ? value : fail();
}

std::string_view TableReader::text(std::size_t size) {
  if (size > static_cast<std::size_t>(end_ - next_)) {
    fail();
    return {};
  }
  const char* first = reinterpret_cast<const char*>(next_);
  next_ += size;
  return {first, size};
}

std::string_view CatalogueReader::string() {
  const std::uint32_t number = in_.number_below(strings_.size());
  return in_.ok() ? strings_[number] : std::string_view();
}

std::vector<std::string_view> CatalogueReader::strings() {
  std::vector<std::string_view> result;
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) {
    if (i == 0) result.reserve(count < 64 ? count : 64);
    result.push_back(string());
  }
  return result;
}

const Type* CatalogueReader::type() {
  return out_->types_.data() + in_.number_below(out_->types_.size());
}

void CatalogueReader::read_strings() {
  std::vector<std::uint32_t> sizes;
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) sizes.push_back(in_.number());
  strings_.reserve(sizes.size());
  for (const std::uint32_t size : sizes) strings_.push_back(in_.text(size));
}

void CatalogueReader::read_shapes() {
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) shapes_.push_back(in_.number());
}

// An element comes before what holds it, so pointers can be set at once. The types are only
// places as yet: their number comes first.
void CatalogueReader::read_elements() {
  out_->types_.resize(in_.number());
  const std::uint32_t count = in_.number();
  if (!in_.ok()) return;
  std::vector<TypeRef>& elements = out_->elements_;
  elements.reserve(count);
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) {
    TypeRef element;
    element.type = static_cast<FieldType>(in_.number_below(kFieldTypeCount));
    if (has_ref(element.type)) element.ref = type();
    if (has_element(element.type)) {
      element.element = elements.data() + in_.number_below(elements.size());
    }
    element.enum_values = strings();
    elements.push_back(std::move(element));
  }
}

Field CatalogueReader::read_field() {
  Field field;
  field.name = string();
  const std::uint32_t element = in_.number_below(out_->elements_.size());
  const std::uint32_t shape_number = in_.number_below(shapes_.size());
  if (!in_.ok()) return field;
  field.type = out_->elements_[element];
  Shape shape(shapes_[shape_number]);
  field.pointer = shape.flag();
  field.inlined = shape.flag();
  field.type_meta = shape.flag();
  field.required = shape.flag();
  field.zero_default = shape.flag();
  field.omit = static_cast<Omit>(shape.take(2));
  field.emit = static_cast<Emit>(shape.take(3));
  field.proto_presence = static_cast<ProtoPresence>(shape.take(3));
  if (field.proto_presence != ProtoPresence::kNone) {
    field.proto_number = static_cast<std::uint16_t>(in_.number());
  }
  if (shape.flag()) field.default_json = string();
  if (shape.flag()) {
    field.list_type_declared = true;
    field.list_type = static_cast<ListType>(in_.number_below(3));
    field.list_map_keys = strings();
  }
  if (const std::uint32_t map = shape.take(2); map != 0) {
    field.map_type = map == 1 ? MapType::kGranular : MapType::kAtomic;
  }
  if (shape.flag()) {
    field.patch_strategy = string();
    field.patch_merge_key = string();
  }
  if (shape.flag()) field.go_type = string();
  if (shape.flag()) field.feature_gates = strings();
  if (shape.flag()) field.validation_json = string();
  field.immutable = shape.flag();
  field.set_once = shape.flag();
  field.proto_wrap = shape.flag();
  return field;
}

Type CatalogueReader::read_type() {
  Type type;
  type.name = string();
  type.go_name = type.name.substr(type.name.rfind('.') + 1);
  type.go_package = string();
  Shape flags(in_.number());
  type.atomic = flags.flag();
  type.in_openapi = !flags.flag();
  type.has_proto = !flags.flag();
  type.published = static_cast<PublishedKind>(flags.take(2));
  type.special = static_cast<FieldType>(in_.number_below(kFieldTypeCount));
  if (in_.number_below(2) == 1) {
    type.kind = type.go_name;
    type.group = string();
    type.version = string();
  }
  type.unions_json = string();
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) {
    if (i == 0) type.fields.reserve(count < 256 ? count : 256);
    type.fields.push_back(read_field());
  }
  return type;
}

void CatalogueReader::read_types() {
  for (Type& type : out_->types_) {
    if (!in_.ok()) return;
    type = read_type();
  }
}

void CatalogueReader::read_gates() {
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) {
    FeatureGate gate;
    gate.name = string();
    Shape flags(in_.number());
    gate.enabled_by_default = flags.flag();
    gate.locked = flags.flag();
    gate.stage = string();
    out_->feature_gates_.push_back(gate);
  }
}

void CatalogueReader::read_printed() {
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) {
    PrintedKind kind;
    kind.groups = strings();
    kind.kind = string();
    const std::uint32_t columns = in_.number();
    for (std::uint32_t j = 0; j < columns && in_.ok(); ++j) {
      Column column;
      column.name = string();
      column.type = string();
      column.format = string();
      column.description = string();
      column.priority = static_cast<int>(in_.number());
      kind.columns.push_back(column);
    }
    if (i == 0) {
      out_->default_table_ = std::move(kind);
    } else {
      out_->printed_.push_back(std::move(kind));
    }
  }
}

Resource CatalogueReader::read_resource(std::string_view group, std::string_view version) {
  Resource resource;
  resource.group = group;
  resource.version = version;
  resource.plural = string();
  resource.kind = string();
  resource.singular = string();
  resource.type = type();
  Shape flags(in_.number());
  resource.namespaced = flags.flag();
  resource.served_by_default = flags.flag();
  if (flags.flag()) {
    resource.list_type = type();
    resource.list_kind = resource.list_type->go_name;
    resource.selectable_fields = strings();
  }
  resource.short_names = strings();
  resource.categories = strings();
  resource.verbs = strings();
  resource.storage_version_hash = string();
  const std::uint32_t aliases = in_.number();
  for (std::uint32_t i = 0; i < aliases && in_.ok(); ++i) {
    const std::string_view label = string();
    resource.selectable_field_aliases.push_back({label, string()});
  }
  const std::uint32_t subresources = in_.number();
  for (std::uint32_t i = 0; i < subresources && in_.ok(); ++i) {
    Subresource sub;
    sub.name = string();
    sub.kind = string();
    const bool elsewhere = in_.number_below(2) == 1;
    sub.group = elsewhere ? string() : group;
    sub.version = elsewhere ? string() : version;
    sub.verbs = strings();
    resource.subresources.push_back(std::move(sub));
  }
  return resource;
}

ServedVersion CatalogueReader::read_version(const Group& group) {
  ServedVersion version;
  version.version = string();
  version.priority = static_cast<int>(in_.number());
  version.served_by_default = in_.number_below(2) == 1;
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) {
    out_->resources_.push_back(read_resource(group.name, version.version));
  }
  return version;
}

void CatalogueReader::read_groups() {
  out_->kubernetes_version_ = string();
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) {
    Group group;
    group.name = string();
    group.priority = static_cast<int>(in_.number());
    const std::uint32_t versions = in_.number();
    for (std::uint32_t j = 0; j < versions && in_.ok(); ++j) {
      group.versions.push_back(read_version(group));
    }
    out_->groups_.push_back(std::move(group));
  }
}

// Resources have their final addresses now: hang them into their versions.
void CatalogueReader::place_resources() {
  for (Resource& resource : out_->resources_) {
    for (Subresource& sub : resource.subresources) {
      sub.type = out_->find_kind(sub.group, sub.version, sub.kind);
    }
    for (Group& group : out_->groups_) {
      if (group.name != resource.group) continue;
      for (ServedVersion& version : group.versions) {
        if (version.version == resource.version) version.resources.push_back(&resource);
      }
    }
  }
}

void CatalogueReader::index_types() {
  for (Type& type : out_->types_) {
    type.flattened.reserve(type.fields.size());
    flatten(type, type.flattened);
    assert(type.flattened.size() <= kMostFields);
    type.by_name.resize(type.flattened.size());
    for (std::size_t i = 0; i < type.by_name.size(); ++i) {
      type.by_name[i] = static_cast<std::uint16_t>(i);
      if (type.flattened[i]->emit != Emit::kNothing) type.emitted |= std::uint64_t{1} << i;
    }
    std::sort(type.by_name.begin(), type.by_name.end(), [&type](std::uint16_t a, std::uint16_t b) {
      return type.flattened[a]->name < type.flattened[b]->name;
    });
    for (const Field& field : type.fields) {
      if (field.proto_number != 0) type.by_proto_number.push_back(&field);
    }
    std::sort(type.by_proto_number.begin(), type.by_proto_number.end(),
              [](const Field* a, const Field* b) { return a->proto_number < b->proto_number; });
    if (!type.kind.empty()) out_->kinds_.push_back(&type);
  }
  std::sort(out_->kinds_.begin(), out_->kinds_.end(),
            [](const Type* a, const Type* b) { return a->kind < b->kind; });
}

namespace {

bool holds_bytes_or_floats(const TypeRef& type) {
  const bool self = type.type == FieldType::kBytes || type.type == FieldType::kNumber;
  return self || (type.ref != nullptr && type.ref->holds_bytes_or_floats) ||
         (type.element != nullptr && holds_bytes_or_floats(*type.element));
}

}  // namespace

// Until nothing changes, since types hold one another.
void CatalogueReader::mark_bytes_and_floats() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Type& type : out_->types_) {
      if (type.holds_bytes_or_floats) continue;
      type.holds_bytes_or_floats =
          std::any_of(type.fields.begin(), type.fields.end(),
                      [](const Field& field) { return holds_bytes_or_floats(field.type); });
      changed = changed || type.holds_bytes_or_floats;
    }
  }
}

bool CatalogueReader::read(Catalogue& catalogue) {
  out_ = &catalogue;
  read_strings();
  read_shapes();
  read_elements();
  read_types();
  read_gates();
  read_printed();
  read_groups();
  if (!in_.ok() || !in_.at_end()) return false;
  index_types();
  mark_bytes_and_floats();
  place_resources();
  catalogue.object_meta_ = catalogue.find_type("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  catalogue.delete_options_ =
      catalogue.find_type("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions");
  return catalogue.object_meta_ != nullptr && catalogue.delete_options_ != nullptr;
}

Catalogue* CatalogueReader::read_built_in() {
  auto* catalogue = new Catalogue;
  CatalogueReader reader(kCatalogueData, kCatalogueDataSize);
  const bool good = reader.read(*catalogue);
  assert(good);
  static_cast<void>(good);
  return catalogue;
}

}  // namespace tabernetes::schema
