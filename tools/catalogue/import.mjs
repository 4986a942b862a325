// Writes core/schema/catalogue/*.txt from a machine-made dump of the Kubernetes API facts.
//
//   node tools/catalogue/import.mjs <kube-schema.json> <table-columns.json> [options]
//     --server=FILE      what a kube-apiserver of that version says of itself: its feature gates
//     --recordings=DIR   JSON files with recorded Table answers: the descriptions of columns
//     --go-sources=DIR   a directory that holds api/, apimachinery/, apiextensions-apiserver/ and
//                        kube-aggregator/ of the same version: Go type names for error texts
//     --all-versions     also the resources and types that a default server does not serve
//     --out=DIR          default: core/schema/catalogue
//
// Run once per Kubernetes version; from then on the texts are our own, and compile.mjs reads them.
// core/schema/catalogue/README.md describes the format, CONTRIBUTING.md the way to a new version.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { GoTypes } from './go_types.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const options = {};
const inputs = [];
for (const argument of process.argv.slice(2)) {
  const match = /^--([a-z-]+)(?:=(.*))?$/.exec(argument);
  if (match) options[match[1]] = match[2] ?? true;
  else inputs.push(argument);
}
if (inputs.length !== 2) {
  console.error('usage: import.mjs <kube-schema.json> <table-columns.json> [options]');
  process.exit(2);
}
const schema = JSON.parse(fs.readFileSync(inputs[0], 'utf8'));
const tables = JSON.parse(fs.readFileSync(inputs[1], 'utf8'));
const out = options.out ?? path.join(here, '../../core/schema/catalogue');
const goTypes = options['go-sources'] ? new GoTypes(options['go-sources']) : null;
const wanted = (entry) => options['all-versions'] || entry.servedByDefault !== false;

// --- packages ----------------------------------------------------------------------------------

// "io.k8s.api.core.v1.Pod" -> package "io.k8s.api.core.v1", name "Pod"
function splitType(name) {
  const dot = name.lastIndexOf('.');
  return { pkg: name.slice(0, dot), name: name.slice(dot + 1) };
}

// Returns the short name of a package: its last two parts if the last is a version, else the last.
function shortPackage(pkg) {
  const parts = pkg.split('.');
  const last = parts.at(-1);
  return /^v\d/.test(last) ? `${parts.at(-2)}.${last}` : last;
}

function refText(ref, fromPackage) {
  const { pkg, name } = splitType(ref);
  return pkg === fromPackage ? name : `${shortPackage(pkg)}.${name}`;
}

// --- fields ------------------------------------------------------------------------------------

function typeText(type, pkg) {
  switch (type.type) {
    case 'array':
      return `[]${typeText(type.items, pkg)}`;
    case 'map':
      return `map[string]${typeText(type.values, pkg)}`;
    case 'ref':
      return refText(type.ref, pkg);
    default:
      return type.type;
  }
}

// Returns the innermost element type, which carries enums and protobuf wrapping.
function innermost(type) {
  if (type.type === 'array') return innermost(type.items);
  if (type.type === 'map') return innermost(type.values);
  return type;
}

function isWrapped(type) {
  return Boolean(type.protoWrap || type.values?.protoWrap || type.items?.protoWrap);
}

const kPlainWord = /^[A-Za-z0-9*./:+-]+$/;

function enumText(values) {
  return values.every((v) => kPlainWord.test(v)) ? values.join('|') : JSON.stringify(values);
}

