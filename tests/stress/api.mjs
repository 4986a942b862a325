// A server and a small client for it, which tracks the versions that it has seen.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';

/**
 * Starts `binary serve` and returns { url, stop }. stop() resolves with { code, report }, where `report` is its stderr.
 */
export async function startServer(binary) {
  const child = spawn(binary, ['serve', '--listen', '127.0.0.1:0', '--ui=false'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TSAN_OPTIONS: `history_size=4 ${process.env.TSAN_OPTIONS ?? ''}` },
  });
  let report = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (report += text));
  const closed = once(child, 'close');
  const ready = await Promise.race([once(child.stdout, 'data'), closed.then(() => undefined)]);
  if (!ready) throw new Error(`the server did not start: ${report}`);
  const stop = async () => {
    child.kill('SIGTERM');
    const [code, signal] = await closed;
    return { code: code ?? signal, report };
  };
  return { url: String(ready[0]).match(/tabernetes ready (\S+)/)[1], stop };
}

export class Api {
  latest = 0; // the newest version in any answer
  compacted = 0; // the newest version of any requested compaction
  requests = 0;

  constructor(url) {
    this.url = url;
    this.agent = new http.Agent({ keepAlive: true });
  }

  /** Sends a request and returns { status, body }; `body` is parsed as JSON. */
  async call(method, path, object) {
    const text = object === undefined ? undefined : JSON.stringify(object);
    const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const request = http.request(this.url + path, { method, headers, agent: this.agent });
    request.end(text);
    const [response] = await once(request, 'response');
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    ++this.requests;
    const body = JSON.parse(Buffer.concat(chunks));
    const version = Number(body.metadata?.resourceVersion);
    if (version > this.latest) this.latest = version;
    return { status: response.statusCode, body };
  }

  /** Like call, but throws unless the status is as expected. */
  async expect(status, method, path, object) {
    const answer = await this.call(method, path, object);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.message}, not ${status}`);
    return answer.body;
  }

  close() {
    this.agent.destroy();
  }
}

export const versionOf = (object) => Number(object.metadata.resourceVersion);
export const configMaps = (namespace) => `/api/v1/namespaces/${namespace}/configmaps`;
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns a seeded generator of numbers in [0, 1). Source: mulberry32. */
export function randomFrom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
