#include "controllers/shared/go_dump.h"

#include <charconv>
#include <string_view>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/text/ascii.h"
#include "json/access.h"
#include "schema/go_type.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using schema::Field;
using schema::FieldType;

struct GoName {
  std::string_view json, go;
};
// Fields whose Go name is not the JSON name with a capital; some only in one type.
constexpr GoName kGoNames[] = {
    {"apiGroup", "APIGroup"},
    {"apiVersion", "APIVersion"},
    {"awsElasticBlockStore", "AWSElasticBlockStore"},
    {"AzureDiskVolumeSource.diskURI", "DataDiskURI"},
    {"cephfs", "CephFS"},
    {"chapAuthDiscovery", "DiscoveryCHAPAuth"},
    {"chapAuthSession", "SessionCHAPAuth"},
    {"csi", "CSI"},
    {"dnsConfig", "DNSConfig"},
    {"dnsPolicy", "DNSPolicy"},
    {"fc", "FC"},
    {"fsGroup", "FSGroup"},
    {"fsGroupChangePolicy", "FSGroupChangePolicy"},
    {"fsType", "FSType"},
    {"gcePersistentDisk", "GCEPersistentDisk"},
    {"GlusterfsVolumeSource.endpoints", "EndpointsName"},
    {"gmsaCredentialSpec", "GMSACredentialSpec"},
    {"gmsaCredentialSpecName", "GMSACredentialSpecName"},
    {"grpc", "GRPC"},
    {"httpGet", "HTTPGet"},
    {"httpHeaders", "HTTPHeaders"},
    {"ip", "IP"},
    {"iqn", "IQN"},
    {"iscsi", "ISCSI"},
    {"iscsiInterface", "ISCSIInterface"},
    {"metadata", "ObjectMeta"},
    {"nfs", "NFS"},
    {"os", "OS"},
    {"pdName", "PDName"},
    {"rbd", "RBD"},
    {"RBDVolumeSource.image", "RBDImage"},
    {"RBDVolumeSource.monitors", "CephMonitors"},
    {"RBDVolumeSource.pool", "RBDPool"},
    {"RBDVolumeSource.user", "RadosUser"},
    {"seLinuxChangePolicy", "SELinuxChangePolicy"},
    {"seLinuxOptions", "SELinuxOptions"},
    {"serviceAccount", "DeprecatedServiceAccount"},
    {"sslEnabled", "SSLEnabled"},
    {"storageos", "StorageOS"},
    {"tcpSocket", "TCPSocket"},
    {"tty", "TTY"},
    {"uid", "UID"},
    {"wwids", "WWIDs"},
};