// Repeats a derivation of compile.mjs, to check that the texts can omit the fact.
function derivedEmit(field) {
  if (field.inline || field.typeMeta || (field.ptr && field.omit)) return undefined;
  if (field.ptr) return null;
  switch (field.type) {
    case 'ref':
      return {};
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'time':
    case 'microTime':
    case 'rawExtension':
      return field.omit === 'zero' ? undefined : null;
    default:
  }
  if (field.omit) return undefined;
  switch (field.type) {
    case 'string':
      return '';
    case 'int32':
    case 'int64':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

const kScalarProto = { string: 'string', boolean: 'bool', int32: 'int32', int64: 'int64',
  number: 'double', bytes: 'bytes' };

function derivedProto(field) {
  const scalar = (type) => kScalarProto[type] ?? 'message';
  if (isWrapped(field) && field.type === 'array') return { type: 'message', presence: 'nonnil' };
  if (field.type === 'array') return { type: scalar(field.items.type), presence: 'repeated' };
  if (field.type === 'map') {
    return { type: `map<string,${scalar(field.values.type)}>`, presence: 'map' };
  }
  if (field.type === 'bytes') return { type: 'bytes', presence: 'nonnil' };
  return { type: scalar(field.type), presence: field.ptr ? 'pointer' : 'always' };
}

function checkDerived(owner, field) {
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const emit = derivedEmit(field);
  if (!same(emit, field.emit)) {
    throw new Error(`${owner}.${field.name}: emit ${JSON.stringify(field.emit)}, the rule gives ` +
                    JSON.stringify(emit));
  }
  if (!field.proto) return;
  const { type, presence } = field.proto;
  const derived = derivedProto(field);
  if (!same(derived, { type, presence })) {
    throw new Error(`${owner}.${field.name}: protobuf ${type}/${presence}, the rule gives ` +
                    JSON.stringify(derived));
  }
}

const kKnownFieldKeys = new Set(['name', 'type', 'proto', 'omit', 'emit', 'ref', 'ptr', 'required',
  'items', 'zeroDefault', 'typeMeta', 'list', 'featureGate', 'enum', 'smp', 'values', 'validation',
  'default', 'immutable', 'inline', 'map', 'update', 'struct', 'protoWrap']);

// What the strategies of the kinds guard otherwise than the markers of the Go types say.
const kGuards = {
  'core.v1.Container.lifecycle': 'prune',
  'core.v1.ContainerStatus.stopSignal': '',
  'core.v1.EphemeralContainerCommon.lifecycle': 'prune',
  'core.v1.EphemeralVolumeSource.volumeClaimTemplate': 'ungated',
  'core.v1.Lifecycle.stopSignal': 'gate=ContainerStopSignals',
  'coordination.v1.LeaseSpec.preferredHolder': 'gate=CoordinatedLeaderElection alone',
  'coordination.v1.LeaseSpec.strategy': 'gate=CoordinatedLeaderElection alone',
  'core.v1.PersistentVolumeClaimSpec.dataSourceRef': 'gate=CrossNamespaceVolumeDataSource:namespace',
  'core.v1.PersistentVolumeClaimSpec.volumeAttributesClassName': 'gate=VolumeAttributesClass alone',
  'core.v1.PersistentVolumeClaimStatus.currentVolumeAttributesClassName': 'gate=VolumeAttributesClass alone',
  'core.v1.PersistentVolumeClaimStatus.modifyVolumeStatus': 'gate=VolumeAttributesClass alone',
  'core.v1.TopologySpreadConstraint.matchLabelKeys': 'gate=MatchLabelKeysInPodTopologySpread',
  'core.v1.TypedObjectReference.namespace': '',
  'core.v1.VolumeMountStatus.volumeStatus': 'gate=ImageVolumeWithDigest',
  'core.v1.VolumeProjection.podCertificate': 'gate=PodCertificateRequest',
  'core.v1.VolumeStatus.image': '',
  'apps.v1.DeploymentStatus.terminatingReplicas': 'gate=DeploymentReplicaSetTerminatingReplicas',
  'apps.v1.ReplicaSetStatus.terminatingReplicas': 'gate=DeploymentReplicaSetTerminatingReplicas',
  'apps.v1.StatefulSetSpec.volumeClaimTemplates': 'ungated',
  'resource.v1.Device.bindingConditions': 'gate=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus',
  'resource.v1.Device.bindingFailureConditions': 'gate=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus',
  'resource.v1.Device.bindsToNode': 'gate=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus',
  'storage.v1.CSIDriverSpec.storageCapacity': '',
};

function guardOf(owner, field) {
  const { pkg, name } = splitType(owner);
  const known = kGuards[`${shortPackage(pkg)}.${name}.${field.name}`];
  if (known !== undefined) return known;
  return field.featureGate ? `gate=${[field.featureGate].flat().join(',')}` : '';
}

function fieldLine(owner, field, pkg) {
  for (const key of Object.keys(field)) {
    if (!kKnownFieldKeys.has(key)) throw new Error(`${owner}.${field.name}: unknown fact ${key}`);
  }
  checkDerived(owner, field);
  const words = [];
  const say = (condition, word) => condition && words.push(word);
  say(field.proto, `=${field.proto?.number}`);
  say(field.required, 'required');
  say(field.zeroDefault, 'zero');
  say(field.default !== undefined, `default=${JSON.stringify(field.default)}`);
  say(field.omit === 'empty', 'omitempty');
  say(field.omit === 'zero', 'omitzero');
  if (field.list) {
    say(true, `list=${field.list.type}${field.list.keys ? ':' + field.list.keys.join(',') : ''}`);
  }
  say(field.map, `map=${field.map?.type}`);
  say(field.struct, `map=${field.struct?.type}`);
  if (field.smp) {
    const key = field.smp.mergeKey ? `:${field.smp.mergeKey}` : '';
    words.push(`patch=${field.smp.strategy.join(',')}${key}`);
  }
  const values = innermost(field).enum;
  say(values, `enum=${values && enumText(values)}`);
  const guard = guardOf(owner, field);
  say(guard, guard);
  say(isWrapped(field), 'wrapped');
  say(field.proto?.name, `protoname=${field.proto?.name}`);
  const go = field.inline ? null : goTypes?.differing(owner, field);
  say(go, `go=${go}`);
  const name = field.inline ? '(inline)' : field.name;
  const type = (field.ptr ? '*' : '') + typeText(field, pkg);
  return `  ${name.padEnd(24)} ${type.padEnd(24)} ${words.join(' ')}`.trimEnd();
}

// --- types -------------------------------------------------------------------------------------

// Group versions of packages without any kind published in OpenAPI.
const kUnpublished = {
  'io.k8s.api.admission.v1': 'admission.k8s.io/v1',
  'io.k8s.api.apidiscovery.v2': 'apidiscovery.k8s.io/v2',
};

function typeHeading(name, type, pkg, groupVersion) {
  const words = [`type ${name}`];
  const typed = Boolean(type.fields?.some((f) => f.typeMeta));
  if (type.gvk) {
    const [group, version, kind] = type.gvk;
    const here = group ? `${group}/${version}` : version;
    if (kind !== name || here !== groupVersion || !typed) throw new Error(`${name}: gvk`);
    words.push('kind');
  } else if (type.gvkAll) {
    words.push('kind=all');
    if (typed) words.push('typed');
  } else if (typed) {
    const elsewhere = pkg.endsWith('.meta.v1') && name !== 'List';
    words.push(elsewhere ? 'typed=meta.k8s.io/v1' : 'typed');
  }
  if (type.special) words.push(`special=${type.special}`);
  if (type.struct) {
    if (type.struct.type !== 'atomic') throw new Error(`${name}: struct`);
    words.push('atomic');
  }
  if (type.openapi === false) words.push('no-openapi');
  if (type.proto === false) words.push('no-proto');
  if (type.unions) words.push(`unions=${JSON.stringify(type.unions.map(publishedUnion))}`);
  return words.join(' ');
}

/** Formats a union as in x-kubernetes-unions. */
function publishedUnion({ discriminator, fields }) {
  return { ...(discriminator && { discriminator }), 'fields-to-discriminateBy': fields };
}

function writeTypes() {
  const packages = new Map();
  for (const [full, type] of Object.entries(schema.types)) {
    if (!wanted(type)) continue;
    const { pkg, name } = splitType(full);
    if (!packages.has(pkg)) packages.set(pkg, []);
    packages.get(pkg).push({ full, name, type });
  }
  for (const [pkg, types] of packages) {
    const short = shortPackage(pkg);
    const gvk = types.find((t) => t.type.gvk)?.type.gvk;
    const groupVersion = gvk ? (gvk[0] ? `${gvk[0]}/${gvk[1]}` : gvk[1])
                             : (kUnpublished[pkg] ?? '');
    const lines = [`package ${short} ${pkg}`];
    if (groupVersion) lines.push(`group-version ${groupVersion}`);
    types.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { full, name, type } of types) {
      lines.push('', typeHeading(name, type, pkg, groupVersion));
      const fields = type.fields ?? [];
      for (const field of fields) {
        if (field.typeMeta) continue;
        lines.push(fieldLine(full, field, pkg));
      }
    }
    write(`types/${short.replace('.', '-')}.txt`, lines);
  }
}

// --- groups and resources ----------------------------------------------------------------------

const kUsualVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update',
  'watch'];
