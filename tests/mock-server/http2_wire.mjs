// An HTTP/2 client of bare frames (RFC 9113), to send what no library would and to see every frame that arrives.
import net from 'node:net';
import { waitFor } from './server.mjs';

export const types = { data: 0, headers: 1, priority: 2, reset: 3, settings: 4, push: 5, ping: 6, goaway: 7, window: 8, continuation: 9 };
export const flags = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 };
export const errors = { none: 0, protocol: 1, internal: 2, flowControl: 3, settingsTimeout: 4, streamClosed: 5, frameSize: 6, refused: 7, cancel: 8, compression: 9 };

export const kPreface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

export function frame(type, flagBits, stream, payload = Buffer.alloc(0)) {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(9);
  head.writeUIntBE(bytes.length, 0, 3);
  head[3] = type;
  head[4] = flagBits;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
}

/** Returns a 32-bit number as bytes. */
export const word = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number >>> 0);
  return bytes;
};

/** Returns a setting of a SETTINGS frame. */
export const setting = (id, value) => Buffer.concat([Buffer.from([id >> 8, id & 255]), word(value)]);

/** Returns a header block: each name and value as they are, without indices or Huffman (RFC 7541, 6.2.2). */
export const block = (pairs) => Buffer.concat(pairs.flatMap(([name, value]) => [Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]));

/** The headers of a GET, with changes; null removes one. */
export const get = (changed = {}, more = []) =>
  [...Object.entries({ ':method': 'GET', ':scheme': 'http', ':path': '/version', ':authority': 'localhost', ...changed }).filter(([, value]) => value !== null), ...more];

export class Http2Wire {
  /** All frames that arrived: { type, flags, stream, payload }. */
  frames = [];
  ended = false;
  #bytes = Buffer.alloc(0);

  /** Connects; sends the preface and empty SETTINGS unless told otherwise. */
  constructor(port, { preface = kPreface, settings = frame(types.settings, 0, 0) } = {}) {
    this.socket = net.connect({ port, host: '127.0.0.1' });
    this.socket.on('data', (bytes) => this.#take(bytes));
    this.socket.on('error', () => (this.ended = true));
    this.socket.on('close', () => (this.ended = true));
    this.send(Buffer.from(preface), settings);
  }

  send(...parts) {
    this.socket.write(Buffer.concat(parts));
    return this;
  }

  /** Sends a request without a body. */
  request(stream, headers = get()) {
    return this.send(frame(types.headers, flags.endStream | flags.endHeaders, stream, block(headers)));
  }

  /** Waits for a frame of this type, of this stream if that is given. */
  until(type, stream) {
    const found = () => this.frames.find((one) => one.type === type && (stream === undefined || one.stream === stream));
    return waitFor(found, 5000, () => `a frame of type ${type} among ${JSON.stringify(this.frames.map((one) => [one.type, one.stream]))}`);
  }

  /** Waits for the end of a stream or of the connection, and says which: `GOAWAY 1`, `RST_STREAM 1`, `end`, `closed`. */
  async outcome(stream) {
    const said = () => {
      for (const { type, flags: bits, stream: of, payload } of this.frames) {
        if (type === types.goaway) return `GOAWAY ${payload.readUInt32BE(4)}`;
        if (type === types.reset && of === stream) return `RST_STREAM ${payload.readUInt32BE(0)}`;
        if ((type === types.data || type === types.headers) && of === stream && bits & flags.endStream) return 'end';
      }
      return this.ended ? 'closed' : undefined;
    };
    return waitFor(said, 5000, () => `an outcome among ${JSON.stringify(this.frames.map((one) => [one.type, one.stream]))}`);
  }

  destroy() {
    this.socket.destroy();
  }

  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (this.#bytes.length >= 9) {
      const size = this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < 9 + size) return;
      this.frames.push({ type: this.#bytes[3], flags: this.#bytes[4], stream: this.#bytes.readUInt32BE(5) & 0x7fffffff, payload: this.#bytes.subarray(9, 9 + size) });
      this.#bytes = this.#bytes.subarray(9 + size);
    }
  }
}
