// Compiles core/schema/catalogue/ into one C++ file with a compact table.
//
//   node tools/catalogue/compile.mjs <catalogue directory> <output.cc> [--depfile=FILE]
//
// CMake runs it; core/schema/catalogue_reader.cc reads the output. The table is a list of streams of varints (LEB128),
// each with its size before it: similar numbers are adjacent and compress well.
//
//   strings   all texts, each followed by a NUL, in the order of their first use
//   numbers   everything without a stream of its own: shapes type-count typerefs types gates printed groups
//   the rest  the fields of types: counts, names, typerefs, shapes, protobuf numbers, details
//
//   STRING    0: the next new one; otherwise its number + 1, where "" has number 0
//   shapes    = count {flags}                     flags of a field that occur together, kFlag
//   typerefs  = count {kind [type | typeref] enums}   type number + 1; an element comes first
//   enums     = count {STRING}
//   types     = {name go_package flags special group version unions}
//   a field   = name typeref shape [proto] [default] [list keys] [map] [strategy key] [go] [gates member]
//               what is there is said by the shape
//     typeref = 0: the next new one, 1: the one behind that, else its number + 2
//     proto   = how far from the one after that of the field before: 0, 1 (-1), 2 (+1), 3 (-2) ...
//   gates     = count {name flags needs}        gates elsewhere are numbers of these
//   printed   = count {groups kind columns}       the first is the default table
//   groups    = count {name priority versions}; versions and resources are nested likewise

import fs from 'node:fs';
import path from 'node:path';
import { kFieldTypes, readCatalogue } from './read.mjs';

const [directory, output, ...rest] = process.argv.slice(2);
if (!output) {
  console.error('usage: compile.mjs <catalogue directory> <output.cc> [--depfile=FILE]');
  process.exit(2);
}
const depfile = rest.find((a) => a.startsWith('--depfile='))?.slice('--depfile='.length);

const { kubernetesVersion, gates, types, groups, printed, readFiles } = readCatalogue(directory);

// --- derived facts -----------------------------------------------------------------------------

// Numbers of enum Emit: what is written when the field is unset.
const kEmit = { nothing: 0, null: 1, emptyString: 2, zero: 3, false: 4, emptyObject: 5 };

function emit(field) {
  if (field.inline || field.typeMeta) return kEmit.nothing;
  if (field.pointer) return field.omit ? kEmit.nothing : kEmit.null;
  switch (field.type.type) {
    // Structs, which Go's omitempty never omits.
    case 'ref': return kEmit.emptyObject;
    case 'intOrString': case 'quantity': return kEmit.zero;
    case 'time': case 'microTime': case 'rawExtension':
      return field.omit === 'zero' ? kEmit.nothing : kEmit.null;
    default:
  }
  if (field.omit) return kEmit.nothing;
  switch (field.type.type) {
    case 'string': return kEmit.emptyString;
    case 'int32': case 'int64': case 'number': return kEmit.zero;
    case 'boolean': return kEmit.false;
    default: return kEmit.null;
  }
}

// Numbers of enum ProtoPresence.
function presence(field) {
  if (!field.proto) return 0;
  if (field.type.type === 'bytes') return 3;
  if (field.type.type === 'array') return field.wrapped ? 3 : 4;
  if (field.type.type === 'map') return 5;
  return field.pointer ? 2 : 1;
}

// --- writing the table -------------------------------------------------------------------------

class Bytes {
  constructor() { this.bytes = []; }
  number(n) {
    if (!Number.isInteger(n) || n < 0) throw new Error(`not a count: ${n}`);
    for (; n > 127; n = Math.floor(n / 128)) this.bytes.push((n % 128) + 128);
    this.bytes.push(n);
  }
  text(text) {
    const number = strings.of(text);
    this.number(number === stringsWritten ? 0 : number + 1);
    if (number === stringsWritten) ++stringsWritten;
  }
  list(items, write) {
    this.number(items.length);
    for (const item of items) write(item);
  }
  texts(items) { this.list(items, (item) => this.text(item)); }
}