std::string go_field_name(const schema::Type& type, const Field& field) {
  if (field.inlined) return std::string(field.type.ref->go_name);
  const std::string in_type = std::string(type.go_name) + "." + std::string(field.name);
  for (const GoName& name : kGoNames) {
    if (name.json == field.name || name.json == in_type) return std::string(name.go);
  }
  std::string name(field.name);
  if (is_lower(name[0])) name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

class GoDump {
 public:
  std::string text;

  void put_struct(const schema::Type& type, const Value* object) {
    text += '{';
    bool first = true;
    for (const Field& field : type.fields) {
      if (!first) text += ' ';
      first = false;
      text.append(go_field_name(type, field)).append(":");
      put_field(field, object);
    }
    text += '}';
  }

 private:
  void put_field(const Field& field, const Value* object) {
    const Value* value = field.inlined || object == nullptr ? object : object->find(field.name);
    if (value != nullptr && value->is_null()) value = nullptr;
    std::string name = go_type_of(field);
    if (name.starts_with("*")) name.erase(0, 1);
    text.append(field.pointer ? "(*" : "(").append(name).append(")");
    if (field.pointer && value == nullptr) {
      text += "<nil>";
    } else {
      put(field.type, name, value);
    }
  }

  static std::string go_type_of(const Field& field) {
    if (field.name == "uid") return "types.UID";
    return go_type_name(field.type, field.go_type);
  }

  void put(const schema::TypeRef& type, std::string_view go, const Value* value) {
    switch (type.type) {
      case FieldType::kRef:
        return put_struct(*type.ref, value);
      case FieldType::kArray:
        return put_list(type, go, value);
      case FieldType::kMap:
        return put_map(type, go, value);
      case FieldType::kTime:
        text += "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";
        return;
      case FieldType::kQuantity:
        return put_quantity(value == nullptr ? std::string_view() : text_of(*value));
      case FieldType::kIntOrString:
        return put_int_or_string(value);
      case FieldType::kBoolean:
        text += value != nullptr && value->is_bool() && value->as_bool() ? "true" : "false";
        return;
      case FieldType::kInt32:
      case FieldType::kInt64:
        text += value != nullptr ? scalar_text(value) : "0";
        return;
      default:
        text += scalar_text(value);
    }
  }

  void put_list(const schema::TypeRef& type, std::string_view go, const Value* value) {
    if (value == nullptr) {
      text += "<nil>";
      return;
    }
    text += '[';
    for (std::uint32_t i = 0; i < value->size(); ++i) {
      if (i > 0) text += ' ';
      put(*type.element, schema::go_element_name(go), &value->items()[i]);
    }
    text += ']';
  }

  void put_map(const schema::TypeRef& type, std::string_view go, const Value* value) {
    if (value == nullptr) {
      text += "<nil>";
      return;
    }
    std::vector<const json::Member*> members;
    for (const json::Member& member : value->members()) members.push_back(&member);
    sort_stable(members,
                [](const json::Member* a, const json::Member* b) { return a->key < b->key; });
    text += "map[";
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) text += ' ';
      text.append(members[i]->key).append(":");
      put(*type.element, schema::go_element_name(go), &members[i]->value);
    }
    text += ']';
  }

  void put_int_or_string(const Value* value) {
    const bool is_text = value != nullptr && value->is_string();
    text.append("{Type:(intstr.Type)").append(is_text ? "1" : "0");
    text.append(" IntVal:(int32)").append(value == nullptr || is_text ? "0" : scalar_text(value));
    text.append(" StrVal:(string)").append(is_text ? value->as_string() : std::string_view());
    text += '}';
  }

  // A quantity in its canonical form: a number with a suffix.
  void put_quantity(std::string_view quantity) {
    std::int64_t number = 0;
    const auto [end, error] =
        std::from_chars(quantity.data(), quantity.data() + quantity.size(), number);
    const std::string_view suffix =
        quantity.substr(static_cast<std::size_t>(end - quantity.data()));
    constexpr std::string_view kDecimal = "num kMGTPE";
    constexpr std::string_view kBinary = "KMGTPE";
    int scale = 0;
    std::string_view format = quantity.empty() ? "" : "DecimalSI";
    // Upstream keeps the text if it is surely the canonical one.
    bool keeps_text = number % 1000 != 0 || quantity == "0";
    if (suffix.size() == 2 && suffix[1] == 'i') {
      keeps_text = (number & 7) != 0;
      number <<= 10 * (kBinary.find(suffix[0]) + 1);
      format = "BinarySI";
    } else if (suffix.size() == 1) {
      scale = 3 * (static_cast<int>(kDecimal.find(suffix[0])) - 3);
    } else if (suffix.size() > 1) {
      std::from_chars(suffix.data() + 1, suffix.data() + suffix.size(), scale);
      format = "DecimalExponent";
    }
    text.append("{i:(resource.int64Amount){value:(int64)").append(std::to_string(number));
    text.append(" scale:(resource.Scale)").append(std::to_string(scale));
    text.append("} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)");
    text.append(keeps_text ? quantity : std::string_view());
    text.append(" Format:(resource.Format)").append(format).append("}");
  }
};

}  // namespace

std::string go_dump(const schema::Type& type, const Value& object) {
  GoDump dump;
  dump.text.append("(").append(schema::go_struct_name(type)).append(")");
  dump.put_struct(type, &object);
  return std::move(dump.text);
}

}  // namespace tabernetes::controllers
