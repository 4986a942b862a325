// A watch whose events are the messages of a WebSocket.
import type { TransportAnswer } from '../api/transport';

const kTokenProtocol = 'base64url.bearer.authorization.k8s.io';
/** The protocol that the server selects; the other one carries the token. */
const kPlainProtocol = 'binary.k8s.io';

/** Returns the subprotocols to offer; the token, if any, stands beside the one to speak. */
export function socketProtocols(token: string, protocol: string): string[] {
  return token === '' ? [protocol] : [`${kTokenProtocol}.${base64url(token)}`, protocol];
}

/** Resolves when the WebSocket is open. Rejects if it does not open; browsers do not give pages the reason. */
export function webSocketWatch(address: URL, token: string, signal?: AbortSignal): Promise<TransportAnswer> {
  const url = new URL(address);
  url.protocol = url.protocol.replace('http', 'ws');
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const socket = new WebSocket(url, token === '' ? [] : socketProtocols(token, kPlainProtocol));
    signal?.addEventListener('abort', () => end(socket), { once: true });
    const stream = messagesOf(socket, signal);
    socket.addEventListener('open', () => {
      resolve({ status: 101, headers: [['connection', 'Upgrade'], ['upgrade', 'websocket']], text: '', stream });
    });
    socket.addEventListener('close', () => reject(new Error('the WebSocket did not open'))); // no effect after 'open'
  });
}

function messagesOf(socket: WebSocket, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let read = true;
  socket.binaryType = 'arraybuffer';
  return new ReadableStream({
    start(stream) {
      socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
        if (read) stream.enqueue(typeof data === 'string' ? encoder.encode(`${data.trimEnd()}\n`) : withLine(new Uint8Array(data)));
      });
      socket.addEventListener('close', ({ wasClean }) => {
        if (!read) return;
        if (signal?.aborted) stream.error(signal.reason);
        else if (wasClean) stream.close();
        else stream.error(new TypeError('the connection was lost'));
      });
    },
    cancel() {
      read = false;
      end(socket);
    },
  });
}

/** Closes the socket once it is open, since browsers report an error if it is closed before. */
function end(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close());
  else socket.close();
}

function withLine(bytes: Uint8Array): Uint8Array {
  const kNewLine = 10;
  return bytes.at(-1) === kNewLine ? bytes : Uint8Array.of(...bytes, kNewLine);
}

function base64url(text: string): string {
  const binary = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