const kUsualSelectable = ['metadata.name', 'metadata.namespace'];

function resourceLines(resource) {
  const lines = [];
  const words = [`resource ${resource.plural} ${resource.kind}`];
  const { pkg, name } = splitType(resource.type);
  if (name !== resource.kind) throw new Error(`${resource.plural}: type ${resource.type}`);
  words.push(`package=${shortPackage(pkg)}`);
  words.push(resource.namespaced ? 'namespaced' : 'cluster');
  if (resource.singular !== resource.kind.toLowerCase()) {
    words.push(`singular=${resource.singular}`);
  }
  if (resource.shortNames.length) words.push(`short=${resource.shortNames.join(',')}`);
  if (resource.categories.length) words.push(`categories=${resource.categories.join(',')}`);
  if (resource.storageVersionHash) words.push(`hash=${resource.storageVersionHash}`);
  if (!resource.servedByDefault) words.push('off');
  lines.push(`  ${words.join(' ')}`);
  if (resource.listKind && resource.listKind !== `${resource.kind}List`) {
    throw new Error(`${resource.plural}: list kind ${resource.listKind}`);
  }
  if (resource.verbs.join() !== kUsualVerbs.join()) {
    lines.push(`    verbs ${resource.verbs.join(' ')}`);
  }
  if (resource.listKind && resource.selectableFields.join() !== kUsualSelectable.join()) {
    lines.push(`    selectable ${resource.selectableFields.join(' ')}`);
  }
  for (const [label, canonical] of Object.entries(resource.selectableFieldAliases ?? {})) {
    lines.push(`    alias ${label} ${canonical}`);
  }
  for (const sub of resource.subresources) {
    const home = sub.group === resource.group && sub.version === resource.version;
    const gv = sub.group ? `${sub.group}/${sub.version}` : sub.version;
    lines.push(`    /${sub.name} ${sub.kind}${home ? '' : ` of=${gv}`} ${sub.verbs.join(',')}`);
  }
  return lines;
}

