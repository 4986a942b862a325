// Every option of a request that the page Kubernetes API Concepts tells of, as a control.

export interface RequestOption {
  /** The name of the parameter. */
  name: string;
  choices?: readonly string[];
  /** What it does, in a line. */
  help: string;
  applies(request: RequestShape): boolean;
}

/** What decides which options apply. */
export interface RequestShape {
  method: string;
  /** True for the path of a collection. */
  collection: boolean;
  watch: boolean;
}

const isList = ({ method, collection, watch }: RequestShape) => method === 'GET' && collection && !watch;
const isWatch = ({ method, watch }: RequestShape) => method === 'GET' && watch;
const selects = ({ method, collection }: RequestShape) => collection && (method === 'GET' || method === 'DELETE');
const writes = ({ method }: RequestShape) => method === 'POST' || method === 'PUT' || method === 'PATCH';
const deletes = ({ method }: RequestShape) => method === 'DELETE';
const kFlag = ['true', 'false'];

export const kRequestOptions: readonly RequestOption[] = [
  { name: 'watch', choices: kFlag, help: 'Follows the collection instead of listing it', applies: ({ method, collection }) => method === 'GET' && collection },
  { name: 'labelSelector', help: 'Only objects with these labels', applies: selects },
  { name: 'fieldSelector', help: 'Only objects with these fields', applies: selects },
  { name: 'limit', help: 'At most so many objects; the answer has a token for the rest', applies: (shape) => isList(shape) || (deletes(shape) && shape.collection) },
  { name: 'continue', help: 'The token of the page before', applies: isList },
  { name: 'resourceVersion', help: 'Empty: the newest; 0: any; else not older, or exactly it', applies: ({ method }) => method === 'GET' },
  { name: 'resourceVersionMatch', choices: ['NotOlderThan', 'Exact'], help: 'How resourceVersion is meant', applies: ({ method, collection }) => method === 'GET' && collection },
  { name: 'sendInitialEvents', choices: kFlag, help: 'A streaming list: the objects as events, then a bookmark', applies: isWatch },
  { name: 'allowWatchBookmarks', choices: kFlag, help: 'Tells the version now and then', applies: isWatch },
  { name: 'timeoutSeconds', help: 'The server ends the watch or list after so long', applies: ({ method, collection }) => method === 'GET' && collection },
  { name: 'includeObject', choices: ['None', 'Metadata', 'Object'], help: 'What each row of a Table has', applies: ({ method }) => method === 'GET' },
  { name: 'dryRun', choices: ['All'], help: 'Does everything but store it', applies: (shape) => writes(shape) || deletes(shape) },
  { name: 'fieldManager', help: 'Who owns the written fields', applies: writes },
  { name: 'fieldValidation', choices: ['Ignore', 'Warn', 'Strict'], help: 'What becomes of unknown and double fields', applies: writes },
  { name: 'force', choices: kFlag, help: 'An apply takes fields over from others', applies: ({ method }) => method === 'PATCH' },
  { name: 'propagationPolicy', choices: ['Background', 'Foreground', 'Orphan'], help: 'What becomes of owned objects', applies: deletes },
  { name: 'gracePeriodSeconds', help: 'How long a pod may take to stop', applies: deletes },
  { name: 'pretty', choices: kFlag, help: 'Indented JSON', applies: () => true },
];

/** Forms of an answer. */
export const kAcceptForms: readonly { text: string; accept: string }[] = [
  { text: 'JSON', accept: 'application/json' },
  { text: 'YAML', accept: 'application/yaml' },
  { text: 'Table', accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
  { text: 'PartialObjectMetadata', accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
  { text: 'PartialObjectMetadataList', accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
  { text: 'protobuf', accept: 'application/vnd.kubernetes.protobuf' },
  { text: 'CBOR', accept: 'application/cbor' },
  { text: 'CBOR sequence (watch)', accept: 'application/cbor-seq' },
];

/** Reads what a request is from its method and target. */
export function shapeOf(method: string, target: string): RequestShape {
  const { path, query } = splitTarget(target);
  const parts = path.replace(/^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)\/?/, '').split('/').filter(Boolean);
  const rest = parts[0] === 'namespaces' && parts.length > 2 ? parts.slice(2) : parts;
  const watch = query.get('watch');
  return { method, collection: rest.length === 1, watch: watch !== null && watch !== 'false' && watch !== '0' };
}

export const optionOf = (target: string, name: string): string => splitTarget(target).query.get(name) ?? '';

/** Returns the target with this option; without it if the value is empty. */
export function withOption(target: string, name: string, value: string): string {
  const { path, query } = splitTarget(target);
  if (value === '') query.delete(name);
  else query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: new URLSearchParams() } : { path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) };
}

/** Returns the DeleteOptions with these preconditions; empty without any. */
export function preconditionsBody(uid: string, resourceVersion: string): string {
  if (!uid && !resourceVersion) return '';
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions }, null, 2)}\n`;
}
