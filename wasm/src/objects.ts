// What tests write again and again: apply an object, set its status, wait for something.
import { type KubernetesObject, StatusError, type Status } from './encoding.js';
import type { RawRequest, RawResponse } from './raw.js';
import { checkNames } from './option-names.js';
import { kWaitOptions, type WaitOptions } from './request-log.js';

type Send = (request: RawRequest) => Promise<RawResponse>;

interface NamedObject extends KubernetesObject {
  metadata?: { name?: string; namespace?: string };
}

/**
 * Options of `cluster.apply`.
 *
 * ```ts
 * const options: ApplyObjectOptions = { manager: 'dashboard', force: false };
 * ```
 */
export interface ApplyObjectOptions {
  /** The field manager; `tabernetes` if left out. */
  manager?: string;
  /** Takes fields over from other managers; true if left out. */
  force?: boolean;
}

/** Sends a server-side apply and returns the object. Throws a StatusError if the server refuses it. */
export async function applyObject(send: Send, object: object, options: ApplyObjectOptions): Promise<KubernetesObject> {
  checkNames('apply', options, ['manager', 'force']);
  const { manager = 'tabernetes', force = true } = options;
  send = quiet(send);
  const query = `fieldManager=${encodeURIComponent(manager)}&force=${String(force)}`;
  const target = `${await pathOf(send, object)}?${query}`;
  return json(await send({ method: 'PATCH', target, headers: { 'content-type': 'application/apply-patch+yaml' }, body: JSON.stringify(object) }));
}

/** Replaces the status of an object and returns the object. Throws a StatusError if the server refuses it. */
export async function setObjectStatus(send: Send, object: object, status: object): Promise<KubernetesObject> {
  send = quiet(send);
  const path = await pathOf(send, object);
  // The apply of a status would leave what others own; a PUT of what was just read replaces it whole.
  const body = JSON.stringify({ ...json(await send({ target: path })), status });
  const headers = { 'content-type': 'application/json' };
  const answer = await send({ method: 'PUT', target: `${path}/status`, headers, body });
  // Some kinds have no such subresource: their status is part of the object.
  return json(answer.status === 404 || answer.status === 405 ? await send({ method: 'PUT', target: path, headers, body }) : answer);
}

/** Resolves with what `path` answers as soon as `predicate` accepts it; it gets undefined for a 404. */
export async function waitFor<T>(
  send: Send,
  path: string,
  predicate: (value: any) => unknown,
  options: WaitOptions,
): Promise<T> {
  checkNames('wait', options, kWaitOptions);
  const { timeout = kPatience, signal } = options;
  send = quiet(send);
  const left = new AbortController();
  const leave = () => left.abort(signal?.reason);
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  let last: unknown;
  const timer = setTimeout(() => left.abort(new Error(`tabernetes: ${path} has not become what was waited for in ${timeout} ms; it is ${shown(last)}`)), timeout);
  try {
    const events = await watch(send, path, left.signal);
    for (;;) {
      left.signal.throwIfAborted();
      last = await read(send, path);
      if (await predicate(last)) return last as T;
      left.signal.throwIfAborted();
      if ((await events.read()).done) throw new Error(`tabernetes: the watch of ${path} has ended`);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    left.abort();
  }
}

/** What a test sends for itself is not in the log of what its subject sends. */
const quiet = (send: Send): Send => (request) => send({ ...request, unlogged: true });

const kPatience = 4000;
const kMostShown = 2000;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not there';
  return text.length > kMostShown ? `${text.slice(0, kMostShown)} …` : text;
}

async function read(send: Send, path: string): Promise<unknown> {
  const answer = await send({ target: path });
  return answer.status === 404 ? undefined : json(answer);
}

/** Opens a watch of the object or collection at `path`. */
async function watch(send: Send, path: string, signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const [plain = '', given] = path.split('?', 2);
  const parts = plain.split('/').filter((part) => part !== '');
  const depth = parts.length - (parts[0] === 'api' ? 2 : 3); // behind the version
  const isNamed = depth === 2 || depth === 4; // resource/name, namespaces/ns/resource/name
  const query = new URLSearchParams(given);
  query.set('watch', 'true');
  if (isNamed) query.set('fieldSelector', `metadata.name=${decodeURIComponent(parts.pop()!)}`);
  const { status, body, stream } = await send({ target: `/${parts.join('/')}?${String(query)}`, signal });
  if (stream && status === 200) return stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  throw new StatusError(statusOf(body, status));
}

/** Returns the path of an object, which discovery knows. Throws an Error for a kind that is not served. */
async function pathOf(send: Send, given: object): Promise<string> {
  const { apiVersion = '', kind = '', metadata = {} } = given as NamedObject;
  if (!metadata.name) throw new TypeError('tabernetes: the object has no metadata.name');
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const served = await send({ target: base });
  const { resources = [] } = served.status === 200 ? (json(served) as { resources?: { name: string; kind: string; namespaced: boolean }[] }) : {};
  const found = resources.find(({ name, kind: each }) => each === kind && !name.includes('/'));
  if (!found) throw new Error(`tabernetes: the cluster serves no kind "${kind}" of "${apiVersion}"`);
  const home = found.namespaced ? `/namespaces/${encodeURIComponent(metadata.namespace ?? 'default')}` : '';
  return `${base}${home}/${found.name}/${encodeURIComponent(metadata.name)}`;
}

function json({ status, body }: RawResponse): KubernetesObject {
  if (status >= 400) throw new StatusError(statusOf(body, status));
  return JSON.parse(new TextDecoder().decode(body)) as KubernetesObject;
}

function statusOf(body: Uint8Array, code: number): Status {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text) as Status;
  } catch {
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: text, code };
  }
}
