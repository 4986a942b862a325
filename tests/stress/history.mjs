// What the watchers with one selector have seen, put together.
//
// Each watcher tells "behind version P came event E". All must tell the same: one event behind each version, one text
// for each event. At the end every such step must lead to the next version that there is, so that no watcher had a
// gap, an event twice, or an order of its own.
export class History {
  next = new Map(); // version → { version, text } that came behind it
  events = new Map(); // version → { version, text }
  deliveries = 0;

  /** A watcher at version `behind` got the line `text`; the version where that leads, or undefined for an ERROR. */
  take(behind, text) {
    ++this.deliveries;
    const expected = this.next.get(behind);
    if (expected?.text.equals(text)) return expected.version;
    const { type, object } = JSON.parse(text);
    if (type === 'ERROR') return undefined;
    const version = Number(object.metadata.resourceVersion);
    if (!(version > behind)) throw new Error(`version ${version} came behind ${behind}`);
    if (expected) throw new Error(`behind ${behind} came ${version}, for others ${expected.version}: ${text} / ${expected.text}`);
    let event = this.events.get(version);
    if (!event) this.events.set(version, (event = { version, text: Buffer.from(text) }));
    if (!event.text.equals(text)) throw new Error(`version ${version} has two texts: ${event.text} / ${text}`);
    this.next.set(behind, event);
    return version;
  }

  versions() {
    return [...this.events.keys()].sort((a, b) => a - b);
  }

  /** Throws unless each step led to the next version that any watcher saw. */
  check() {
    const all = this.versions();
    const steps = [...this.next].sort(([a], [b]) => a - b);
    let i = 0;
    for (const [behind, { version }] of steps) {
      while (i < all.length && all[i] <= behind) ++i;
      if (all[i] !== version) throw new Error(`behind ${behind} came ${version}; ${all[i]} was left out`);
    }
  }
}

/** One watch, and again from where it was whenever it ends, until stop(). */
export class Watcher {
  resumed = 0;
  restarted = 0; // what it wanted was compacted, so it began anew

  constructor(api, http, path, history, version, { random, hops }) {
    Object.assign(this, { api, http, path, history, version, random, hops });
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => {});
    this.opened = new Promise((resolve) => (this.onOpened = resolve)); // for the first time
    this.open();
  }

  open() {
    this.rest = undefined;
    // A hopping watcher leaves after some events and comes back.
    this.leaveAfter = this.hops ? 20 + Math.floor(this.random() * 200) : Infinity;
    const { path, version } = this;
    const separator = path.includes('?') ? '&' : '?';
    this.request = this.http.get(`${this.api.url}${path}${separator}watch=true&resourceVersion=${version}`, { agent: false });
    this.request.on('response', (response) => {
      this.onOpened();
      if (response.statusCode !== 200) this.fail(new Error(`watch: status ${response.statusCode}`));
      response.on('data', (chunk) => this.#guard(() => this.#take(chunk)));
      response.on('error', () => {});
      response.on('close', () => this.#guard(() => this.#ended(response.complete)));
    });
    this.request.on('error', (error) => this.stopped || this.left || this.fail(error));
  }

  #guard(body) {
    try {
      body();
    } catch (error) {
      this.fail(error);
    }
  }

  #take(chunk) {
    if (this.left || this.stopped) return;
    const bytes = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(10, from); end >= 0; end = bytes.indexOf(10, from)) {
      this.#event(bytes.subarray(from, end));
      from = end + 1;
      if (this.left) return;
    }
    this.rest = from < bytes.length ? bytes.subarray(from) : undefined;
  }

  #event(line) {
    const version = this.history.take(this.version, line);
    if (version === undefined) return this.#error(JSON.parse(line).object);
    this.version = version;
    if (--this.leaveAfter > 0) return;
    this.left = true;
    this.request.destroy();
  }

  #error(status) {
    if (status.code !== 410 || this.version >= this.api.compacted) {
      throw new Error(`watch from ${this.version}, compacted ${this.api.compacted}: ${JSON.stringify(status)}`);
    }
    ++this.restarted;
    this.version = this.api.latest;
  }

  #ended(complete) {
    if (this.stopped) return this.onStop?.(complete);
    if (!this.left) {
      // The server ended it: only for one that fell behind a compaction.
      if (!complete || this.rest) throw new Error(`the watch at ${this.version} broke off`);
    }
    this.left = false;
    ++this.resumed;
    this.open();
  }

  /** Waits until the watcher has seen version `end`. */
  async reach(end, until) {
    while (this.version < end) {
      if (Date.now() > until) throw new Error(`a watcher of ${this.path} is at ${this.version}, not at ${end}`);
      await Promise.race([this.failed, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
    await Promise.race([this.failed, undefined]);
  }

  /** From now on an end is right. Resolves with whether the watch ended with its last chunk. */
  ends() {
    this.stopped = true;
    return new Promise((resolve) => (this.onStop = resolve));
  }
}
