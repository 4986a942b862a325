// A reflector like that of client-go 1.35 and newer, with streaming lists: the state arrives in a watch and is complete
// at the annotated bookmark; changes are followed from there; a broken watch resumes at the last version; and an
// expired version means to start again. Source: client-go's tools/cache/reflector.go, by the list and watch
// specification, 4.13.
const kInitialEnd = 'k8s.io/initial-events-end';
const kPause = 20; // milliseconds between attempts

/** Yields the lines of a body as they arrive. */
export async function* linesOf(response) {
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

export class Reflector {
  /** name -> object */
  cache = new Map();
  version = '';
  synced = false;
  /** Counts restarts, resumed watches and expired versions. */
  counts = { streamed: 0, resumed: 0, expired: 0, events: 0 };
  /** Errors that must never happen. */
  faults = [];
  #stop = new AbortController();
  #done;

  /** @param {string} collection the URL of a collection @param {Record<string, string>} selectors */
  constructor(collection, selectors = {}) {
    this.collection = collection;
    this.selectors = selectors;
  }

  start() {
    this.#done = this.#run();
  }

  async stop() {
    this.#stop.abort();
    await this.#done;
  }

  async #run() {
    while (!this.#stop.signal.aborted) {
      try {
        if (this.synced) await this.#follow();
        else await this.#stream();
      } catch (error) {
        if (error instanceof Expired) this.#beginAgain();
        else if (error instanceof Fault) this.faults.push(error.message);
      }
      await new Promise((resolve) => setTimeout(resolve, kPause));
    }
  }

  #beginAgain() {
    this.counts.expired++;
    this.version = '';
    this.synced = false;
  }

  async *#events(parameters) {
    const query = new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '300', ...this.selectors, ...parameters });
    const response = await fetch(`${this.collection}?${query}`, { signal: this.#stop.signal });
    if (response.status === 410) throw new Expired();
    if (response.status !== 200) throw new Fault(`status ${response.status}: ${await response.text()}`);
    for await (const line of linesOf(response)) {
      const event = JSON.parse(line);
      this.counts.events++;
      if (event.type === 'ERROR' && (event.object.code === 410 || event.object.reason === 'Expired')) throw new Expired();
      if (event.type === 'ERROR') throw new Error(event.object.message);
      if (!event.object.metadata.resourceVersion) throw new Fault(`a ${event.type} without version`);
      yield event;
    }
  }

  // Reads the state into a new cache, which replaces the old one when it is complete, then follows the changes.
  async #stream() {
    const state = new Map();
    let complete = false;
    for await (const { type, object } of this.#events({ sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', resourceVersion: this.version })) {
      const { name, resourceVersion, annotations } = object.metadata;
      if (complete) {
        this.#apply(type, object);
      } else if (type === 'BOOKMARK' && annotations?.[kInitialEnd] === 'true') {
        complete = true;
        this.cache = state;
        this.version = resourceVersion;
        this.synced = true;
        this.counts.streamed++;
      } else if (type === 'DELETED') {
        state.delete(name);
      } else if (type !== 'BOOKMARK') {
        if (type === 'ADDED' && state.has(name)) throw new Fault(`${name} came twice in the initial state`);
        state.set(name, object);
      }
    }
  }

  async #follow() {
    this.counts.resumed++;
    for await (const { type, object } of this.#events({ resourceVersion: this.version })) this.#apply(type, object);
  }

  #apply(type, object) {
    const { name, resourceVersion } = object.metadata;
    const held = this.cache.has(name);
    if (type === 'ADDED' && held) this.faults.push(`ADDED ${name}, which is there`);
    if ((type === 'MODIFIED' || type === 'DELETED') && !held) this.faults.push(`${type} ${name}, which is not there`);
    const forwards = BigInt(resourceVersion) > BigInt(this.version) || (type === 'BOOKMARK' && resourceVersion === this.version);
    if (!forwards) this.faults.push(`${type} ${name ?? ''} at ${resourceVersion} after ${this.version}`);
    if (type === 'DELETED') this.cache.delete(name);
    else if (type !== 'BOOKMARK') this.cache.set(name, object);
    this.version = resourceVersion;
  }
}

class Expired extends Error {}
class Fault extends Error {}
