// Reads the texts of core/schema/catalogue/, whose README.md describes them.

import fs from 'node:fs';
import path from 'node:path';

let directory = '';
let where = '';
function fail(message) {
  throw new Error(`${where}: ${message}`);
}

let readFiles = [];
function* readLines(name) {
  const file = path.join(directory, name);
  readFiles.push(file);
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (const [i, line] of lines.entries()) {
    where = `${name}:${i + 1}`;
    if (line.trim() && !line.startsWith('#')) yield line;
  }
}

// Splits a line at spaces, except those inside a JSON string.
function words(line) {
  return line.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g) ?? [];
}

// "default=86400" -> ["default", "86400"], "omitempty" -> ["omitempty", ""]
function splitWord(word) {
  const equals = word.indexOf('=');
  return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)];
}

const plain = (text) => (text === '""' ? '' : text);

// --- types -------------------------------------------------------------------------------------

// In the order of enum FieldType.
export const kFieldTypes = ['string', 'boolean', 'int32', 'int64', 'number', 'bytes', 'array', 'map',
  'ref', 'any', 'quantity', 'intOrString', 'time', 'microTime', 'duration', 'rawExtension',
  'fieldsV1', 'json', 'schemaOrBool', 'schemaOrArray', 'schemaOrStringArray'];

let packages = new Map();  // short name -> full name
let gates = [];
let gateNumbers = new Map();

function gateNumber(name) {
  const number = gateNumbers.get(name);
  if (number === undefined) fail(`no feature gate ${name}`);
  return number;
}

let types = [];              // in the order of their full names, once all are read

function parseType(text, pkg) {
  if (text.startsWith('[]')) return { type: 'array', element: parseType(text.slice(2), pkg) };
  if (text.startsWith('map[string]')) {
    return { type: 'map', element: parseType(text.slice('map[string]'.length), pkg) };
  }
  if (kFieldTypes.includes(text) && text !== 'ref') {
    // The schema unions of JSONSchemaProps refer to it.
    return text.startsWith('schemaOr') ? { type: text, ref: `${pkg}.JSONSchemaProps` }
                                       : { type: text };
  }
  const dot = text.lastIndexOf('.');
  return { type: 'ref', ref: dot < 0 ? `${pkg}.${text}` : text };
}

function innermost(type) {
  return type.element ? innermost(type.element) : type;
}

function parseField(line, pkg) {
  const [name, typeText, ...flags] = words(line);
  const field = { name: name === '(inline)' ? '' : name, inline: name === '(inline)' };
  field.pointer = typeText.startsWith('*');
  field.type = parseType(field.pointer ? typeText.slice(1) : typeText, pkg);
  for (const word of flags) {
    const [key, value] = splitWord(word);
    switch (key) {
      case '': field.proto = Number(value); break;
      case 'required': field.required = true; break;
      case 'zero': field.zero = true; break;
      case 'default': JSON.parse(value); field.default = value; break;
      case 'omitempty': field.omit = 'empty'; break;
      case 'omitzero': field.omit = 'zero'; break;
      case 'list': {
        const [type, keys] = value.split(':');
        field.list = { type, keys: keys ? keys.split(',') : [] };
        break;
      }
      case 'map': field.map = value; break;
      case 'patch': {
        const [strategy, mergeKey] = value.split(':');
        field.patch = { strategy, key: mergeKey ?? '' };
        break;
      }
      case 'enum':
        innermost(field.type).enum = value.startsWith('[') ? JSON.parse(value) : value.split('|');
        break;
      case 'gate': {
        const [gates, member] = value.split(':');
        field.gates = { numbers: gates.split(',').map(gateNumber), member: member ?? '' };
        break;
      }
      case 'alone': field.alone = true; break;
      case 'ungated': field.ungated = true; break;
      case 'prune': field.prune = true; break;
      case 'wrapped': field.wrapped = true; break;
      case 'protoname': break;  // for readers of the text; nothing on the wire
      case 'go': field.go = value; break;
      default: fail(`unknown word ${word}`);
    }
  }
  return field;
}

function parseTypeHeading(line, pkg, groupVersion) {
  const [, name, ...flags] = words(line);
  const type = { name: `${packages.get(pkg)}.${name}`, short: `${pkg}.${name}`, fields: [],
    goName: name, goPackage: pkg.split('.').at(-1) };
  for (const word of flags) {
    const [key, value] = splitWord(word);
    switch (key) {
      case 'kind':
        type.published = value === 'all' ? 'all' : 'own';
        type.typed ||= value !== 'all';
        break;
      case 'typed':
        type.typed = true;
        if (value) groupVersion = value;
        break;
      case 'special': type.special = value; break;
      case 'atomic': type.atomic = true; break;
      case 'no-openapi': type.noOpenapi = true; break;
      case 'no-proto': type.noProto = true; break;
      case 'unions': JSON.parse(value); type.unions = value; break;
      default: fail(`unknown word ${word}`);
    }
  }
  if (type.typed || type.published) {
    const slash = groupVersion.indexOf('/');
    type.group = slash < 0 ? '' : groupVersion.slice(0, slash);
    type.version = groupVersion.slice(slash + 1);
    type.kind = name;
  }
  if (type.typed) {
    for (const member of ['kind', 'apiVersion']) {
      type.fields.push({ name: member, type: { type: 'string' }, typeMeta: true });
    }
  }
  return type;
}

