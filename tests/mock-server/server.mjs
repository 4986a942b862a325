// A running tabernetes for the tests of this folder, and raw HTTP for requests that no client would send.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const inBuild = (...path) => join(top, 'build', ...path);

/** The binary as it ships. */
export const binary = process.env.TABERNETES ?? inBuild('native', 'tabernetes');

/** The same host around a fake core (fake_api_server.cc). */
export const fakeBinary =
  process.env.TABERNETES_FAKE ??
  [inBuild('dev', 'bin', 'tabernetes_fake'), inBuild('release', 'bin', 'tabernetes_fake')].find(existsSync);

/** Runs `program args` to its end, for half a minute at most, and returns { code, stdout, stderr }. */
export async function run(program, args, input = '') {
  const child = spawn(program, args, { timeout: 30_000 });
  const output = collect(child);
  child.stdin.on('error', () => {}); // it need not read
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

function collect(child) {
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  return output;
}

/** Starts `program serve`, on a free port unless told otherwise, and waits for its ready lines. */
export async function serve(program, ...args) {
  const listens = args.filter((arg) => arg.startsWith('--listen')).length;
  return listens > 0 ? serveExactly(program, listens, ...args) : serveExactly(program, 1, '--listen', '127.0.0.1:0', ...args);
}

/**
 * Starts it with exactly these flags and waits for this many ready lines. Returns { urls, url, port, pid, output, stop
 * }.
 */
export async function serveExactly(program, lines, ...args) {
  const child = spawn(program, ['serve', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collect(child);
  const closed = once(child, 'close');
  while (output.stdout.split('\n').length <= lines) {
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), closed.then(() => true)]);
    if (ended) throw new Error(`no ready line; stderr: ${output.stderr}`);
  }
  const urls = output.stdout.trim().split('\n').map((line) => line.replace(/^tabernetes ready /, ''));
  return {
    urls,
    url: urls[0],
    port: Number(new URL(urls[0]).port),
    pid: child.pid,
    output,
    /** Sends a signal and waits for the end. Resolves with the exit code, or the name of the signal that killed it. */
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code, killedBy] = await closed;
      return code ?? killedBy;
    },
  };
}

/** A bare connection: sends bytes and reads what has arrived. */
export class Wire {
  constructor(port) {
    this.received = '';
    this.ended = false;
    this.socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text) => (this.received += text));
    this.socket.on('end', () => (this.ended = true));
    this.socket.on('error', () => (this.ended = true));
    this.socket.on('close', () => (this.ended = true));
  }

  send(text) {
    this.socket.write(text);
    return this;
  }

  /** Waits until the received bytes match `pattern`. Throws after `ms`. */
  async until(pattern, ms = 5000) {
    await waitFor(() => this.received.match(pattern), ms, () => `${pattern} in ${JSON.stringify(this.received.slice(0, 500))}`);
    return this.received;
  }

  async untilEnded(ms = 5000) {
    await waitFor(() => this.ended, ms, () => `the end of ${JSON.stringify(this.received.slice(0, 500))}`);
    return this.received;
  }

  destroy() {
    this.socket.destroy();
  }
}

/** Polls until `condition` is true. Throws an Error with `what` after `ms`. */
export async function waitFor(condition, ms = 5000, what = () => String(condition)) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
