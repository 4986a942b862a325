// fetch, on top of the raw entry.
import type { RawRequest, RawResponse } from './raw.js';

type Fetch = typeof globalThis.fetch;

/** A `fetch` that is answered by `send`, whatever the origin. */
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
  // Node wants to know that a body may go out before its answer comes; DOM's types do not have it.
  const options = init?.body instanceof ReadableStream ? ({ duplex: 'half', ...init } as RequestInit) : init;
  if (input instanceof Request) return new Request(input, options);
  return new Request(new URL(input, kNoOrigin), options);
}

/** Whether a text got its `text/plain` from fetch and not from the caller, who means JSON, as Kubernetes does. */
function isTypeOfFetch(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): boolean {
  if (typeof init?.body !== 'string') return false;
  if (new Headers(init.headers).has('content-type')) return false;
  return !(input instanceof Request && init.headers === undefined && input.headers.has('content-type'));
}

function toResponse({ status, headers, body, stream }: RawResponse, url: string): Response {
  const response = new Response(kWithoutBody.has(status) ? null : (stream ?? body), { status });
  for (const [name, value] of headers) response.headers.append(name, value);
  // What a network's answer has and the constructor cannot set; some clients read it.
  if (!url.startsWith(kNoOrigin)) Object.defineProperty(response, 'url', { value: url });
  return response;
}

/**
 * fetch has no WebSockets. And it gives bodies decoded, so none is compressed in the first place, whatever the caller
 * accepts: a Content-Encoding that is not true any more would mislead whoever hands the Response on.
 */
const kNotAsked = new Set(['upgrade', 'accept-encoding']);
const kNoOrigin = 'http://tabernetes.invalid';
const kWithoutBody = new Set([204, 205, 304]);
