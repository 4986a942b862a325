// Connections to containers over a WebSocket of the browser.
import type { Connection } from '../api/transport';
import { socketProtocols } from './web-socket-watch';

/** Resolves when the WebSocket is open. Rejects if it does not open; browsers do not give pages the reason. */
export function webSocketChannels(address: URL, token: string, protocol: string, signal?: AbortSignal): Promise<Connection> {
  const url = new URL(address);
  url.protocol = url.protocol.replace('http', 'ws');
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const socket = new WebSocket(url, socketProtocols(token, protocol));
    socket.binaryType = 'arraybuffer';
    const close = () => socket.close();
    const messages = new ReadableStream<Uint8Array>({
      start(stream) {
        let ended = false;
        socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => ended || stream.enqueue(new Uint8Array(data)));
        socket.addEventListener('close', ({ wasClean }) => {
          if (ended) return;
          ended = true;
          if (wasClean) stream.close();
          else stream.error(new TypeError('the connection was lost'));
        });
      },
      cancel: close,
    });
    socket.addEventListener('open', () => {
      if (signal?.aborted) return close();
      signal?.addEventListener('abort', close, { once: true });
      resolve({ messages, send: (message) => socket.readyState === WebSocket.OPEN && socket.send(message), close });
    });
    socket.addEventListener('close', () => reject(signal?.reason ?? new Error('the WebSocket did not open'))); // no effect after 'open'
  });
}
