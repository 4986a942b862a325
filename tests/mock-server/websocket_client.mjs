// A WebSocket client of bare frames, to send what no library would and to see every frame that arrives.
import { createHash, randomBytes } from 'node:crypto';
import net from 'node:net';
import { waitFor } from './server.mjs';

export const opcodes = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** Returns the headers of a valid handshake, with changes; null removes a header. */
export const handshake = (changed = {}) => ({
  Host: 'localhost',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  'Sec-WebSocket-Version': '13',
  Origin: 'http://localhost:3000',
  ...changed,
});

/** Returns the expected Sec-WebSocket-Accept. */
export const acceptOf = (key) => createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

export class FrameSocket {
  /** The answer, once it has arrived: { status, headers (names in lower case), body }. */
  answer;
  /** All frames after a 101: { fin, opcode, payload }. */
  frames = [];
  ended = false;
  #said = false; // a close frame was sent
  #bytes = Buffer.alloc(0);

  constructor(port, path, headers = handshake()) {
    this.headers = headers;
    this.socket = net.connect({ port, host: '127.0.0.1' });
    this.socket.on('data', (bytes) => this.#take(bytes));
    this.socket.on('error', () => (this.ended = true));
    this.socket.on('close', () => (this.ended = true));
    const lines = Object.entries(headers).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  /** Connects and waits for the answer. */
  static async open(...args) {
    const opened = new FrameSocket(...args);
    await waitFor(() => opened.answer || opened.ended);
    return opened;
  }

  send(opcode, payload = '', { mask = true, fin = true } = {}) {
    const bytes = Buffer.from(payload);
    const size = bytes.length < 126 ? [bytes.length] : bytes.length < 65536 ? [126, 0, 0] : [127, 0, 0, 0, 0, 0, 0, 0, 0];
    const head = Buffer.from([(fin ? 128 : 0) | opcode, ...size]);
    if (size.length === 3) head.writeUInt16BE(bytes.length, 2);
    if (size.length === 9) head.writeBigUInt64BE(BigInt(bytes.length), 2);
    if (!mask) return this.socket.write(Buffer.concat([head, bytes]));
    head[1] |= 128;
    const key = randomBytes(4);
    return this.socket.write(Buffer.concat([head, key, bytes.map((byte, i) => byte ^ key[i % 4])]));
  }

  close(code = 1000) {
    this.#said = true;
    this.send(opcodes.close, Buffer.from([code >> 8, code & 255]));
  }

  get texts() {
    return this.frames.filter(({ opcode }) => opcode === opcodes.text).map(({ payload }) => payload.toString());
  }

  /** The code of the close frame that arrived; undefined before, and if it has none. */
  get closeCode() {
    const close = this.frames.find(({ opcode }) => opcode === opcodes.close);
    return close && close.payload.length >= 2 ? close.payload.readUInt16BE(0) : undefined;
  }

  /** Waits for a frame of this kind and returns it. */
  async until(opcode, count = 1, ms = 5000) {
    const found = () => this.frames.filter((frame) => frame.opcode === opcode)[count - 1];
    return waitFor(found, ms, () => `frame ${count} of opcode ${opcode} among ${this.frames.length}`);
  }

  async untilEnded(ms = 5000) {
    await waitFor(() => this.ended, ms, () => 'the end of the connection');
    return this;
  }

  destroy() {
    this.socket.destroy();
  }

  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    if (!this.answer && !this.#takeAnswer()) return;
    if (this.answer.status === 101) while (this.#takeFrame());
    else this.answer.body = this.#bytes.toString();
  }

  #takeAnswer() {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [status, ...lines] = this.#bytes.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]));
    this.#bytes = this.#bytes.subarray(end + 4);
    this.answer = { status: Number(status.split(' ')[1]), headers, body: '' };
    return true;
  }

  #takeFrame() {
    const bytes = this.#bytes;
    if (bytes.length < 2) return false;
    const short = bytes[1] & 127; // servers do not mask
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < head) return false;
    const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < head + size) return false;
    this.frames.push({ fin: bytes[0] >= 128, opcode: bytes[0] & 127, payload: Buffer.from(bytes.subarray(head, head + size)) });
    this.#bytes = bytes.subarray(head + size);
    if (this.closeCode && !this.#said) this.close(this.closeCode);
    return true;
  }
}
