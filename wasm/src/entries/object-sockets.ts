// WebSockets of a Durable Object that sleeps while they are silent. A socket has with it what its watch needs to go on when
// the object wakes up: the request, and the version up to which it has sent.
import type { Cluster } from '../cluster.js';
import { protocolHeader, type EventSocket, type Messages, runtimes, sendMessages } from './edge-sockets.js';

/** A socket whose object may sleep. */
export interface SleepingSocket extends EventSocket {
  serializeAttachment(value: unknown): void;
  deserializeAttachment(): unknown;
}

/** What is used of an object's state. */
export interface SocketState {
  acceptWebSocket(socket: SleepingSocket): void;
  getWebSockets(): SleepingSocket[];
}

interface Watching {
  /** Path and query. */
  target: string;
  headers: [string, string][];
  /** The watch goes on after this version. */
  version: string;
  /** When its `timeoutSeconds` are over, in milliseconds since 1970. */
  ends?: number;
}

/** The headers that a watch needs again; the rest is the connection's. */
const kKept = /^(?:authorization|accept|user-agent|origin|sec-websocket-(?:key|version|protocol)|upgrade|connection|impersonate-.*)$/;

/** The sockets of an object that is awake. */
export class ObjectSockets {
  readonly #left = new Map<SleepingSocket, AbortController>();

  constructor(private readonly state: SocketState) {}

  /** Lets the watches go on whose sockets have outlived the object's sleep. */
  resume(cluster: Cluster): void {
    for (const socket of this.state.getWebSockets()) {
      if (this.#left.has(socket)) continue;
      const watching = socket.deserializeAttachment() as Watching | null;
      if (watching) void this.#resume(cluster, socket, watching);
    }
  }

  async #resume(cluster: Cluster, socket: SleepingSocket, watching: Watching): Promise<void> {
    const left = new AbortController();
    this.#left.set(socket, left);
    const { headers, ends } = watching;
    const seconds = ends && Math.ceil((ends - Date.now()) / 1000);
    if (seconds !== undefined && seconds <= 0) return socket.close(1000);
    const target = seconds === undefined ? watching.target : withQuery(watching.target, { timeoutSeconds: String(seconds) });
    const { status, stream } = await cluster.request({ target, headers, signal: left.signal });
    if (status !== 101 || !stream) return socket.close(1011);
    await sendMessages({ stream: stream as ReadableStream<Uint8Array>, binary: false, left, receive: () => {} }, socket, noteIn(socket, watching));
  }

  /** Answers with a socket that may outlive this object's being awake. Returns undefined if its watch cannot. */
  async accept(cluster: Cluster, target: string, headers: readonly [string, string][], messages: Messages, protocol: string | undefined): Promise<Response | undefined> {
    if (messages.binary || !isWatch(target)) return undefined; // no versions from which it could go on
    const begun = goneOn(target, await presentVersion(cluster, target));
    const seconds = Number(queryOf(target, 'timeoutSeconds'));
    const watching: Watching = { ...begun, ...(seconds > 0 ? { ends: Date.now() + 1000 * seconds } : {}), headers: headers.filter(([name]) => kKept.test(name.toLowerCase())) };
    const { 0: theirs, 1: ours } = new runtimes.WebSocketPair!() as unknown as Record<0 | 1, SleepingSocket>;
    try {
      ours.serializeAttachment(watching);
    } catch {
      return undefined; // too much to keep with a socket
    }
    this.state.acceptWebSocket(ours);
    this.#left.set(ours, messages.left);
    void sendMessages(messages, ours, noteIn(ours, watching));
    return new Response(null, { status: 101, webSocket: theirs, headers: protocolHeader(protocol) } as ResponseInit);
  }

  /** Ends the watch of a socket whose client has left. */
  leave(socket: SleepingSocket): void {
    this.#left.get(socket)?.abort();
    this.#left.delete(socket);
    try {
      socket.close(1000);
    } catch {
      // It is closed already.
    }
  }
}

/** Returns a function that notes, with the socket, up to which version a message leads. */
function noteIn(socket: SleepingSocket, watching: Watching): (message: string) => void {
  return (message) => {
    const version = versionOf(message);
    if (version === undefined || BigInt(version) <= BigInt(watching.version)) return;
    Object.assign(watching, goneOn(watching.target, version));
    socket.serializeAttachment(watching);
  };
}

function versionOf(event: string): string | undefined {
  try {
    const { object } = JSON.parse(event) as { object?: { metadata?: { resourceVersion?: unknown } } };
    const version = object?.metadata?.resourceVersion;
    return typeof version === 'string' && /^\d+$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the watch as it goes on after a version. */
function goneOn(target: string, version: string): Pick<Watching, 'target' | 'version'> {
  const begin = { sendInitialEvents: undefined, resourceVersionMatch: undefined, limit: undefined, continue: undefined };
  return { target: withQuery(target, { ...begin, resourceVersion: version }), version };
}

const isWatch = (target: string) => /^(?:true|1)$/.test(queryOf(target, 'watch')) || /\/watch\//.test(target);

const queryOf = (target: string, name: string) => new URL(target, 'http://cluster').searchParams.get(name) ?? '';

/** Returns the target with these parameters, or without those that are undefined. */
function withQuery(target: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(target, 'http://cluster');
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/** Returns the version at which a watch has begun that has not sent anything yet. */
async function presentVersion(cluster: Cluster, target: string): Promise<string> {
  const given = queryOf(target, 'resourceVersion');
  if (/^[1-9]\d*$/.test(given)) return given;
  const { body } = await cluster.request({ target: '/api/v1/namespaces?limit=1', user: { user: 'system:admin', groups: ['system:masters'] }, unlogged: true });
  return (JSON.parse(new TextDecoder().decode(body)) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}
