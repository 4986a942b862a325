// The part of the package `ws` that is used here; the package has no types.
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  export class WebSocket extends EventEmitter {
    /** One of a server. */
    constructor(address: null, protocols: undefined, options: { autoPong: boolean; closeTimeout: number });
    /** Takes over a connection whose handshake is done. */
    setSocket(socket: Duplex, head: Buffer, options: { allowSynchronousEvents: boolean; maxPayload: number }): void;
    send(data: Uint8Array, options: { binary: boolean }, done: (error?: Error) => void): void;
    close(code: number): void;
    terminate(): void;
  }

  export class WebSocketServer {
    constructor(options: {
      noServer: true;
      clientTracking?: boolean;
      maxPayload?: number;
      handleProtocols?(offered: Set<string>): string | false;
    });
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, open: (socket: WebSocket) => void): void;
  }
}
