// Clusters that a browser keeps: `createCluster({ persist })`. The realms of a site (pages, workers, service workers) that ask for
// the same one share it. A lock says who holds it; the others reach the holder over channels, and one of them takes over
// when it goes:
//
//   lock     `tabernetes NAME`: the holder's, for as long as it lives
//   channel  `tabernetes NAME`: { who: true } asks who holds the cluster, { holder } answers and announces,
//            { join, holder } asks for a line: a channel of the name `join`, whose maker holds a lock of the same name
import type { Cluster } from './cluster.js';
import type { ClusterOptions } from './cluster-options.js';
import { callMember, channelLine, expose, LineLost, PortClient, type Remote, type RemoteCluster, remoteCluster, remoteOf } from './entries/remote.js';
import { checkIdentity } from './identity.js';
import { checkOptionNames } from './option-names.js';
import type { KeptCluster, KeptClusterOptions } from './options.js';
import type { RawRequest, RawResponse } from './raw.js';
import { IndexedDbStore } from './stores/indexed-db.js';
import type { HostOptions } from './start.js';

type StartCluster = (options: ClusterOptions, host?: HostOptions) => Promise<Cluster>;

/** Makes or joins the cluster. */
export async function keptCluster({ persist, ...options }: KeptClusterOptions, start: StartCluster): Promise<KeptCluster> {
  const name = nameOf(persist);
  checkOptionNames(options);
  if (options.backend !== undefined) throw new TypeError('tabernetes: a cluster has either backend or persist');
  for (const needed of ['indexedDB', 'BroadcastChannel', 'navigator'] as const) {
    if (!(needed in globalThis)) throw new Error(`tabernetes: persist needs a browser; there is no ${needed} here`);
  }
  if (!navigator.locks) throw new Error('tabernetes: persist needs Web Locks, which a browser has in secure contexts only (https or localhost)');
  const member = new Member(name, (store) => start({ ...options, backend: store }));
  await member.begin();
  return member.cluster;
}

function nameOf(persist: unknown): string {
  const { indexedDB: name, ...others } = (persist ?? {}) as { indexedDB?: unknown };
  const [other] = Object.keys(others);
  if (other !== undefined) throw new TypeError(`tabernetes: persist has no "${other}", only "indexedDB"`);
  if (typeof name !== 'string' || name === '') throw new TypeError('tabernetes: persist.indexedDB is the name of a database');
  return name;
}

/** Who answers at the moment. */
type Holder = { own: Cluster } | { client: PortClient };

type Message = { who: true } | { holder: string } | { join: string; holder: string };

/** One realm's part in a cluster. */
class Member implements Remote {
  readonly cluster: KeptCluster = { ...remoteOf(this), as: (identity) => this.#asUser(identity), dispose: () => this.#dispose() };
  readonly #id = crypto.randomUUID();
  readonly #shared: string;
  readonly #channel: BroadcastChannel;
  readonly #ended = new AbortController();
  readonly #lines = new Set<() => void>();
  #letGo: (() => void) | undefined;
  #holder!: Promise<Holder>;
  #found!: (holder: Holder) => void;
  #failed!: (error: unknown) => void;
  /** True if the holder is known, or cannot be had. */
  #settled = false;
  /** Of the member to which there is a line, or will be. */
  #holderId = '';
  #released: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly start: (store: IndexedDbStore) => Promise<Cluster>,
  ) {
    this.#shared = `tabernetes ${name}`;
    this.#channel = new BroadcastChannel(this.#shared);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#take(data);
    this.#seek();
  }

