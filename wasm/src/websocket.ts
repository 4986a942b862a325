/**
 * WebSockets into a cluster, for dashboards that watch that way, and for shells of containers.
 *
 * ```ts
 * import { webSocketOf } from 'tabernetes/websocket';
 *
 * globalThis.WebSocket = webSocketOf(cluster);
 * const socket = new WebSocket('ws://cluster/api/v1/pods?watch=true', ['base64.binary.k8s.io']);
 * socket.onmessage = ({ data }) => console.log(JSON.parse(data).type);
 * ```
 *
 * @module tabernetes/websocket
 */
import type { Cluster } from './cluster.js';
import type { PlatformWebSocket } from './platform.js';
import type { RawResponse } from './raw.js';

/**
 * Returns a `WebSocket` class whose every connection goes to `cluster`, whatever the origin of its URL. It serves
 * watches, each event is one text message, and what kubectl does with containers: exec, attach, logs, ports. A URL of
 * anything else fails, as on a real server.
 *
 * ```ts
 * const WebSocket = webSocketOf(cluster);
 * const socket = new WebSocket('/api/v1/namespaces/default/pods?watch=true');
 * ```
 */
export function webSocketOf(cluster: Pick<Cluster, 'request'>): PlatformWebSocket {
  const bound = class WebSocket extends ClusterSocket {
    constructor(url: string | URL, protocols: string | string[] = []) {
      super(cluster, url, protocols);
    }
  };
  return bound as unknown as PlatformWebSocket;
}

const kNoOrigin = 'ws://tabernetes.invalid';
const kProtocol = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const kBroken = { code: 1006, reason: '', wasClean: false };
const kEvents = ['open', 'message', 'error', 'close'] as const;

type Handler = ((event: Event) => void) | null;

class ClusterSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;

  readonly url: string;
  readonly extensions = '';
  readonly bufferedAmount = 0;
  binaryType: BinaryType = 'blob';
  protocol = '';
  readyState = 0;

  onopen: Handler = null;
  onmessage: Handler = null;
  onerror: Handler = null;
  onclose: Handler = null;

  readonly #left = new AbortController();
  /** The code and reason of `close()` on the open connection. */
  #goodbye: typeof kBroken | undefined;
  #toServer: RawResponse['send'];
  /** The end of the messages whose bytes are still to be read: those of a Blob. */
  #sending: Promise<unknown> | undefined;

  constructor(cluster: Pick<Cluster, 'request'>, url: string | URL, protocols: string | string[]) {
    super();
    const parsed = parseUrl(url);
    const offered = [protocols].flat();
    if (new Set(offered).size < offered.length || !offered.every((name) => kProtocol.test(name))) {
      throw new DOMException(`not valid as subprotocols: ${offered.join(', ')}`, 'SyntaxError');
    }
    this.url = parsed.href;
    for (const type of kEvents) this.addEventListener(type, (event) => this[`on${type}`]?.(event));
    void this.#run(cluster, parsed, offered);
  }

  /** Sends a message; a watch reads none. Throws an InvalidStateError before the connection is open. */
  send(message: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    if (this.readyState === this.CONNECTING) throw new DOMException('still connecting', 'InvalidStateError');
    if (this.readyState !== this.OPEN) return;
    const bytes = bytesOf(message);
    if (!this.#sending && !(bytes instanceof Promise)) return this.#send(bytes);
    const before = this.#sending ?? Promise.resolve();
    const sending = before.then(async () => this.#send(await bytes)).finally(() => this.#sending === sending && (this.#sending = undefined));
    this.#sending = sending;
  }

  #send(message: string | Uint8Array): void {
    if (this.readyState === this.OPEN) this.#toServer?.(message);
  }

  close(code?: number, reason = ''): void {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
      throw new DOMException(`a page cannot close with ${code}`, 'InvalidAccessError');
    }
    if (this.readyState >= this.CLOSING) return;
    if (this.readyState === this.OPEN) this.#goodbye = { code: code ?? 1005, reason, wasClean: true };
    this.readyState = this.CLOSING;
    this.#left.abort();
  }

  async #run(cluster: Pick<Cluster, 'request'>, url: URL, offered: string[]): Promise<void> {
    await Promise.resolve(); // lets the caller add listeners after the constructor
    const served = await this.#serve(cluster, url, offered).catch(() => kBroken);
    const end = this.#goodbye ?? served;
    this.readyState = this.CLOSED;
    if (!end.wasClean) this.dispatchEvent(new Event('error'));
    // Node 20 has no CloseEvent.
    const event = typeof CloseEvent === 'function' ? new CloseEvent('close', end) : Object.assign(new Event('close'), end);
    this.dispatchEvent(event);
  }

  /** Runs the connection from handshake to end. Resolves with its close code. */
  async #serve(cluster: Pick<Cluster, 'request'>, url: URL, offered: string[]): Promise<typeof kBroken> {
    const target = url.pathname + url.search;
    const { status, headers, stream, messages, send } = await cluster.request({ target, headers: handshake(offered), signal: this.#left.signal });
    const chosen = headers.find(([name]) => name === 'Sec-WebSocket-Protocol')?.[1] ?? '';
    if (status !== 101 || !stream || (offered.length > 0 && chosen === '')) {
      await stream?.cancel();
      return kBroken;
    }
    this.readyState = this.OPEN;
    this.protocol = chosen;
    this.#toServer = send;
    this.dispatchEvent(new Event('open'));
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const data = messages === 'binary' ? this.#binary(part.value as Uint8Array<ArrayBuffer>) : decoder.decode(part.value);
      this.dispatchEvent(new MessageEvent('message', { data, origin: url.origin }));
    }
    return { code: 1000, reason: '', wasClean: true };
  }

  #binary(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer | Blob {
    return this.binaryType === 'arraybuffer' ? bytes.slice().buffer : new Blob([bytes]);
  }
}

/** Returns the bytes of a message; those of a Blob come later. */
function bytesOf(message: string | ArrayBufferLike | ArrayBufferView | Blob): string | Uint8Array | Promise<Uint8Array> {
  if (ArrayBuffer.isView(message)) return new Uint8Array(message.buffer, message.byteOffset, message.byteLength).slice();
  if (message instanceof Blob) return message.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  return message instanceof ArrayBuffer ? new Uint8Array(message).slice() : String(message);
}

function parseUrl(url: string | URL): URL {
  try {
    const parsed = new URL(url, kNoOrigin);
    if (parsed.protocol === 'http:' || parsed.protocol === 'https:') parsed.protocol = parsed.protocol.replace('http', 'ws');
    if (/^wss?:$/.test(parsed.protocol) && parsed.hash === '') return parsed;
  } catch {
    // the throw below reports it
  }
  throw new DOMException(`not the URL of a WebSocket: ${url}`, 'SyntaxError');
}

// A page in this realm counts as a local one.
function handshake(offered: string[]): Record<string, string> {
  const headers = {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGFiZXJuZXRlcyBzb2NrZQ==',
    origin: 'http://localhost',
  };
  return offered.length === 0 ? headers : { ...headers, 'sec-websocket-protocol': offered.join(', ') };
}