function writeResources() {
  const lines = [`kubernetes ${schema.kubernetesVersion}`];
  for (const group of schema.groups) {
    const priority = group.groupPriorityMinimum;
    lines.push('', `group ${group.name || '""'}${priority ? ` priority=${priority}` : ''}`);
    for (const version of group.versions) {
      const words = [`version ${version.version}`];
      if (version.versionPriority) words.push(`priority=${version.versionPriority}`);
      if (!version.servedByDefault) words.push('off');
      lines.push(` ${words.join(' ')}`);
      for (const resource of schema.resources) {
        if (resource.group !== group.name || resource.version !== version.version) continue;
        if (wanted(resource)) lines.push(...resourceLines(resource));
      }
    }
  }
  write('resources.txt', lines);
}

// --- columns -----------------------------------------------------------------------------------

// Yields every Table of the recordings with the path of its request.
function* recordedTables(value, asked = '') {
  if (Array.isArray(value)) {
    for (const item of value) yield* recordedTables(item, asked);
  } else if (value && typeof value === 'object') {
    const path = value.request?.path ?? value.watch?.path ?? asked;
    if (value.kind === 'Table' && value.columnDefinitions?.length) {
      yield { path, columns: value.columnDefinitions };
    }
    for (const item of Object.values(value)) yield* recordedTables(item, path);
  }
}

