// The native server over HTTP, through node:http, so that unusual methods, paths and headers are sent unchanged (Node
// only).

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import http from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { concat, toUtf8, uncompressed } from '../bytes.mjs';
import { ByteStream } from '../events.mjs';
import { readMessages } from '../websocket.mjs';
import { kAsAdmin, kSeed, kStart, kTokenFile, startOf, timeOfScenario } from './start.mjs';

const kRoot = fileURLToPath(new URL('../../../../', import.meta.url));
const kBinaries = ['build/native/tabernetes', 'build/release/bin/tabernetes', 'build/dev/bin/tabernetes'];
const kReady = /^tabernetes ready (http:\S+)/;
const kSettle = 15; // milliseconds in which a loopback server does all due work

/** Returns the binary to test: TABERNETES_BINARY, or the first that is built. */
export function findBinary() {
  const found = process.env.TABERNETES_BINARY ?? kBinaries.map((path) => kRoot + path).find(existsSync);
  if (!found) throw new Error(`no native binary: looked for ${kBinaries.join(', ')} (npm run build makes it)`);
  return found;
}

export class NativeTransport {
  agent = new http.Agent({ keepAlive: true });
  scenarios = 0;
  /** @type {string[]} reasons why servers ended, by scenario */
  crashes = [];
  running = 'the start';
  start = startOf('');

  /** Starts a server. Call close() in the end. */
  static async start() {
    const transport = new NativeTransport();
    await transport.launch();
    return transport;
  }

  async launch() {
    const { controllers, scheduler, disableAdmissionPlugins, featureGates, authorizationMode } = this.start;
    const gates = Object.entries(featureGates).map(([name, on]) => `${name}=${on}`).join(',');
    const listen = `127.0.0.1:${this.origin?.port ?? 0}`;
    // Without the playground, whose paths the host would answer, and without CORS, which is off in the package:
    // otherwise the hosts would differ.
    const args = ['serve', '--listen', listen, '--controllers', controllers, `--scheduler=${scheduler}`, '--disable-admission-plugins', disableAdmissionPlugins.join(','), '--nodes', '0', '--seed', String(kSeed), '--clock', kStart, '--ui=false', '--cors-allowed-origins='];
    const folder = mkdtempSync(join(tmpdir(), 'tabernetes-conformance-'));
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, kTokenFile);
    this.child = spawn(findBinary(), [...args, '--authorization-mode', authorizationMode, '--feature-gates', gates, '--token-auth-file', tokens], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.dead = false;
    this.ended = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve({ code, signal })));
    this.ended.then(() => {
      this.dead = true;
    });
    this.origin = await this.ready();
    rmSync(folder, { recursive: true });
  }

  async ready() {
    const lines = createInterface({ input: this.child.stdout });
    const found = new Promise((resolve) => {
      lines.on('line', (line) => kReady.test(line) && resolve(new URL(kReady.exec(line)[1])));
    });
    const died = this.ended.then(({ code, signal }) => Promise.reject(new Error(`the server ended at its start: ${code ?? signal}`)));
    return Promise.race([found, died]);
  }

  get port() {
    return this.origin.port;
  }

  async close() {
    this.agent.destroy();
    await this.stop();
  }

  async stop() {
    this.child.kill('SIGTERM');
    const { code, signal } = await this.ended;
    if (code !== 0) this.crashes.push(`the end: the server ended with ${code ?? signal}`);
  }

  // Restarts a server that a scenario has killed or broken. That is a failure, also for a scenario that is not expected
  // to be green.
  async reset(name) {
    this.scenarios++;
    await this.startFor(name);
    if (this.origin && !this.dead) {
      try {
        await this.begin();
        this.running = name;
        return;
      } catch {
        this.child.kill('SIGKILL');
      }
    }
    const { code, signal } = await this.ended;
    this.crashes.push(`${this.running}: the server ended with ${code ?? signal}`);
    await this.launch();
    await this.begin();
    this.running = name;
  }

  // Starts another server if this one has other options than the scenario needs.
  async startFor(name) {
    const start = startOf(name);
    if (JSON.stringify(start) === JSON.stringify(this.start)) return;
    if (!this.dead) await this.stop();
    this.start = start;
    await this.launch();
  }

  async begin() {
    await this.control('reset');
    await this.control('clock', { set: timeOfScenario(this.scenarios) });
  }

  advance(milliseconds) {
    return this.control('clock', { advance: `${milliseconds / 1000}s` });
  }

  compact() {
    return this.control('compact', {});
  }

  settle() {
    return new Promise((resolve) => setTimeout(resolve, kSettle));
  }

  async control(call, body) {
    const headers = [kAsAdmin, ...(body ? [['content-type', 'application/json']] : [])];
    const answer = await this.request({
      method: 'POST',
      path: `/-/tabernetes/${call}`,
      headers,
      body: body ? toUtf8(JSON.stringify(body)) : null,
    });
    if (answer.status !== 200) throw new Error(`POST /-/tabernetes/${call}: ${answer.status} ${new TextDecoder().decode(answer.body)}`);
  }

  async request(request) {
    const { response, socket } = await this.open(request, this.agent);
    socket?.destroy();
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    const { status, headers } = head(response);
    return { status, headers, body: await uncompressed(headers, concat(chunks)) };
  }

  async watch(request) {
    const { response, sent, socket, first } = await this.open(request, undefined);
    const stream = new ByteStream();
    if (socket) {
      readMessages(socket, first, stream);
      return { ...head(response), stream, cancel: () => socket.destroy() };
    }
    response.on('data', (chunk) => stream.push(chunk));
    response.on('end', () => stream.end());
    response.on('error', () => {});
    return { ...head(response), stream, cancel: () => sent.destroy() };
  }

  open({ method, path, headers, body }, agent) {
    return new Promise((resolve, reject) => {
      const { hostname: host, port } = this.origin;
      const length = body ? [['content-length', String(body.length)]] : [];
      const all = [['host', `${host}:${port}`], ...headers, ...length];
      const sent = http.request({ host, port, method, path, agent, headers: all.flat() });
      sent.on('response', (response) => resolve({ response, sent }));
      sent.on('upgrade', (response, socket, first) => resolve({ response, sent, socket, first }));
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  }
}

function head(response) {
  const raw = response.rawHeaders;
  const headers = [];
  for (let i = 0; i < raw.length; i += 2) headers.push([raw[i], asUtf8(raw[i + 1])]);
  return { status: response.statusCode, headers };
}

// Node.js decodes the bytes of a header as Latin-1.
const asUtf8 = (value) => (/[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value);
