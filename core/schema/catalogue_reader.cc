#include "schema/catalogue_reader.h"

#include <algorithm>
#include <cassert>

#include "base/algorithm/sort.h"
#include "schema/catalogue_data.h"

namespace tabernetes::schema {
namespace {

constexpr std::uint32_t kFieldTypeCount = 21;
constexpr std::size_t kMostGates = 256;

// Unpacks the flags of a field, lowest bits first, in the order of compile.mjs.
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

std::string_view TableReader::text_before_nul() {
  const unsigned char* nul = std::find(next_, end_, 0);
  const std::string_view result = text(static_cast<std::size_t>(nul - next_));
  if (nul == end_) {
    fail();
  } else {
    ++next_;
  }
  return result;
}

namespace {

std::vector<TableReader> streams_of(const unsigned char* data, std::size_t size,
                                    std::size_t count) {
  TableReader table(data, size);
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < count; ++i) sizes.push_back(table.number());
  std::vector<TableReader> streams;
  for (const std::uint32_t stream : sizes) {
    const std::string_view bytes = table.text(stream);
    streams.emplace_back(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  return streams;
}

}  // namespace

CatalogueReader::CatalogueReader(const unsigned char* data, std::size_t size)
    : streams_(streams_of(data, size, kFieldDetails + 1)), in_(streams_[kNumbers]) {}

std::string_view CatalogueReader::string(Stream stream) {
  TableReader& in = streams_[stream];
  const std::uint32_t code = in.number_below(strings_.size() + 1);
  const std::size_t number = code == 0 ? strings_read_++ : code - 1;
  return in.ok() && number < strings_.size() ? strings_[number] : std::string_view();
}

std::vector<std::string_view> CatalogueReader::strings(Stream stream) {
  std::vector<std::string_view> result;
  const std::uint32_t count = streams_[stream].number();
  for (std::uint32_t i = 0; i < count && streams_[stream].ok(); ++i) {
    if (i == 0) result.reserve(count < 64 ? count : 64);
    result.push_back(string(stream));
  }
  return result;
}

std::vector<std::uint8_t> CatalogueReader::gates(Stream stream) {
  TableReader& in = streams_[stream];
  std::vector<std::uint8_t> places;
  const std::uint32_t count = in.number_below(kMostGates);
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    places.push_back(static_cast<std::uint8_t>(in.number_below(kMostGates)));
  }
  return places;
}

const Type* CatalogueReader::type() {
  return out_->types_.data() + in_.number_below(out_->types_.size());
}

void CatalogueReader::read_strings() {
  TableReader& in = streams_[kStrings];
  strings_.emplace_back();
  while (in.ok() && !in.at_end()) strings_.push_back(in.text_before_nul());
}

void CatalogueReader::read_shapes() {
  const std::uint32_t count = in_.number();
  for (std::uint32_t i = 0; i < count && in_.ok(); ++i) shapes_.push_back(in_.number());
}

// Elements precede those that refer to them, so pointers can be set at once. The types are
// allocated first and filled later.
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

const TypeRef& CatalogueReader::field_type() {
  const std::vector<TypeRef>& all = out_->elements_;
  const std::uint32_t code = streams_[kFieldTypes].number_below(all.size() + 2);
  const std::size_t number =
      code < 2 ? std::min(field_types_read_ + code, all.size() - 1) : code - 2;
  field_types_read_ = std::max(field_types_read_, number + 1);
  return all[number];
}

std::uint16_t CatalogueReader::proto_number(std::uint16_t before) {
  const std::uint32_t code = streams_[kFieldProtoNumbers].number();
  const std::uint32_t ahead = code / 2;
  return static_cast<std::uint16_t>(before + 1u + (code % 2 == 0 ? ahead : ~ahead));
}

Field CatalogueReader::read_field(std::uint16_t proto_before) {
  TableReader& details = streams_[kFieldDetails];
  Field field;
  field.name = string(kFieldNames);
  field.type = field_type();
  Shape shape(shapes_[streams_[kFieldShapes].number_below(shapes_.size())]);
  field.pointer = shape.flag();
  field.inlined = shape.flag();
  field.type_meta = shape.flag();
  field.required = shape.flag();
  field.zero_default = shape.flag();
  field.omit = static_cast<Omit>(shape.take(2));
  field.emit = static_cast<Emit>(shape.take(3));
  field.proto_presence = static_cast<ProtoPresence>(shape.take(3));
  if (field.proto_presence != ProtoPresence::kNone) {
    field.proto_number = proto_number(proto_before);
  }
  if (shape.flag()) field.default_json = string(kFieldDetails);
  if (shape.flag()) {
    field.list_type_declared = true;
    field.list_type = static_cast<ListType>(details.number_below(3));
    field.list_map_keys = strings(kFieldDetails);
  }
  if (const std::uint32_t map = shape.take(2); map != 0) {
    field.map_type = map == 1 ? MapType::kGranular : MapType::kAtomic;
  }
  if (shape.flag()) {
    field.patch_strategy = string(kFieldDetails);
    field.patch_merge_key = string(kFieldDetails);
  }
  if (shape.flag()) field.go_type = string(kFieldDetails);
  if (shape.flag()) {
    field.feature_gates = gates(kFieldDetails);
    field.gated_member = string(kFieldDetails);
  }
  field.gated_alone = shape.flag();
  field.ungated = shape.flag();
  field.prune = shape.flag();
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
  const std::uint32_t count = streams_[kFieldCounts].number();
  std::uint16_t proto = 0;
  for (std::uint32_t i = 0; i < count && streams_[kFieldNames].ok(); ++i) {
    if (i == 0) type.fields.reserve(count < 256 ? count : 256);
    type.fields.push_back(read_field(proto));
    if (type.fields.back().proto_number != 0) proto = type.fields.back().proto_number;
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
    gate.stage = static_cast<GateStage>(flags.take(2));
    gate.needs = gates();
    out_->feature_gates_.push_back(std::move(gate));
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

// Adds resources to their versions; their addresses are final now.
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
    sort_stable(type.by_name, [&type](std::uint16_t a, std::uint16_t b) {
      return type.flattened[a]->name < type.flattened[b]->name;
    });
    for (const Field& field : type.fields) {
      if (field.proto_number != 0) type.by_proto_number.push_back(&field);
    }
    sort_stable(type.by_proto_number,
                [](const Field* a, const Field* b) { return a->proto_number < b->proto_number; });
    if (!type.kind.empty()) out_->kinds_.push_back(&type);
  }
  sort_stable(out_->kinds_, [](const Type* a, const Type* b) { return a->kind < b->kind; });
}

namespace {

bool holds_bytes_or_floats(const TypeRef& type) {
  const bool self = type.type == FieldType::kBytes || type.type == FieldType::kNumber;
  return self || (type.ref != nullptr && type.ref->holds_bytes_or_floats) ||
         (type.element != nullptr && holds_bytes_or_floats(*type.element));
}

}  // namespace

// Repeats until nothing changes, since types may contain one another.
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
  const auto read_whole = [](const TableReader& in) { return in.ok() && in.at_end(); };
  if (!std::all_of(streams_.begin(), streams_.end(), read_whole)) return false;
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