// Numbers distinct values in the order of their first use.
class Interned {
  constructor() { this.numbers = new Map(); this.items = []; }
  of(item) {
    const key = typeof item === 'string' ? item : JSON.stringify(item);
    if (!this.numbers.has(key)) {
      this.numbers.set(key, this.items.length);
      this.items.push(item);
    }
    return this.numbers.get(key);
  }
}

// In the order of enum Stream in catalogue_reader.h.
const kStreams = ['strings', 'numbers', 'fieldCounts', 'fieldNames', 'fieldTypes', 'fieldShapes', 'fieldProtoNumbers',
  'fieldDetails'];
const streams = Object.fromEntries(kStreams.map((name) => [name, new Bytes()]));

const strings = new Interned();
strings.of('');
let stringsWritten = 1;
const shapes = new Interned();
const typeRefs = new Interned();

// In the order of the bits in catalogue_reader.cc.
function shape(field) {
  let flags = 0;
  let bit = 1;
  const say = (value, width = 1) => {
    flags += Number(value ?? 0) * bit;
    bit *= 2 ** width;
  };
  say(Boolean(field.pointer));
  say(Boolean(field.inline));
  say(Boolean(field.typeMeta));
  say(Boolean(field.required));
  say(Boolean(field.zero));
  say({ empty: 1, zero: 2 }[field.omit] ?? 0, 2);
  say(emit(field), 3);
  say(presence(field), 3);
  say(field.default !== undefined);
  say(Boolean(field.list));
  say({ granular: 1, atomic: 2 }[field.map] ?? 0, 2);
  say(Boolean(field.patch));
  say(Boolean(field.go));
  say(Boolean(field.gates));
  say(Boolean(field.alone));
  say(Boolean(field.ungated));
  say(Boolean(field.prune));
  say(Boolean(field.wrapped));
  return flags;
}

// Numbers of enum PublishedKind.
const kPublished = { own: 1, all: 2 };

const typeNumbers = new Map(types.map((type, i) => [type.short, i]));
let where = '';

function typeNumber(short) {
  const number = typeNumbers.get(short);
  if (number === undefined) throw new Error(`${where}: no type ${short}`);
  return number;
}

function typeRef(type) {
  const entry = { kind: kFieldTypes.indexOf(type.type), target: 0,
    enum: type.enum ?? [] };
  if (type.element) entry.target = typeRef(type.element);
  if (type.ref) entry.target = typeNumber(type.ref);
  return typeRefs.of(entry);
}

const hasTarget = (kind) => [6, 7, 8, 18, 19, 20].includes(kind);

let typeRefsWritten = 0;

function writeTypeRef(type) {
  const number = typeRef(type);
  const ahead = number - typeRefsWritten;
  streams.fieldTypes.number(ahead === 0 || ahead === 1 ? ahead : number + 2);
  typeRefsWritten = Math.max(typeRefsWritten, number + 1);
}

// Returns the field's protobuf number.
function writeField(field, protoBefore) {
  const details = streams.fieldDetails;
  streams.fieldNames.text(field.name);
  writeTypeRef(field.type);
  streams.fieldShapes.number(shapes.of(shape(field)));
  if (field.proto) {
    const ahead = field.proto - protoBefore - 1;
    streams.fieldProtoNumbers.number(ahead < 0 ? -2 * ahead - 1 : 2 * ahead);
  }
  if (field.default !== undefined) details.text(field.default);
  if (field.list) {
    details.number(['atomic', 'set', 'map'].indexOf(field.list.type));
    details.texts(field.list.keys);
  }
  if (field.patch) {
    details.text(field.patch.strategy);
    details.text(field.patch.key);
  }
  if (field.go) details.text(field.go);
  if (field.gates) {
    details.list(field.gates.numbers, (number) => details.number(number));
    details.text(field.gates.member);
  }
  return field.proto ?? protoBefore;
}

function writeType(out, type) {
  const text = (t) => out.text(t ?? '');
  text(type.name);
  text(type.goPackage);
  out.number(Number(Boolean(type.atomic)) + 2 * Number(Boolean(type.noOpenapi)) +
             4 * Number(Boolean(type.noProto)) + 8 * (kPublished[type.published] ?? 0));
  out.number(type.special ? kFieldTypes.indexOf(type.special) : kFieldTypes.indexOf('ref'));
  out.number(type.kind ? 1 : 0);
  if (type.kind) {
    text(type.group);
    text(type.version);
  }
  text(type.unions);
  streams.fieldCounts.number(type.fields.length);
  let proto = 0;
  for (const field of type.fields) proto = writeField(field, proto);
}