function readTypes() {
  for (const file of fs.readdirSync(path.join(directory, 'types')).sort()) {
    if (!file.endsWith('.txt')) continue;
    let pkg = '';
    let groupVersion = '';
    for (const line of readLines(`types/${file}`)) {
      if (line.startsWith('package ')) {
        const [, short, full] = words(line);
        pkg = short;
        packages.set(short, full);
      } else if (line.startsWith('group-version ')) {
        groupVersion = words(line)[1];
      } else if (line.startsWith('type ')) {
        types.push(parseTypeHeading(line, pkg, groupVersion));
      } else {
        types.at(-1).fields.push(parseField(line, pkg));
      }
    }
  }
  types.sort((a, b) => (a.name < b.name ? -1 : 1));
}

// --- groups, resources, columns, gates ---------------------------------------------------------

const kUsualVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update',
  'watch'];

function parseGroupVersion(text) {
  const slash = text.indexOf('/');
  return { group: slash < 0 ? '' : text.slice(0, slash), version: text.slice(slash + 1) };
}

function parseResource(line) {
  const [, plural, kind, ...flags] = words(line);
  const resource = { plural, kind, singular: kind.toLowerCase(), short: [], categories: [],
    hash: '', verbs: kUsualVerbs, selectable: ['metadata.name', 'metadata.namespace'],
    aliases: [], subresources: [], served: true };
  for (const word of flags) {
    const [key, value] = splitWord(word);
    switch (key) {
      case 'package': resource.type = `${value}.${kind}`; break;
      case 'namespaced': resource.namespaced = true; break;
      case 'cluster': resource.namespaced = false; break;
      case 'singular': resource.singular = value; break;
      case 'short': resource.short = value.split(','); break;
      case 'categories': resource.categories = value.split(','); break;
      case 'hash': resource.hash = value; break;
      case 'off': resource.served = false; break;
      default: fail(`unknown word ${word}`);
    }
  }
  return resource;
}

function parseSubresource(line, home) {
  const [name, kind, ...flags] = words(line);
  let groupVersion = home;
  if (flags[0].startsWith('of=')) groupVersion = parseGroupVersion(flags.shift().slice(3));
  return { name: name.slice(1), kind, ...groupVersion, verbs: flags[0].split(',') };
}

let kubernetesVersion = '';

function readGroups() {
  const groups = [];
  for (const line of readLines('resources.txt')) {
    const list = words(line);
    const option = (name) => list.find((w) => w.startsWith(`${name}=`))?.slice(name.length + 1);
    const group = groups.at(-1);
    const version = group?.versions.at(-1);
    const resource = version?.resources.at(-1);
    switch (list[0]) {
      case 'kubernetes':
        kubernetesVersion = list[1];
        break;
      case 'group':
        groups.push({ name: plain(list[1]), priority: Number(option('priority') ?? 0),
          versions: [] });
        break;
      case 'version':
        group.versions.push({ version: list[1], priority: Number(option('priority') ?? 0),
          served: !list.includes('off'), resources: [] });
        break;
      case 'resource': version.resources.push(parseResource(line)); break;
      case 'verbs': resource.verbs = list.slice(1); break;
      case 'selectable': resource.selectable = list.slice(1); break;
      case 'alias': resource.aliases.push(list.slice(1)); break;
      default:
        if (!list[0].startsWith('/')) fail(`unknown line ${line}`);
        resource.subresources.push(
            parseSubresource(line, { group: group.name, version: version.version }));
    }
  }
  return groups;
}

function readPrinted() {
  const printed = [];
  const texts = new Map();
  const unescape = (text) => text.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c));
  for (const line of readLines('columns.txt')) {
    if (line.startsWith('text ')) {
      const [, name, text] = /^text (\S+) ?(.*)$/.exec(line);
      texts.set(name, unescape(text));
    } else if (!line.startsWith(' ')) {
      const [heading, kind, ...groups] = words(line);
      if (heading !== 'kind' && heading !== 'default') fail(`unknown line ${line}`);
      printed.push({ kind: kind ?? '', groups: groups.map(plain), columns: [] });
    } else {
      const parts = line.trim().split(/ ?\| ?/);
      const [name, type, format, priority] = parts;
      const said = parts.slice(4).join(' | ');
      printed.at(-1).columns.push({ name, type, format: format === '-' ? '' : format,
        priority: Number(priority), description: texts.get(said) ?? unescape(said) });
    }
  }
  return printed;
}

// Numbers are those of enum GateStage.
const kStages = ['Alpha', 'Beta', 'GA', 'Deprecated'];

function readGates() {
  const lines = [...readLines('feature-gates.txt')].map(words);
  lines.forEach(([name], i) => {
    if (i > 0 && name <= lines[i - 1][0]) fail(`${name} is out of order`);
    gateNumbers.set(name, i);
  });
  for (const [name, state, stage, ...more] of lines) {
    const gate = { name, on: state === 'on', stage: kStages.indexOf(stage), locked: false, needs: [] };
    if (gate.stage < 0 || !['on', 'off'].includes(state)) fail(`${name}: on or off, and a stage`);
    for (const word of more) {
      const [key, value] = splitWord(word);
      if (key === 'locked') gate.locked = true;
      else if (key === 'needs') gate.needs = value.split(',').map(gateNumber);
      else fail(`unknown word ${word}`);
    }
    gates.push(gate);
  }
}

// -----------------------------------------------------------------------------------------------

/**
 * Returns what the catalogue in a folder says: { kubernetesVersion, gates, types, groups, printed, readFiles }. `types`
 * are in the order of their full names; `readFiles` are the files that it has read.
 */
export function readCatalogue(folder) {
  [directory, readFiles, packages, gates, gateNumbers, types] = [folder, [], new Map(), [], new Map(), []];
  readGates();
  readTypes();
  const groups = readGroups();
  const printed = readPrinted();
  return { kubernetesVersion, gates, types, groups, printed, readFiles };
}
