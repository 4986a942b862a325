// Builds `fetch` on the raw request.
import type { RawRequest, RawResponse } from './raw.js';

type Fetch = typeof globalThis.fetch;

/** Returns a `fetch` that `send` answers, whatever the origin. */
export function clusterFetch(send: (request: RawRequest) => Promise<RawResponse>): Fetch {
  return async (input, init) => {
    const request = toRequest(input, init);
    const url = new URL(request.url);
    const headers = [...request.headers].filter(([name]) => !kNotAsked.has(name));
    const body = request.body === null ? null : await request.arrayBuffer();
    const answer = await send({
      method: request.method,
      target: url.pathname + url.search,
      headers: body !== null && isTypeOfFetch(input, init) ? headers.filter(([name]) => name !== 'content-type') : headers,
      body,
      signal: request.signal,
    });
    return toResponse(answer, request.url);
  };
}

function toRequest(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): Request {
  // Node requires `duplex` for a streamed body; the DOM's types do not have it.
  const options = init?.body instanceof ReadableStream ? ({ duplex: 'half', ...init } as RequestInit) : init;
  if (input instanceof Request) return new Request(input, options);
  return new Request(new URL(input, kNoOrigin), options);
}

/**
 * Returns true if fetch itself, not the caller, set `text/plain` for a text body. Such a caller means JSON, as
 * Kubernetes does.
 */
function isTypeOfFetch(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): boolean {
  if (typeof init?.body !== 'string') return false;
  if (new Headers(init.headers).has('content-type')) return false;
  return !(input instanceof Request && init.headers === undefined && input.headers.has('content-type'));
}

function toResponse({ status, headers, body, stream }: RawResponse, url: string): Response {
  const response = new Response(kWithoutBody.has(status) ? null : (stream ?? body), { status });
  for (const [name, value] of headers) response.headers.append(name, value);
  // The constructor of Response cannot set the URL, which some clients read.
  if (!url.startsWith(kNoOrigin)) Object.defineProperty(response, 'url', { value: url });
  return response;
}

/**
 * fetch has no WebSockets, so `upgrade` is dropped. fetch also returns decoded bodies, so no answer is compressed,
 * whatever the caller accepts: a stale Content-Encoding would mislead code that passes the Response on.
 */
const kNotAsked = new Set(['upgrade', 'accept-encoding']);
const kNoOrigin = 'http://tabernetes.invalid';
const kWithoutBody = new Set([204, 205, 304]);