function writeResource(out, resource, home) {
  const text = (t) => out.text(t);
  const texts = (list) => out.texts(list);
  text(resource.plural);
  text(resource.kind);
  text(resource.singular);
  out.number(typeNumber(resource.type));
  const listed = typeNumbers.has(`${resource.type}List`);
  out.number(Number(resource.namespaced) + 2 * Number(resource.served) + 4 * Number(listed));
  if (listed) {
    out.number(typeNumber(`${resource.type}List`));
    texts(resource.selectable);
  }
  texts(resource.short);
  texts(resource.categories);
  texts(resource.verbs);
  text(resource.hash);
  out.list(resource.aliases, (pair) => pair.forEach(text));
  out.list(resource.subresources, (sub) => {
    text(sub.name);
    text(sub.kind);
    out.number(sub.group === home.group && sub.version === home.version ? 0 : 1);
    if (sub.group !== home.group || sub.version !== home.version) {
      text(sub.group);
      text(sub.version);
    }
    texts(sub.verbs);
  });
}

function writeGroups(out, groups) {
  out.list(groups, (group) => {
    out.text(group.name);
    out.number(group.priority);
    out.list(group.versions, (version) => {
      out.text(version.version);
      out.number(version.priority);
      out.number(Number(version.served));
      const sorted = [...version.resources].sort((a, b) => (a.plural < b.plural ? -1 : 1));
      out.list(sorted, (r) => {
        writeResource(out, r, { group: group.name, version: version.version });
      });
    });
  });
}

function writeHead(out) {
  out.list(shapes.items, (flags) => out.number(flags));
  out.number(types.length);
  out.list(typeRefs.items, (entry) => {
    out.number(entry.kind);
    if (hasTarget(entry.kind)) out.number(entry.target);
    out.texts(entry.enum);
  });
}

function compile() {
  for (const type of types) {
    where = type.name;
    for (const field of type.fields) {
      typeRef(field.type);
      shapes.of(shape(field));
    }
  }
  const out = streams.numbers;
  writeHead(out);
  for (const type of types) writeType(out, type);
  out.list(gates, (gate) => {
    out.text(gate.name);
    out.number(Number(gate.on) + 2 * Number(gate.locked) + 4 * gate.stage);
    out.list(gate.needs, (number) => out.number(number));
  });
  out.list(printed, (kind) => {
    out.texts(kind.groups);
    out.text(kind.kind);
    out.list(kind.columns, (column) => {
      for (const key of ['name', 'type', 'format', 'description']) out.text(column[key]);
      out.number(column.priority);
    });
  });
  out.text(kubernetesVersion);
  writeGroups(out, groups);

  streams.strings.bytes.push(...Buffer.from(strings.items.slice(1).map((text) => `${text}\0`).join(''), 'utf8'));
  const sizes = new Bytes();
  for (const name of kStreams) sizes.number(streams[name].bytes.length);
  return [sizes.bytes, ...kStreams.map((name) => streams[name].bytes)].flat();
}

function writeCpp(bytes) {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(`  ${bytes.slice(i, i + 32).join(',')},`);
  const text = `// Made by tools/catalogue/compile.mjs from core/schema/catalogue/.
#include "schema/catalogue_data.h"

namespace tabernetes::schema {

const std::size_t kCatalogueDataSize = ${bytes.length};
const unsigned char kCatalogueData[] = {
${lines.join('\n')}
};

}  // namespace tabernetes::schema
`;
  fs.mkdirSync(path.dirname(output), { recursive: true });
  fs.writeFileSync(output, text);
  // Includes the folders, whose times change when a file is added or removed.
  const read = [...readFiles, directory, path.join(directory, 'types')];
  if (depfile) fs.writeFileSync(depfile, `${output}: ${read.join(' ')}\n`);
}

writeCpp(compile());
