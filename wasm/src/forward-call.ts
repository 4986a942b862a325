// Requests to aggregated API servers, made with the function that calls webhooks.
import type { ProxyAnswer, ProxyCall } from './core.js';
import type { FetchWebhook } from './options.js';

/** Where the answer goes: once the answer, and if it has `more`, how its body goes on. */
export interface AnswerSink {
  answer(answer: ProxyAnswer): void;
  goOn(bytes: Uint8Array<ArrayBuffer>, state: 'more' | 'ended' | 'broken'): void;
}

/** Answers up to this size are passed on as a whole, if their size is known. */
const kWhole = 1 << 20;
const kNothing = new Uint8Array();

/** Makes the call; `end` ends it. Never rejects. */
export async function forward(call: ProxyCall, fetchWebhook: FetchWebhook, end: AbortController, sink: AnswerSink): Promise<void> {
  const { signal } = end;
  const timer = call.patience > 0 ? setTimeout(() => end.abort(new Error('context deadline exceeded')), call.patience) : undefined;
  let begun = false;
  try {
    const response = await fetchWebhook(requestOf(call, signal), optionsOf(call));
    // Bodies come decoded.
    const headers = [...response.headers].filter(([name]) => name !== 'content-encoding') as [string, string][];
    const { status } = response;
    const size = Number(response.headers.get('content-length') ?? Infinity);
    if (call.whole || !response.body || size <= kWhole) {
      const body = new Uint8Array(await response.arrayBuffer());
      return sink.answer({ status, error: '', headers, body, more: false });
    }
    sink.answer({ status, error: '', headers, body: kNothing, more: true });
    begun = true;
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
    signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}), { once: true });
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) sink.goOn(piece.value, 'more');
    sink.goOn(kNothing, 'ended');
  } catch (error) {
    if (begun) return sink.goOn(kNothing, 'broken');
    const { message, cause } = error as Error;
    sink.answer({ status: 0, error: (cause as Error | undefined)?.message || message || 'no answer', headers: [], body: kNothing, more: false });
  } finally {
    clearTimeout(timer);
  }
}

const optionsOf = ({ caBundle, service, insecure, headers }: ProxyCall) => ({ caBundle, service, api: { insecure, headers: plain(headers) } });

function requestOf({ method, url, headers, body }: ProxyCall, signal: AbortSignal): Request {
  return new Request(url, { method, headers: plain(headers), signal, redirect: 'manual', ...(body.length > 0 ? { body } : {}) });
}

/** Without what asks for an encoding. */
const plain = (headers: readonly [string, string][]) => headers.filter(([name]) => name !== 'accept-encoding');
