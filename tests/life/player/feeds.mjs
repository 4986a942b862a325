// Feeds tell a player every change of the objects that it follows: `each(resource, type, object)`.

import { isNamespaced, pathOf } from './resources.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lists objects and then watches them, again and again if the watch ends. */
class Follower {
  #api;
  #path;
  #each;
  #watch;
  #closed = false;

  constructor(api, path, each) {
    this.#api = api;
    this.#path = path;
    this.#each = each;
  }

  /** Returns when the first watch is open, or a moment has passed. */
  async start() {
    await new Promise((resolve) => {
      this.#loop(resolve);
      setTimeout(resolve, 5000).unref();
    });
  }

  close() {
    this.#closed = true;
    this.#watch?.close();
  }

  async #loop(started) {
    let version;
    while (!this.#closed) {
      version ??= await this.#list();
      if (version !== undefined) {
        this.#watch = this.#api.watch(`${this.#path}?watch=1&resourceVersion=${version}`, ({ type, object }) => {
          version = type === 'ERROR' ? undefined : object.metadata.resourceVersion;
          if (!['ERROR', 'BOOKMARK'].includes(type)) this.#each(type, object);
        });
        if ((await this.#watch.opened) !== 200) version = undefined;
        started();
        await this.#watch.ended;
      }
      await pause(100);
    }
  }

  async #list() {
    const { code, json } = await this.#api.get(this.#path);
    if (code !== 200) return undefined;
    for (const object of itemsOf(json)) this.#each('INITIAL', object);
    return json.metadata.resourceVersion;
  }
}

/** The objects of a list, with the kind and version that a list leaves out. */
const itemsOf = ({ kind, apiVersion, items }) => (items ?? []).map((object) => ({ kind: kind.replace(/List$/, ''), apiVersion, ...object }));

/** Changes as they come, from one watch per resource and namespace. For any server, in real time. */
export class LiveFeed {
  #api;
  #followers = [];

  constructor(api) {
    this.#api = api;
  }

  /** @param {Map<string, Set<string>>} scope resource → namespaces */
  async start(scope, each) {
    for (const [resource, namespaces] of scope) {
      for (const namespace of isNamespaced(resource) ? namespaces : ['']) {
        const follower = new Follower(this.#api, pathOf(resource, namespace), (type, object) => each(resource, type, object));
        this.#followers.push(follower);
        await follower.start();
      }
    }
  }

  close() {
    for (const follower of this.#followers) follower.close();
  }
}

/** A list that is always empty: its resourceVersion is the cluster's. */
const kNothing = '/api/v1/podtemplates?limit=1';

/** How long a version may be missing, in milliseconds: some writes show in no watch. */
const kMissing = 250;

/**
 * Changes in the order of their versions, brought in by catchUp(). It watches all resources: each version of the store is
 * then an event of one of them, so it knows when it has seen everything. For a server whose clock stands.
 */
export class OrderedFeed {
  #api;
  #watches = [];
  #early = new Map(); // version → event, of those that were not handed on yet
  #upTo; // every version up to this one was handed on
  #each;
  #woken = () => {};

  constructor(api) {
    this.#api = api;
  }

  async start(scope, each) {
    this.#each = (resource, type, object) => {
      if (!scope.has(resource)) return;
      if (!isNamespaced(resource) || scope.get(resource).has(object.metadata.namespace)) each(resource, type, object);
    };
    const paths = await this.#allResources();
    this.#upTo = await this.#version();
    for (const resource of scope.keys()) {
      for (const object of itemsOf((await this.#api.get(pathOf(resource))).json)) this.#each(resource, 'INITIAL', object);
    }
    const opened = paths.map(([resource, path]) => {
      const watch = this.#api.watch(`${path}?watch=1&resourceVersion=${this.#upTo}`, (event) => this.#note(resource, event));
      this.#watches.push(watch);
      return watch.opened;
    });
    await Promise.all(opened);
  }

  /** Hands on what has changed. Returns whether anything has. */
  async catchUp() {
    const from = this.#upTo;
    const newest = await this.#version();
    while (this.#upTo < newest) {
      if (!this.#early.has(this.#upTo + 1)) await this.#waitFor(this.#upTo + 1);
      this.#upTo++;
      const [resource, type, object] = this.#early.get(this.#upTo) ?? [];
      this.#early.delete(this.#upTo);
      if (object) this.#each(resource, type, object);
    }
    return this.#upTo > from;
  }

  close() {
    for (const watch of this.#watches) watch.close();
  }

  #note(resource, { type, object }) {
    if (type === 'BOOKMARK') return;
    if (type === 'ERROR') throw new Error(`the watch of ${resource} failed: ${object.message}`);
    this.#early.set(Number(object.metadata.resourceVersion), [resource, type, object]);
    this.#woken();
  }

  async #waitFor(version) {
    const end = Date.now() + kMissing;
    while (!this.#early.has(version) && Date.now() < end) {
      await Promise.race([new Promise((resolve) => (this.#woken = resolve)), pause(end - Date.now())]);
    }
  }

  async #version() {
    return Number((await this.#api.get(kNothing)).json.metadata.resourceVersion);
  }

  /** Returns [resource, path] of everything that can be watched, each in the version that the recordings use. */
  async #allResources() {
    const { groups } = (await this.#api.get('/apis')).json;
    const prefixes = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
    const lists = await Promise.all(prefixes.map(async (prefix) => [prefix, (await this.#api.get(prefix)).json.resources]));
    // core/v1 has the Events; events.k8s.io serves the same objects.
    return lists
      .filter(([prefix]) => !prefix.startsWith('/apis/events.k8s.io/'))
      .flatMap(([prefix, resources]) => resources.filter(({ verbs }) => verbs.includes('watch')).map(({ name }) => [name, `${prefix}/${name}`]));
  }
}
