#include "rules/internal_form.h"

#include "base/text/parts.h"
#include "codec/go_field_name.h"
#include "codec/json_writer.h"
#include "schema/go_type.h"
#include "schema/schema.h"

namespace tabernetes::registry::validation {
namespace {

using json::Arena;
using json::Value;
using schema::FieldType;

// Types whose internal form has other fields or another order, with their JSON names in v1.
struct Order {
  std::string_view type, fields;
};
constexpr Order kOrders[] = {
    {"PodSpec",
     "volumes,initContainers,containers,ephemeralContainers,restartPolicy,"
     "terminationGracePeriodSeconds,activeDeadlineSeconds,dnsPolicy,nodeSelector,"
     "serviceAccountName,automountServiceAccountToken,nodeName,securityContext,imagePullSecrets,"
     "hostname,subdomain,setHostnameAsFQDN,affinity,schedulerName,tolerations,hostAliases,"
     "priorityClassName,priority,preemptionPolicy,dnsConfig,readinessGates,runtimeClassName,"
     "overhead,enableServiceLinks,topologySpreadConstraints,os,schedulingGates,resourceClaims,"
     "resources,hostnameOverride,schedulingGroup"},
    {"PodSecurityContext",
     "seLinuxOptions,windowsOptions,runAsUser,runAsGroup,runAsNonRoot,supplementalGroups,"
     "supplementalGroupsPolicy,fsGroup,fsGroupChangePolicy,sysctls,seccompProfile,appArmorProfile,"
     "seLinuxChangePolicy"},
    {"VolumeSource",
     "hostPath,emptyDir,gcePersistentDisk,awsElasticBlockStore,gitRepo,secret,nfs,iscsi,glusterfs,"
     "persistentVolumeClaim,rbd,quobyte,flexVolume,cinder,cephfs,flocker,downwardAPI,fc,azureFile,"
     "configMap,vsphereVolume,azureDisk,photonPersistentDisk,projected,portworxVolume,scaleIO,"
     "storageos,csi,ephemeral,image"},
    {"JSONSchemaProps",
     "id,$schema,$ref,description,type,nullable,format,title,default,maximum,exclusiveMaximum,"
     "minimum,exclusiveMinimum,maxLength,minLength,pattern,maxItems,minItems,uniqueItems,"
     "multipleOf,enum,maxProperties,minProperties,required,items,allOf,oneOf,anyOf,not,properties,"
     "additionalProperties,patternProperties,dependencies,additionalItems,definitions,"
     "externalDocs,example,x-kubernetes-preserve-unknown-fields,x-kubernetes-embedded-resource,"
     "x-kubernetes-int-or-string,x-kubernetes-list-map-keys,x-kubernetes-list-type,"
     "x-kubernetes-map-type,x-kubernetes-validations"},
    {"PersistentVolumeSource",
     "gcePersistentDisk,awsElasticBlockStore,hostPath,glusterfs,nfs,rbd,quobyte,iscsi,flexVolume,"
     "cinder,cephfs,fc,flocker,azureFile,vsphereVolume,azureDisk,photonPersistentDisk,"
     "portworxVolume,scaleIO,local,storageos,csi"},
};

class Former {
 public:
  explicit Former(Arena& arena) : arena_(arena) {}

  Value form(const Value* value, const schema::Type& type) {
    Value out = Value::object(arena_);
    add_fields(out, value, type);
    return out;
  }

 private:
  void add_fields(Value& out, const Value* value, const schema::Type& type) {
    for (const Order& order : kOrders) {
      if (order.type != type.go_name) continue;
      for (std::string_view rest = order.fields; !rest.empty();) {
        if (const schema::Field* field = type.find(take_part(rest, ',')))
          add_field(out, value, type, *field);
      }
      return;
    }
    for (const schema::Field& field : type.fields) add_field(out, value, type, field);
  }

  void add_field(Value& out, const Value* value, const schema::Type& type,
                 const schema::Field& field) {
    if (field.inlined) return add_fields(out, value, *field.type.ref);
    const Value* member = value == nullptr ? nullptr : value->find(field.name);
    if (member != nullptr && member->is_null()) member = nullptr;
    // Metadata is embedded in the enclosing struct, with JSON names.
    if (field.name == "metadata" && field.type.type == FieldType::kRef) {
      if (member == nullptr) return;
      for (const json::Member& each : member->members()) out.append(arena_, each.key, each.value);
      return;
    }
    const std::string_view name = arena_.copy(codec::go_field_name(type, field));
    if (type.go_name == "PodSpec" && field.name == "securityContext" && member != nullptr) {
      out.append(arena_, name, security_context(*value, *member, *field.type.ref));
    } else {
      out.append(arena_, name, formed(member, field.type, field.pointer));
    }
  }

