import type { Cluster } from 'tabernetes';
import type { Exchange, ExchangeLog } from './exchange';
import type { Status } from './types';

export interface Answer {
  status: number;
  text: string;
  /** The Status of a failure, if it came as JSON. */
  failure?: Status;
}

export interface Send {
  method?: string;
  target: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** Sends requests to the cluster of this page, and writes each down in `log`. */
export class Client {
  constructor(
    readonly cluster: Cluster,
    readonly log: ExchangeLog,
  ) {}

  /** A whole answer. */
  async send(send: Send): Promise<Answer> {
    const { exchange, answer } = await this.#exchange(send);
    if (answer.stream) {
      await this.#follow(exchange, answer.stream, () => {});
      return { status: answer.status, text: '' };
    }
    return { status: answer.status, text: exchange.responseBody, failure: failureOf(answer.status, exchange.responseBody) };
  }

  /** The JSON of an answer; a failure is thrown as an ApiFailure. */
  async get<T>(target: string, accept: string, signal?: AbortSignal): Promise<T> {
    const { status, text, failure } = await this.send({ target, headers: { accept }, signal });
    if (status >= 300) throw new ApiFailure(status, failure);
    return JSON.parse(text) as T;
  }

  /** Gives each line of a stream to `onLine`, until it ends or `signal` aborts. */
  async watch(send: Send, onLine: (line: string) => void): Promise<void> {
    const { exchange, answer } = await this.#exchange(send);
    if (!answer.stream) throw new ApiFailure(answer.status, failureOf(answer.status, exchange.responseBody));
    await this.#follow(exchange, answer.stream, onLine);
  }

  async #exchange({ method = 'GET', target, headers = {}, body = '', signal }: Send) {
    const pairs = Object.entries(headers);
    const exchange = this.log.begin(method, target, pairs, body);
    const begun = performance.now();
    try {
      const answer = await this.cluster.request({ method, target, headers: pairs, body, signal });
      exchange.took = performance.now() - begun;
      exchange.status = answer.status;
      exchange.responseHeaders = answer.headers;
      exchange.responseBody = new TextDecoder().decode(answer.body);
      exchange.open = answer.stream !== undefined;
      if (answer.stream) exchange.events = [];
      this.log.changed();
      return { exchange, answer };
    } catch (error) {
      exchange.open = false;
      exchange.failure = error instanceof Error ? error.message : String(error);
      this.log.changed();
      throw error;
    }
  }

  async #follow(exchange: Exchange, stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
    const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
    let rest = '';
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const lines = (rest + value).split('\n');
        rest = lines.pop() ?? '';
        for (const text of lines) {
          this.log.addEvent(exchange, text);
          onLine(text);
        }
      }
    } catch (error) {
      await reader.cancel().catch(() => {}); // it is not read any further
      throw error;
    } finally {
      exchange.open = false;
      this.log.changed();
    }
  }
}

/** An answer that is not a success. */
export class ApiFailure extends Error {
  constructor(
    readonly code: number,
    readonly status: Status | undefined,
  ) {
    super(status?.message ?? `the server answered ${code}`);
  }
}

function failureOf(code: number, text: string): Status | undefined {
  if (code < 400) return undefined;
  try {
    const status = JSON.parse(text) as Status;
    if (status.kind === 'Status') return status;
  } catch {
    // Not JSON: the text says it.
  }
  const [, message] = text.match(/^message: (.*)$/m) ?? [];
  const [, reason] = text.match(/^reason: (.*)$/m) ?? [];
  return { kind: 'Status', code, reason, message: message ?? text.trim() };
}
