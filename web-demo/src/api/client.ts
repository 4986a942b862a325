import type { Exchange, ExchangeLog } from './exchange';
import { type Connection, Refused, type Transport, type TransportRequest } from './transport';
import type { Status } from './types';

export interface Answer {
  /** 0 if there was no answer. */
  status: number;
  text: string;
  /** The error, if any: the Status of a failed answer. */
  failure?: Status;
  /** The texts of its Warning headers. */
  warnings?: string[];
}

export const isGood = ({ status }: Answer) => status >= 200 && status < 300;

export interface Send {
  method?: string;
  target: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** A user as whom requests are sent, by impersonation. */
export interface Persona {
  user: string;
  groups: readonly string[];
}

/** Sends requests to the shown cluster and records each in `log`. */
export class Client {
  constructor(
    readonly transport: Transport,
    readonly log: ExchangeLog,
    readonly persona?: Persona,
  ) {}

  /** Called with each exchange that has an answer. */
  readonly listeners = new Set<(exchange: Exchange) => void>();

  /** Returns a client of the same cluster that asks as another user. Its exchanges are in the same log. */
  as(persona: Persona): Client {
    const other = new Client(this.transport, this.log, persona);
    other.listeners.add((exchange) => this.listeners.forEach((listener) => listener(exchange)));
    return other;
  }

  /** Resolves with the whole answer. Rejects only when `signal` aborts. */
  async send(send: Send): Promise<Answer> {
    try {
      const { exchange, stream } = await this.#exchange(send);
      const status = exchange.status!;
      if (stream) {
        await this.#follow(exchange, stream, () => {});
        return { status, text: '' };
      }
      const failure = await failureOf(status, exchange.responseBody);
      return { status, text: exchange.responseBody, failure, warnings: warningsIn(exchange.responseHeaders) };
    } catch (error) {
      if (send.signal?.aborted) throw error;
      return { status: 0, text: '', failure: { kind: 'Status', message: (error as Error).message } };
    }
  }

  /** Resolves with the JSON of an answer. Rejects with an ApiFailure if the answer is not a success. */
  async get<T>(target: string, accept: string, signal?: AbortSignal): Promise<T> {
    const answer = await this.send({ target, headers: { accept }, signal });
    if (!isGood(answer)) throw new ApiFailure(answer.status, answer.failure);
    return JSON.parse(answer.text) as T;
  }

  /**
   * Passes each line of a stream to `onLine` until it ends or `signal` aborts. `quiet`: send it by
   * `Transport.quietWatch`.
   */
  async watch(send: Send, onLine: (line: string) => void, quiet = false): Promise<void> {
    const { exchange, stream } = await this.#exchange(send, quiet);
    if (!stream) throw new ApiFailure(exchange.status!, await failureOf(exchange.status!, exchange.responseBody));
    await this.#follow(exchange, stream, onLine);
  }

  /**
   * Opens a connection to a container, whose messages are events of its exchange. Rejects with an ApiFailure if it is
   * refused.
   */
  async connect({ target, signal }: Pick<Send, 'target' | 'signal'>): Promise<Connection> {
    const request: TransportRequest = { method: 'GET', target, headers: this.#impersonation(), body: '', signal };
    const exchange = this.log.begin(request, this.transport.protocol);
    const begun = performance.now();
    const ended = () => {
      exchange.open = false;
      this.log.changed();
    };
    try {
      const connection = await this.transport.connect(request);
      Object.assign(exchange, { took: performance.now() - begun, status: 101, events: [], responseHeaders: [['Upgrade', 'websocket']] });
      this.log.changed();
      const noted = new TransformStream<Uint8Array, Uint8Array>({
        transform: (message, next) => {
          this.log.addText(exchange, kChannelNames[message[0]!] ?? `${message[0]}`, new TextDecoder().decode(message.subarray(1)));
          next.enqueue(message);
        },
      });
      connection.messages.pipeTo(noted.writable).then(ended, ended);
      return { ...connection, messages: noted.readable };
    } catch (error) {
      if (error instanceof Refused) {
        const { status, headers, text } = error.answer;
        Object.assign(exchange, { took: performance.now() - begun, status, responseHeaders: headers, responseBody: text });
        ended();
        throw new ApiFailure(status, await failureOf(status, text));
      }
      exchange.failure = error instanceof Error ? error.message : String(error);
      ended();
      throw error;
    }
  }

  async #exchange({ method = 'GET', target, headers = {}, body = '', signal }: Send, quiet = false) {
    const request: TransportRequest = { method, target, headers: [...Object.entries(headers), ...this.#impersonation()], body, signal };
    const exchange = this.log.begin(request, this.transport.protocol);
    const begun = performance.now();
    try {
      const answer = await (quiet && !this.persona ? this.transport.quietWatch(request) : this.transport.request(request));
      exchange.took = performance.now() - begun;
      exchange.status = answer.status;
      exchange.responseHeaders = answer.headers;
      exchange.responseBody = answer.text;
      exchange.open = answer.stream !== undefined;
      if (answer.stream) exchange.events = [];
      this.log.changed();
      for (const listener of this.listeners) listener(exchange);
      return { exchange, stream: answer.stream };
    } catch (error) {
      exchange.open = false;
      exchange.failure = error instanceof Error ? error.message : String(error);
      this.log.changed();
      throw error;
    }
  }

  #impersonation(): [string, string][] {
    if (!this.persona) return [];
    const { user, groups } = this.persona;
    return [['Impersonate-User', user], ...groups.map((each): [string, string] => ['Impersonate-Group', each])];
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
      await reader.cancel().catch(() => {}); // stop reading
      throw error;
    } finally {
      exchange.open = false;
      this.log.changed();
    }
  }
}

const kChannelNames = ['input', 'output', 'errors', 'status', 'size'];

/** `299 - "text"` */
function warningsIn(headers: readonly (readonly [string, string])[]): string[] {
  const values = headers.filter(([name]) => name.toLowerCase() === 'warning').map(([, value]) => value);
  return values.flatMap((value) => [...value.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map((found) => found[1]!.replaceAll(/\\(.)/g, '$1')));
}

/** An answer that is not a success. `code` is 0 if there was no answer. */
export class ApiFailure extends Error {
  constructor(
    readonly code: number,
    readonly status: Status | undefined,
  ) {
    super(status?.message || `the server answered ${code}`);
  }
}

/** Reads the Status of a failed answer, in JSON or YAML; else takes the text as its message. */
async function failureOf(code: number, text: string): Promise<Status | undefined> {
  if (code < 400) return undefined;
  try {
    const status = (text.startsWith('{') ? JSON.parse(text) : (await import('yaml')).parse(text)) as Status;
    if (status.kind === 'Status') return status;
  } catch {
    // Neither; use the text.
  }
  return { kind: 'Status', code, message: text.trim() };
}
