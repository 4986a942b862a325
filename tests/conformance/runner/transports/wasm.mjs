// The WebAssembly core through the npm package's raw request, in Node and in a browser.

import { concat, toUtf8, uncompressed } from '../bytes.mjs';
import { ByteStream } from '../events.mjs';
import { kAddress, kAsAdmin, kSeed, kStart, kTokenFile, startOf, timeOfScenario } from './start.mjs';

export class WasmTransport {
  scenarios = 0;

  /**
   * @param {(options: object) => Promise<any>} createCluster of the package
   * @param {string} localAddress the address that clients reached
   */
  constructor(createCluster, localAddress = kAddress) {
    this.createCluster = createCluster;
    this.peer = { localAddress, remoteAddress: '127.0.0.1' };
    this.cluster = null;
  }

  // One cluster per run: versions continue after a reset, so every host must do the same.
  async reset(name) {
    const start = startOf(name);
    if (JSON.stringify(start) !== JSON.stringify(this.startedWith)) await this.start(start);
    await this.control('reset');
    await this.control('clock', { set: timeOfScenario(++this.scenarios) });
  }

  async control(call, body) {
    const json = body ? toUtf8(JSON.stringify(body)) : null;
    const answer = await this.request({ method: 'POST', path: `/-/tabernetes/${call}`, headers: [kAsAdmin], body: json });
    if (answer.status !== 200) throw new Error(`POST /-/tabernetes/${call}: ${answer.status}`);
  }

  async start(start) {
    this.cluster?.dispose();
    this.startedWith = start;
    this.cluster = await this.createCluster({ seed: kSeed, now: kStart, nodes: 0, tokenFile: kTokenFile, ...start });
  }

  close() {
    this.cluster?.dispose();
  }

  async advance(milliseconds) {
    await this.cluster.advance(milliseconds);
  }

  compact() {
    return this.control('compact', {});
  }

  // Waits two turns of the event loop, after which everything ready has arrived.
  async settle() {
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Calls `begun` when the answer has begun; its body may take longer. */
  async request(request, { begun = () => {} } = {}) {
    const { status, headers, body, stream } = await this.send(request);
    begun();
    return { status, headers, body: await uncompressed(headers, stream ? await readAll(stream) : body) };
  }

  async watch(request) {
    const answer = await this.send(request);
    const stream = new ByteStream();
    const reader = answer.stream?.getReader();
    if (reader) pump(reader, stream);
    else {
      stream.push(answer.body);
      stream.end();
    }
    const cancel = () => reader?.cancel().catch(() => {});
    return { status: answer.status, headers: answer.headers, stream, cancel };
  }

  async send({ method, path, headers, body }) {
    return this.cluster.request({ method, target: path, headers, body, peer: this.peer });
  }
}

async function readAll(stream) {
  const chunks = [];
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value);
  return concat(chunks);
}

async function pump(reader, stream) {
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) stream.push(part.value);
  } finally {
    stream.end();
  }
}
