// Watches whose events are checked against those of all others with the same selector.
import http from 'node:http';
import { WebSocket } from 'ws';

/** Reads a chunked watch. Returns a function that leaves it. */
export function overHttp(url, { opened, line, ended }) {
  let rest;
  let status;
  const request = http.get(url, { agent: false });
  request.on('response', (response) => {
    status = response.statusCode;
    opened();
    response.on('data', (chunk) => {
      const bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
      let from = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
        line(bytes.subarray(from, end));
        from = end + 1;
      }
      rest = from < bytes.length ? bytes.subarray(from) : undefined;
    });
    response.on('error', () => {});
    response.on('close', () => ended(response.complete && status === 200 && !rest));
  });
  request.on('error', () => status ?? ended(false));
  return () => request.destroy();
}

/** Reads a watch over WebSocket, one message per event. */
export function overWebSocket(url, { opened, line, ended }) {
  const { origin } = new URL(url); // the server refuses a missing one
  const socket = new WebSocket(url.replace('http', 'ws'), { origin, perMessageDeflate: false });
  socket.on('open', opened);
  socket.on('message', (bytes) => line(bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes));
  let problem = '';
  socket.on('error', (error) => (problem = error.message));
  socket.on('close', (code) => ended(code === 1000 || code === 1001, `${code} ${problem}`));
  return () => socket.terminate();
}

/** A watch that resumes at its last version whenever it ends, until stop(). */
export class Watcher {
  resumed = 0;
  restarted = 0; // restarts after a compaction of its version

  /** `transport` is overHttp or overWebSocket. A watcher that `hops` leaves after some events and comes back. */
  constructor(api, transport, path, history, version, { random, hops }) {
    Object.assign(this, { api, transport, path, history, version, random, hops });
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => {});
    this.open();
  }

  open() {
    this.leaveAfter = this.hops ? 20 + Math.floor(this.random() * 200) : Infinity;
    let opened;
    this.opened = new Promise((resolve) => (opened = resolve));
    const { path, version } = this;
    const url = `${this.api.url}${path}${path.includes('?') ? '&' : '?'}watch=true&resourceVersion=${version}`;
    this.leave = this.transport(url, {
      opened,
      line: (line) => this.left || this.stopped || this.#guard(() => this.#event(line)),
      ended: (clean, how) => this.#guard(() => this.#ended(clean, how)),
    });
  }

  #guard(body) {
    try {
      body();
    } catch (error) {
      this.fail(error);
    }
  }

  #event(line) {
    const version = this.history.take(this.version, line);
    if (version === undefined) return this.#error(JSON.parse(line).object);
    this.version = version;
    if (--this.leaveAfter > 0) return;
    this.left = true;
    this.leave();
  }

  #error(status) {
    if (status.code !== 410 || this.version >= this.api.compacted) {
      throw new Error(`watch from ${this.version}, compacted ${this.api.compacted}: ${JSON.stringify(status)}`);
    }
    ++this.restarted;
    this.version = this.api.latest;
  }

  #ended(clean, how = '') {
    if (this.stopped) return this.onStop?.(clean);
    // The server ends a watch that still gets events only if it fell behind a compaction.
    if (!this.left && !clean) throw new Error(`the watch at ${this.version} broke off ${how}`);
    this.left = false;
    ++this.resumed;
    this.open();
  }

  /** Waits until the watcher has seen version `end` and is open. */
  async reach(end, until) {
    while (this.version < end || this.left) {
      if (Date.now() > until) throw new Error(`a watcher of ${this.path} is at ${this.version}, not at ${end}`);
      await Promise.race([this.failed, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
    await Promise.race([this.failed, this.opened]);
  }

  /** Accepts an end from now on. Resolves with true if the server ended the watch properly. */
  ends() {
    this.stopped = true;
    return new Promise((resolve) => (this.onStop = resolve));
  }
}
