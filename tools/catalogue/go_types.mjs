// Go type names of fields, for the texts of decoding errors: `of type v1.PodPhase`. Reads type declarations of Go
// sources with regular expressions, which works on code formatted by gofmt.

import fs from 'node:fs';
import path from 'node:path';

// Returns the folder, below the sources, of the package of an OpenAPI name.
function sourceDirectory(pkg) {
  const direct = {
    'io.k8s.apimachinery.pkg.api.resource': 'apimachinery/pkg/api/resource',
    'io.k8s.apimachinery.pkg.runtime': 'apimachinery/pkg/runtime',
    'io.k8s.apimachinery.pkg.util.intstr': 'apimachinery/pkg/util/intstr',
    'io.k8s.apimachinery.pkg.version': 'apimachinery/pkg/version',
  };
  if (direct[pkg]) return direct[pkg];
  return pkg.replace(/^io\.k8s\./, '').replaceAll('.', '/');
}

const kBuiltIn = { boolean: 'bool', number: 'float64', bytes: '[]uint8' };
const kGoBuiltIn = new Set(['string', 'bool', 'int', 'int32', 'int64', 'float64', 'byte', 'uint8',
  'interface{}', 'any']);

export class GoTypes {
  constructor(directory) {
    this.directory = directory;
    this.packages = new Map();
  }

  load(pkg) {
    if (this.packages.has(pkg)) return this.packages.get(pkg);
    const structs = new Map();  // type name -> Map(json name -> Go type text, qualified)
    const aliases = new Map();
    const directory = path.join(this.directory, sourceDirectory(pkg));
    const packageName = pkg.split('.').at(-1);
    const bodies = [];
    for (const file of fs.readdirSync(directory).sort()) {
      if (!file.endsWith('.go') || /_test\.go$|generated|zz_/.test(file)) continue;
      const text = fs.readFileSync(path.join(directory, file), 'utf8');
      const imports = new Map();
      for (const m of text.matchAll(/^(?:import )?\s*(?:(\w+) )?"([\w./-]+)"$/gm)) {
        const last = m[2].split('/').at(-1);
        imports.set(m[1] ?? last, last);
      }
      for (const m of text.matchAll(/^type (\w+) = (\w+)$/gm)) aliases.set(m[1], m[2]);
      for (const m of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
        bodies.push({ name: m[1], body: m[2], imports });
      }
    }
    for (const { name, body, imports } of bodies) {
      const fields = new Map();
      for (const m of body.matchAll(/^\s+\w+\s+(\S+)\s+`[^`]*json:"([^",]*)[^`]*`/gm)) {
        if (m[2]) fields.set(m[2], this.qualify(m[1], packageName, imports, aliases));
      }
      structs.set(name, fields);
    }
    this.packages.set(pkg, structs);
    return structs;
  }

  // "ResourceList" -> "v1.ResourceList", "*metav1.Time" -> "v1.Time": as reflect prints it, without the outer pointer.
  qualify(text, packageName, imports, aliases) {
    const name = (word) => {
      const real = aliases.get(word) ?? word;
      if (real === 'byte') return 'uint8';
      if (real === 'interface{}' || real === 'any') return 'interface{}';
      if (kGoBuiltIn.has(real)) return real;
      const dot = real.indexOf('.');
      if (dot < 0) return `${packageName}.${real}`;
      return `${imports.get(real.slice(0, dot)) ?? real.slice(0, dot)}.${real.slice(dot + 1)}`;
    };
    return text.replace(/^\*/, '').replace(/interface\{\}|[\w.]*\w/g,
      (word) => (word === 'map' ? word : name(word)));
  }

  // Returns the name that core/schema/decode.cc derives from the schema's own types.
  plain(type, pkg) {
    switch (type.type) {
      case 'array':
        return `[]${this.plain(type.items, pkg)}`;
      case 'map':
        return `map[string]${this.plain(type.values, pkg)}`;
      case 'ref': {
        const parts = type.ref.split('.');
        return `${parts.at(-2)}.${parts.at(-1)}`;
      }
      case 'quantity':
        return 'resource.Quantity';
      case 'time':
        return 'v1.Time';
      case 'rawExtension':
        return 'runtime.RawExtension';
      default:
        return kBuiltIn[type.type] ?? type.type;
    }
  }

  // Returns the Go type of a field if it differs from plain(); otherwise undefined.
  differing(owner, field) {
    const dot = owner.lastIndexOf('.');
    const fields = this.load(owner.slice(0, dot)).get(owner.slice(dot + 1));
    const go = fields?.get(field.name);
    if (!go) {  // an embedded field without a name of its own, such as metadata
      if (field.name !== 'metadata') console.error(`no Go type for ${owner}.${field.name}`);
      return undefined;
    }
    // Types with a decoder of their own, whose errors do not name the type.
    const decodesItself = ['quantity', 'intOrString', 'time', 'microTime', 'duration', 'fieldsV1',
      'rawExtension', 'json', 'schemaOrBool', 'schemaOrArray', 'any'];
    if (decodesItself.includes(field.type)) return undefined;
    return go === this.plain(field) ? undefined : go;
  }
}