// Returns "apps/Deployment" for /apis/apps/v1/namespaces/x/deployments; '' for most subresources.
function kindOfPath(target) {
  const parts = new URL(target, 'http://x').pathname.split('/').slice(1);
  const group = parts[0] === 'api' ? '' : parts[1];
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const [plural, , subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest;
  if (subresource === 'scale') return 'autoscaling/Scale';
  const resource = schema.resources.find((r) => r.group === group && r.plural === plural);
  return resource && !subresource ? `${group}/${resource.kind}` : '';
}

// Includes the kind: kinds may have the same columns with other descriptions.
const columnKey = (kind, columns) =>
  [kind, ...columns.map((c) => [c.name, c.type, c.format, c.priority].join('|'))].join('\n');

function readRecordings(directory) {
  const found = new Map();
  for (const file of fs.readdirSync(directory).filter((f) => f.endsWith('.json')).sort()) {
    const recording = JSON.parse(fs.readFileSync(path.join(directory, file)));
    for (const table of recordedTables(recording)) {
      found.set(columnKey(kindOfPath(table.path), table.columns), table.columns);
    }
  }
  return found;
}

function writeColumns() {
  const recorded = options.recordings ? readRecordings(options.recordings) : new Map();
  const usual = new Map();  // the first and last columns have the same description everywhere
  for (const columns of recorded.values()) {
    for (const column of columns) {
      if ((column.name === 'Name' && column.format === 'name') ||
          (column.name === 'Age' && !column.description.startsWith('Custom'))) {
        usual.set(column.name, column.description);
      }
    }
  }
  const texts = { '@name': usual.get('Name'), '@age': usual.get('Age') };
  const lines = [];
  const escape = (text) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  for (const [name, text] of Object.entries(texts)) lines.push(`text ${name} ${escape(text ?? '')}`);
  const say = (description) => {
    for (const [name, text] of Object.entries(texts)) if (text === description) return name;
    return escape(description);
  };
  const printed = (heading, columns, kinds = []) => {
    const known = kinds.map((kind) => recorded.get(columnKey(kind, columns))).find(Boolean);
    lines.push('', heading);
    columns.forEach((column, i) => {
      const description = known ? known[i].description : (usual.get(column.name) ?? '');
      const parts = [column.name, column.type, column.format || '-', column.priority];
      lines.push(`  ${[...parts, say(description)].join(' | ')}`.trimEnd());
    });
  };
  printed('default', tables.default.columns, [...recorded.keys()].map((key) => key.split('\n')[0]));
  for (const kind of tables.kinds) {
    printed(`kind ${kind.kind} ${kind.groups.map((g) => g || '""').join(' ')}`, kind.columns,
      kind.groups.map((group) => `${group}/${kind.kind}`));
  }
  write('columns.txt', lines);
}

// --- the rest ----------------------------------------------------------------------------------

const kStages = { ALPHA: 'Alpha', BETA: 'Beta', GA: 'GA', DEPRECATED: 'Deprecated' };

function writeFeatureGates() {
  const { featureGates } = JSON.parse(fs.readFileSync(options.server, 'utf8'));
  const lines = featureGates.map((gate) => {
    const words = [gate.name.padEnd(53), gate.default ? 'on ' : 'off', kStages[gate.stage]];
    if (gate.locked) words.push('locked');
    if (gate.needs?.length) words.push(`needs=${gate.needs.join(',')}`);
    return words.join(' ');
  });
  write('feature-gates.txt', lines);
}

const kComments = {
  'resources.txt': ['Groups in discovery order, their versions in order of preference, their',
    'resources. `off`: a default server does not serve it (resources of such versions are left',
    'out; import.mjs --all-versions takes them in).'],
  'columns.txt': ['Printed columns: name | type | format | priority | description.',
    '`@name` stands for a text given on top. How each cell is made is code (server/table).'],
  'feature-gates.txt': [
    'All feature gates of kube-apiserver 1.36, by name: whether they are on by default and their stage; `locked`: they stay so;',
    '`needs=`: gates without which they may not be on. AllAlpha and AllBeta stand for all of their stage that nobody names.'],
};

function write(name, lines) {
  const comment = (kComments[name] ?? []).map((line) => `# ${line}`);
  if (comment.length) comment.push('');
  const file = path.join(out, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${[...comment, ...lines].join('\n')}\n`);
}

writeTypes();
writeResources();
writeColumns();
if (options.server) writeFeatureGates();
