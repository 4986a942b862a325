// Builds `fetch` on the raw request. It makes no Request of its own: that costs time, and in jsdom and happy-dom classes
// of the page meet classes of Node.js there, which refuse each other.
import { throwIfAborted } from './abort.js';
import type { PlatformFetch } from './platform.js';
import type { RawRequest, RawResponse } from './raw.js';

/** Returns a `fetch` that `send` answers, whatever the origin. */
export function clusterFetch(send: (request: RawRequest) => Promise<RawResponse>): PlatformFetch {
  const clusterFetch = async (input: Input, given?: unknown, ...others: unknown[]): Promise<Response> => {
    const request = isRequest(input) ? input : undefined;
    const init = initOf(request, given, others);
    const url = new URL(request ? request.url : (input as string | URL), kNoOrigin);
    const headers = headersOf(init.headers ?? request?.headers);
    const signal = init.signal === undefined ? request?.signal : init.signal;
    throwIfAborted(signal);
    const body = await bodyOf(request, init, headers);
    const method = methodOf(init.method ?? request?.method ?? 'GET');
    if (body !== null && (method === 'GET' || method === 'HEAD')) throw new TypeError(`fetch: a ${method} has no body`);
    const answer = await send({ method, target: url.pathname + url.search, headers, body, signal: signal ?? null });
    return toResponse(answer, url);
  };
  return clusterFetch as unknown as PlatformFetch;
}

type Input = string | URL | Request;
type Body = string | Uint8Array | null;

/**
 * Returns true for a Request of any realm or implementation. In happy-dom and jsdom more than one class has that name.
 */
function isRequest(input: Input): input is Request {
  return typeof input === 'object' && 'url' in input && 'headers' in input;
}

/**
 * Returns the second argument if it is a RequestInit. A server hands other things to its handler, for which
 * `cluster.fetch` may stand: Bun its server, Deno facts of the connection, a worker its `env` and a context.
 */
function initOf(request: Request | undefined, given: unknown, others: readonly unknown[]): RequestInit {
  if (given === undefined || given === null) return {};
  if (request === undefined) return given as RequestInit;
  const isInit = others.length === 0 && isPlain(given) && Object.keys(given).every((name) => kInit.has(name));
  return isInit ? (given as RequestInit) : {};
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // Object.prototype of any realm
}

/** Members of a RequestInit: the standard's, and those of Node.js, Next, workerd and Bun. */
const kInit = new Set(
  ('method headers body signal mode credentials cache redirect referrer referrerPolicy integrity keepalive duplex priority window ' +
    'dispatcher agent next cf proxy tls timeout').split(' '),
);

/** As fetch does: these names may be written in any case, others not. */
function methodOf(method: string): string {
  const upper = method.toUpperCase();
  return kMethods.has(upper) ? upper : method;
}

const kMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** Returns the headers with names in lower case, which not every implementation of Headers gives. */
function headersOf(given: RequestInit['headers'] | undefined): [string, string][] {
  if (given === undefined) return [];
  const headers = isHeaders(given) ? given : new Headers(given); // joins equal names and checks all
  const pairs: [string, string][] = [];
  headers.forEach((value, name) => {
    const lower = name.toLowerCase();
    if (!kNotAsked.has(lower)) pairs.push([lower, value]);
  });
  return pairs;
}

const isHeaders = (given: object): given is Headers => typeof (given as Partial<Headers>).forEach === 'function' && 'get' in given;

/**
 * Returns the body, and adds its type to `headers` as fetch does. A text without a type is meant as JSON, as Kubernetes
 * does; so it gets none.
 */
async function bodyOf(request: Request | undefined, { body }: RequestInit, headers: [string, string][]): Promise<Body> {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body === undefined) {
    if (!request || request.body === null || request.method === 'GET' || request.method === 'HEAD') return null;
    return new Uint8Array(await request.arrayBuffer());
  }
  if (body === null) return null;
  const whole = new Response(body); // a stream, a form, a Blob …
  const type = whole.headers.get('content-type');
  if (type !== null && !headers.some(([name]) => name === 'content-type')) headers.push(['content-type', type]);
  return new Uint8Array(await whole.arrayBuffer());
}

function toResponse({ status, headers, body, stream }: RawResponse, url: URL): Response {
  const response = new Response(kWithoutBody.has(status) ? null : (stream ?? body), { status, headers });
  // The constructor of Response cannot set the URL, which some clients read. Others, such as MSW, set it again.
  if (url.origin !== kNoOrigin) {
    url.hash = '';
    Object.defineProperty(response, 'url', { value: url.href, configurable: true, enumerable: true, writable: true });
  }
  return response;
}

/**
 * fetch has no WebSockets, so `upgrade` is dropped. fetch also returns decoded bodies, so no answer is compressed,
 * whatever the caller accepts: a stale Content-Encoding would mislead code that passes the Response on.
 */
const kNotAsked = new Set(['upgrade', 'accept-encoding']);
const kNoOrigin = 'http://tabernetes.invalid';
const kWithoutBody = new Set([204, 205, 304]);
