// Requests to aggregated API servers, made with the function that calls webhooks.
import type { ProxyAnswer, ProxyCall } from './core.js';
import type { FetchWebhook } from './options.js';

/** An answer that may go on both ways, when its status is 101. */
export interface Upgraded {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  send(bytes: Uint8Array): void;
}

/** A function of hosts, which can upgrade connections; `lines` are the headers that ask for it. */
export type UpgradingFetch = FetchWebhook & { upgrade?: (...call: [...Parameters<FetchWebhook>, lines: readonly [string, string][]]) => Promise<Response | Upgraded> };

/** A call under way. */
export class Forwarded {
  readonly end = new AbortController();
  send: (bytes: Uint8Array) => void = () => {};

  /** Sends what the client has sent, or ends the call if there is nothing. */
  goOn(input: Uint8Array | undefined): void {
    if (input) this.send(input);
    else this.end.abort();
  }
}

/** Where the answer goes: once the answer, and if it has `more`, how its body goes on. */
export interface AnswerSink {
  answer(answer: ProxyAnswer): void;
  goOn(bytes: Uint8Array<ArrayBuffer>, state: 'more' | 'ended' | 'broken'): void;
}

/** Answers up to this size are passed on as a whole, if their size is known. */
const kWhole = 1 << 20;
const kNothing = new Uint8Array();

/** Makes the call. Never rejects. */
export async function forward(call: ProxyCall, fetchWebhook: UpgradingFetch, forwarded: Forwarded, sink: AnswerSink): Promise<void> {
  const { end } = forwarded;
  const { signal } = end;
  const timer = call.patience > 0 ? setTimeout(() => end.abort(new Error('context deadline exceeded')), call.patience) : undefined;
  let begun = false;
  try {
    const asked = [requestOf(call, signal), optionsOf(call)] as const;
    const response = await (call.upgrade.length > 0 && fetchWebhook.upgrade ? fetchWebhook.upgrade(...asked, call.upgrade) : fetchWebhook(...asked));
    if ('send' in response) forwarded.send = response.send;
    // Bodies come decoded.
    const headers = [...response.headers].filter(([name]) => name !== 'content-encoding') as [string, string][];
    const { status } = response;
    const size = Number(response.headers.get('content-length') ?? Infinity);
    if (!('send' in response) && (call.whole || !response.body || size <= kWhole)) {
      const body = new Uint8Array(await response.arrayBuffer());
      return sink.answer({ status, error: '', headers, body, more: false });
    }
    sink.answer({ status, error: '', headers, body: kNothing, more: true });
    begun = true;
    const reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
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