  /** Resolves when somebody holds the cluster. */
  async begin(): Promise<void> {
    this.#say({ who: true });
    const { signal } = this.#ended;
    this.#released = navigator.locks.request(this.#shared, { signal }, () => this.#hold()).catch((error: unknown) => {
      if (!signal.aborted) this.#failed(error);
    });
    try {
      await this.#holder;
    } catch (error) {
      await this.#dispose();
      throw error;
    }
  }

  async request(raw: RawRequest): Promise<RawResponse> {
    const repeatable = raw.method === undefined || raw.method === 'GET' || raw.method === 'HEAD';
    return this.#do((holder) => ('own' in holder ? holder.own.request(raw) : holder.client.request(raw)), repeatable);
  }

  call(name: string, args: unknown[]): Promise<unknown> {
    return this.#do((holder) => ('own' in holder ? callMember(holder.own, name, args) : holder.client.call(name, args)), false);
  }

  fork(): Promise<RemoteCluster> {
    return this.#do(async (holder) => {
      if ('client' in holder) return holder.client.fork();
      const { port1, port2 } = new MessageChannel();
      expose(holder.own.fork(), port2);
      return remoteCluster(port1);
    }, true);
  }

  disconnect(): void {
    void this.#dispose();
  }

  #asUser(identity: Parameters<KeptCluster['as']>[0]): KeptCluster {
    checkIdentity(identity);
    return { ...remoteOf(this, (raw) => ({ user: identity, ...raw })), as: (other) => this.#asUser(other), dispose: () => this.#dispose() };
  }

  /** Does `work` with the holder; again with the next one if it cannot have been done. */
  async #do<T>(work: (holder: Holder) => Promise<T>, repeatable: boolean): Promise<T> {
    for (;;) {
      if (this.#ended.signal.aborted) throw new Error('tabernetes: this cluster has been disposed of');
      const holder = await this.#holder;
      try {
        return await work(holder);
      } catch (error) {
        if (!(error instanceof LineLost) || (error.done && !repeatable)) throw error;
      }
    }
  }

  #say(message: Message): void {
    if (!this.#ended.signal.aborted) this.#channel.postMessage(message);
  }

  #take(message: Message): void {
    if ('who' in message) {
      if (this.#letGo) this.#say({ holder: this.#id });
    } else if ('join' in message) {
      if (message.holder === this.#id && this.#letGo) void this.#welcome(message.join);
    } else if (message.holder !== this.#holderId && !this.#letGo) this.#join(message.holder);
  }

  /** Forgets the holder, and has those wait who ask for it. */
  #seek(): void {
    this.#settled = false;
    this.#holder = new Promise((resolve, reject) => {
      this.#found = (holder) => {
        this.#settled = true;
        resolve(holder);
      };
      this.#failed = (error) => {
        this.#settled = true;
        reject(error as Error);
      };
    });
    this.#holder.catch(() => {}); // for those who ask
  }

  /** Loses the line to a holder that has gone. Those who wait for one go on waiting. */
  #lose(): void {
    if (!this.#settled) return;
    const lost = this.#holder;
    this.#seek();
    lost.then((holder) => 'client' in holder && holder.client.lose(), () => {});
  }

  /** Opens a line to a new holder. */
  #join(holder: string): void {
    this.#lose();
    this.#holderId = holder;
    const name = `${this.#shared} ${crypto.randomUUID()}`;
    const line = channelLine(name);
    const found = this.#found;
    line.onmessage = () => {
      const client = new PortClient(line);
      this.#lines.add(() => client.disconnect());
      found({ client });
    };
    // While this realm lives, it holds the lock of the line.
    void navigator.locks.request(name, { signal: this.#ended.signal }, () => new Promise<void>((resolve) => {
      this.#lines.add(resolve);
      this.#say({ join: name, holder });
    })).catch(() => {});
  }

  /** Serves a line until the lock of its maker is free. */
  async #welcome(name: string): Promise<void> {
    const holder = await this.#holder;
    if (!('own' in holder)) return;
    const line = channelLine(name);
    const end = expose(holder.own, line, true);
    line.postMessage('welcome', []);
    this.#lines.add(end);
    await navigator.locks.request(name, { signal: this.#ended.signal }, () => {}).catch(() => {});
    this.#lines.delete(end);
    end();
  }

  /** Holds the cluster until this member ends. */
  async #hold(): Promise<void> {
    this.#lose();
    const store = new IndexedDbStore(this.name);
    try {
      store.beginFilling();
      const own = await this.start(store);
      await store.endFilling().catch((error: unknown) => {
        own.dispose();
        throw error;
      });
      const ended = new Promise<void>((resolve) => (this.#letGo = resolve));
      this.#found({ own });
      this.#say({ holder: this.#id });
      if (!this.#ended.signal.aborted) await ended;
      await own.stored().catch(() => {}); // its fault is in the answers
      own.dispose();
    } finally {
      store.close();
    }
  }

  async #dispose(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    for (const end of this.#lines) end();
    this.#lines.clear();
    this.#channel.close();
    this.#ended.abort();
    this.#letGo?.();
    this.#failed(new Error('tabernetes: this cluster has been disposed of'));
    await this.#released;
  }
}