  // The internal form has the host namespaces of a pod in its security context.
  Value security_context(const Value& spec, const Value& context, const schema::Type& type) {
    Value out = Value::object(arena_);
    for (const std::string_view name : {"hostNetwork", "hostPID", "hostIPC"}) {
      const Value* flag = spec.find(name);
      std::string go(name);
      go[0] = 'H';
      out.append(arena_, arena_.copy(go), flag != nullptr ? *flag : Value::boolean(false));
    }
    const Value* shared = spec.find("shareProcessNamespace");
    const Value* users = spec.find("hostUsers");
    out.append(arena_, "ShareProcessNamespace", shared != nullptr ? *shared : Value::null());
    out.append(arena_, "HostUsers", users != nullptr ? *users : Value::null());
    add_fields(out, &context, type);
    return out;
  }

  Value formed(const Value* value, const schema::TypeRef& type, bool pointer) {
    switch (type.type) {
      case FieldType::kRef:
        if (value == nullptr && pointer) return Value::null();
        // Types with JSON names keep them.
        if (type.ref->name.starts_with("io.k8s.apimachinery")) {
          return value == nullptr ? Value::null() : *value;
        }
        return form(value, *type.ref);
      case FieldType::kArray: {
        if (value == nullptr) return Value::null();
        Value out = Value::array(arena_);
        for (const Value& item : value->items()) {
          out.push_back(arena_, formed(&item, *type.element, false));
        }
        return out;
      }
      case FieldType::kMap: {
        if (value == nullptr) return Value::null();
        Value out = Value::object(arena_);
        for (const json::Member& member : value->members()) {
          out.append(arena_, member.key, formed(&member.value, *type.element, false));
        }
        out.sort_members();
        return out;
      }
      case FieldType::kSchemaOrBool:
      case FieldType::kSchemaOrArray:
      case FieldType::kSchemaOrStringArray:
        return value == nullptr ? Value::null() : schema_or(*value, type);
      default:
        if (value != nullptr) return *value;
        return pointer ? Value::null() : schema::go_zero_value(type.type);
    }
  }

  // Prints a schema, or one of its alternatives.
  Value schema_or(const Value& value, const schema::TypeRef& type) {
    Value out = Value::object(arena_);
    const Value schema = value.is_object() ? form(&value, *type.ref) : Value::null();
    if (type.type == FieldType::kSchemaOrBool) {
      out.append(arena_, "Allows", value.is_bool() ? value : Value::boolean(true));
      out.append(arena_, "Schema", schema);
      return out;
    }
    Value list = Value::null();
    if (value.is_array()) {
      list = Value::array(arena_);
      for (const Value& item : value.items()) {
        list.push_back(arena_, item.is_object() ? form(&item, *type.ref) : item);
      }
    }
    const bool texts = type.type == FieldType::kSchemaOrStringArray;
    out.append(arena_, "Schema", schema);
    out.append(arena_, texts ? "Property" : "JSONSchemas", list);
    return out;
  }

  Arena& arena_;
};

const schema::Type* type_of(std::string_view name) {
  const std::string whole = (name.starts_with("io.") ? "" : "io.k8s.api.") + std::string(name);
  return schema::Catalogue::built_in().find_type(whole);
}

void indent(const Value& value, std::size_t depth, std::string& out) {
  if (value.size() == 0) {
    codec::write_json(value, out);
    return;
  }
  const bool is_list = value.is_array();
  const auto new_line = [&](std::size_t spaces) { out.append("\n").append(spaces, ' '); };
  out.push_back(is_list ? '[' : '{');
  for (std::uint32_t i = 0; i < value.size(); ++i) {
    if (i > 0) out.push_back(',');
    new_line(depth + 1);
    if (!is_list) {
      codec::write_json_string(value.members()[i].key, out);
      out.append(": ");
    }
    indent(is_list ? value.items()[i] : value.members()[i].value, depth + 1, out);
  }
  new_line(depth);
  out.push_back(is_list ? ']' : '}');
}

}  // namespace

Value internal_form(const Value* value, std::string_view type, Arena& arena) {
  const schema::Type* found = type_of(type);
  return found == nullptr ? Value::null() : Former(arena).form(value, *found);
}

std::string print_internal(const Field& field, std::string_view type) {
  json::Arena arena;
  return codec::json_text(internal_form(field.value(), type, arena));
}

std::string print_internal_indented(const Value& value, std::string_view type) {
  json::Arena arena;
  std::string text;
  indent(internal_form(&value, type, arena), 0, text);
  return text;
}

}  // namespace tabernetes::registry::validation
