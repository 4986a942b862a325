// WebSockets of edge runtimes, each of which has a way of its own to accept one.
import type { Cluster } from '../cluster.js';

/** The server's end of a WebSocket, in every runtime. */
interface ServerSocket {
  send(message: string | Uint8Array): unknown;
  close(code?: number, reason?: string): void;
}

/** What an accepted socket sends, and what to call when its client leaves. */
export interface Messages {
  stream: ReadableStream<Uint8Array>;
  binary: boolean;
  /** Takes what the client sends. */
  receive: (message: string | Uint8Array) => void;
  left: AbortController;
}

export type EventSocket = ServerSocket & {
  binaryType?: string;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: string | ArrayBuffer }) => void): void;
};

/** The runtimes' functions, as far as they are there. */
interface Runtimes {
  WebSocketPair?: new () => Record<0 | 1, EventSocket & { accept(): void }>;
  Deno?: { upgradeWebSocket(request: Request, options: { protocol?: string; idleTimeout: number }): { socket: EventSocket; response: Response } };
  Bun?: object;
}
export const runtimes = globalThis as unknown as Runtimes;

/** Bun's server, which it gives its handler. */
interface BunServer {
  upgrade(request: Request, options: { data: Messages; headers: Record<string, string> }): boolean;
}

/** What Bun calls for the sockets of a server. */
export const kBunSockets = {
  idleTimeout: 0, // a watch may be silent for long
  open: (socket: ServerSocket & { data: Messages }) => void sendMessages(socket.data, socket),
  message: ({ data }: { data: Messages }, message: string | Uint8Array) => data.receive(message),
  close: ({ data }: { data: Messages }) => data.left.abort(),
};

/** Returns true if the request asks for a WebSocket and this runtime has them. */
export function upgradeRequested(request: Request): boolean {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return false;
  return runtimes.WebSocketPair !== undefined || runtimes.Deno?.upgradeWebSocket !== undefined || runtimes.Bun !== undefined;
}

/** Accepts a socket in a way of its own; undefined: in the usual one. */
export type AcceptSocket = (target: string, headers: readonly [string, string][], messages: Messages, protocol: string | undefined) => Promise<Response | undefined>;

/** Answers a request for a WebSocket. `url` is what the cluster sees, `others` what the runtime gives beside a request. */
export async function upgrade(cluster: Cluster, request: Request, url: string, others: readonly unknown[], accept?: AcceptSocket): Promise<Response> {
  const { pathname, search } = new URL(url);
  const left = new AbortController();
  // The runtime has no secret for the key, and checks it itself.
  const answer = await cluster.request({ target: pathname + search, headers: [...request.headers], signal: left.signal });
  const headers = new Headers(answer.headers);
  if (answer.status !== 101 || !answer.stream) return new Response(answer.stream ?? answer.body, { status: answer.status, headers });
  const messages = { stream: answer.stream as ReadableStream<Uint8Array>, binary: answer.messages === 'binary', receive: (message: string | Uint8Array) => answer.send!(message), left };
  const protocol = headers.get('sec-websocket-protocol') ?? undefined;
  const accepted = await accept?.(pathname + search, [...request.headers], messages, protocol);
  if (accepted) return accepted;
  if (runtimes.WebSocketPair) return upgradeInWorkerd(messages, protocol);
  if (runtimes.Deno) return upgradeInDeno(request, messages, protocol);
  return upgradeInBun(request, messages, protocol, others[0] as BunServer | undefined);
}

export const protocolHeader = (protocol: string | undefined): Record<string, string> => (protocol === undefined ? {} : { 'sec-websocket-protocol': protocol });

function upgradeInWorkerd(messages: Messages, protocol: string | undefined): Response {
  const { 0: theirs, 1: ours } = new runtimes.WebSocketPair!();
  ours.accept();
  connectTo(ours, messages);
  void sendMessages(messages, ours);
  return new Response(null, { status: 101, webSocket: theirs, headers: protocolHeader(protocol) } as ResponseInit);
}

function upgradeInDeno(request: Request, messages: Messages, protocol: string | undefined): Response {
  const { socket, response } = runtimes.Deno!.upgradeWebSocket(request, { idleTimeout: 0, ...(protocol === undefined ? {} : { protocol }) });
  connectTo(socket, messages);
  socket.addEventListener('open', () => void sendMessages(messages, socket));
  return response;
}

function upgradeInBun(request: Request, messages: Messages, protocol: string | undefined, server: BunServer | undefined): Response {
  if (server?.upgrade?.(request, { data: messages, headers: protocolHeader(protocol) })) return undefined as unknown as Response; // as Bun wants it
  messages.left.abort();
  return new Response('WebSockets need the server that Bun gives its handler.\n', { status: 500 });
}

/** Takes what the client sends, and ends the messages when it leaves. */
function connectTo(socket: EventSocket, { left, receive }: Messages): void {
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) => receive(typeof data === 'string' ? data : new Uint8Array(data)));
  for (const type of ['close', 'error'] as const) socket.addEventListener(type, () => left.abort());
}

/** Sends until the end. `note` is told each text that was sent. */
export async function sendMessages({ stream, binary }: Messages, socket: ServerSocket, note?: (message: string) => void): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const message = binary ? part.value : decoder.decode(part.value);
      socket.send(message);
      if (typeof message === 'string') note?.(message);
    }
    socket.close(1000);
  } catch {
    socket.close(1011); // the client has left, or the cluster is gone
  }
}
