// Replays a recording on a server: does what its client did, waits for what it waited for, and notes what happens.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Behaviour } from './behaviour.mjs';
import { Kubelets } from './kubelets.mjs';
import { holds, lookup } from './objects.mjs';
import { isNamespaced, pathOf } from './resources.mjs';
import { prepareNodes } from './scene.mjs';
import { StandIns } from './stand_ins.mjs';

const kMinute = 60_000;

/**
 * What a recording is about: resource → namespaces, or names for resources that have none; and, of the namespaces that it
 * shares with others, whose objects.
 */
function scopeOf({ namespace, events }) {
  const scope = new Map([['pods', new Set([namespace])]]);
  for (const { kind, object: { metadata } } of events) {
    if (!scope.has(kind)) scope.set(kind, new Set());
    scope.get(kind).add(isNamespaced(kind) ? metadata.namespace : metadata.name);
  }
  const of = (kind, where, name) => new Set(events.filter((event) => event.kind === kind && where(event.object)).map(({ object }) => name(object)));
  const shared = {
    default: of('events', ({ metadata }) => metadata.namespace === 'default', ({ involvedObject }) => involvedObject.name),
    'kube-node-lease': of('leases', () => true, ({ metadata }) => metadata.name),
  };
  return { scope, shared };
}

/** Runs a program. Returns { rc, stdout, stderr }. */
function runProgram(command, args, env, seconds) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    const timer = setTimeout(() => {
      stderr += '(stopped by the player)';
      child.kill('SIGKILL');
    }, seconds * 1000);
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const done = (rc, text) => {
      clearTimeout(timer);
      resolve({ rc, stdout, stderr: text });
    };
    child.on('error', (error) => done(-1, error.message));
    child.on('close', (rc) => done(rc ?? -1, stderr));
  });
}

class Replay {
  #recording;
  #api;
  #clock;
  #options;
  #kubelets;
  #behaviour;
  #scope;
  #store = new Map(); // resource → uid → object
  #initial = [];
  #events = [];
  #standIns;
  #start; // when recording began, in the clock's milliseconds
  #lastChange;
  #cache = mkdtempSync(join(tmpdir(), 'life-'));

  constructor(recording, api, clock, options) {
    this.#recording = recording;
    this.#api = api;
    this.#clock = clock;
    this.#options = options;
    this.#kubelets = new Kubelets(api, clock);
    this.#behaviour = new Behaviour(api);
    this.#scope = scopeOf(recording);
    this.#standIns = new StandIns(recording, this.#initial, this.#events);
  }

  async run(feed) {
    const { playsKubelets } = this.#options;
    if (!playsKubelets) await this.#behaviour.set();
    await prepareNodes(this.#api, this.#clock, this.#recording.initialNodes, playsKubelets && this.#kubelets);
    await feed.start(this.#scope.scope, (...change) => this.#see(...change));
    await this.#clock.settle();
    await this.#awaitSecondOfMinute();
    this.#start = this.#lastChange = this.#clock.now();
    const actions = [];
    for (const action of this.#recording.actions) actions.push(await this.#perform(action));
    const duration = this.#time();
    this.#kubelets.stopAll();
    rmSync(this.#cache, { recursive: true, force: true });
    return this.#history(actions, duration);
  }

  #time() {
    return (this.#clock.now() - this.#start) / 1000;
  }

  #see(kind, type, object) {
    const { metadata } = object;
    if (!this.#store.has(kind)) this.#store.set(kind, new Map());
    if (kind === 'pods') this.#kubelets.see(type, object);
    const isSimulated = kind === 'nodes' && type === 'ADDED' && metadata.annotations?.['kwok.x-k8s.io/node'];
    if (isSimulated && this.#options.playsKubelets) this.#clock.after(0, () => this.#kubelets.start(metadata.name));
    if (type === 'DELETED') this.#store.get(kind).delete(metadata.uid);
    else this.#store.get(kind).set(metadata.uid, object);
    if (this.#isInScope(kind, object)) this.#note(kind, type, object);
  }

  #isInScope(kind, object) {
    const { namespace, name } = object.metadata;
    if (!isNamespaced(kind)) return this.#scope.scope.get(kind).has(name);
    const names = this.#scope.shared[namespace];
    return namespace === this.#recording.namespace || !names || names.has(kind === 'events' ? object.involvedObject?.name : name);
  }

  #note(kind, type, object) {
    if (type === 'INITIAL') {
      if (kind === 'nodes') this.#initial.push({ kind, type, object });
      return;
    }
    if (this.#start === undefined) return;
    this.#events.push({ t: this.#time(), kind, type, object });
    if (kind !== 'leases') this.#lastChange = this.#clock.now();
  }

  /** Cron jobs are due at whole minutes: their recordings begin at the same second of one. */
  async #awaitSecondOfMinute() {
    if (!this.#recording.events.some(({ kind }) => kind === 'cronjobs')) return;
    const second = Date.parse(this.#recording.start) % kMinute;
    await this.#clock.sleep(((second - (this.#clock.now() % kMinute) + kMinute) % kMinute) / 1000);
  }

  async #perform(action) {
    const { path, body, args, name, t } = action;
    const renamed = { ...action, ...this.#standIns.rename({ path, body, args, name }, t) };
    await this.#adoptStrangers(renamed.body);
    const did = { t: this.#time(), do: action.do, ...(await this.#do(renamed)) };
    this.#options.tell?.(did, renamed);
    return action.args ? { ...did, args: action.args } : did;
  }

  /** Owners from a namespace that the recording does not follow are those of that name in `default`. */
  async #adoptStrangers(body) {
    for (const owner of body?.metadata?.ownerReferences ?? []) {
      const kind = `${owner.kind.toLowerCase()}s`;
      if (this.#find(kind).some(({ metadata }) => metadata.uid === owner.uid) || owner.apiVersion !== 'v1') continue;
      const { json } = await this.#api.get(`/api/v1/namespaces/default/${kind}/${owner.name}`);
      owner.uid = json?.metadata?.uid ?? owner.uid;
    }
  }

  #do(action) {
    switch (action.do) {
      case 'http': return this.#http(action);
      case 'kubectl': return this.#kubectl(action);
      case 'sleep': return this.#clock.sleep(action.seconds);
      case 'note': return this.#follow(action.note);
      case 'quiet': return this.#quiet(action);
      case 'wait': return this.#wait(action);
      case 'waitCount': return this.#waitCount(action);
      default: return {}; // the recorder took something away
    }
  }

  async #http({ method, path, contentType, body }) {
    const { code, json, error } = await this.#api.request(method, path, { body, type: contentType });
    if (!this.#options.playsKubelets) await this.#behaviour.follow({ method, path, body });
    await this.#clock.settle();
    await this.#clock.tick(10);
    return { status: code, ...(code >= 400 || !code ? { response: json } : {}), error };
  }

  async #kubectl({ args, t, tEnd }) {
    const { kubectl, token } = this.#options;
    const access = [
      '--server', this.#api.url, '-n', this.#recording.namespace, '--cache-dir', this.#cache,
      ...(token ? ['--token', token] : []),
      ...(this.#api.url.startsWith('https:') ? ['--insecure-skip-tls-verify'] : []),
    ];
    const result = await runProgram(kubectl, [...access, ...args], { ...process.env, KUBECONFIG: devNull }, Math.min(90, Math.max(30, 3 * (tEnd - t))));
    await this.#clock.settle();
    await this.#clock.sleep(0.1);
    return result;
  }

  /** Notes of the recorder tell when the nodes of a name began and ceased to work. */
  async #follow(note) {
    const [, node, what] = /^kwok(?: instance)? for (?:node )?(\S+) (started|stopped)/.exec(note) ?? [];
    if (what === 'started') await this.#kubelets.start(node);
    else if (what) this.#kubelets.stop(node);
    return {};
  }

  /** Waits until nothing has happened for some seconds. */
  async #quiet({ seconds, t, tEnd }) {
    const from = this.#clock.now();
    this.#lastChange = Math.max(this.#lastChange, from);
    const limit = 2 * (tEnd - t) + 10;
    const isQuiet = () => this.#clock.now() - this.#lastChange >= seconds * 1000;
    return (await this.#clock.until(limit, isQuiet)) ? {} : { capped: Math.round(limit) };
  }

  #find(kind) {
    const all = [...(this.#store.get(kind)?.values() ?? [])];
    return all.filter(({ metadata }) => !isNamespaced(kind) || metadata.namespace === this.#recording.namespace);
  }

  async #wait({ kind, name, where, timeout }) {
    const object = () => this.#find(kind).find(({ metadata }) => metadata.name === name);
    // "Is no longer what it was": a time of the recording stands for the value at hand now.
    const before = object();
    const isTime = (value) => /^\d{4}-\d\d-\d\dT/.test(value);
    const wanted = where.map(([path, op, value]) => [path, op, op === '!=' && isTime(value) ? lookup(before, path) : value]);
    const isTrue = () => {
      const now = object();
      return wanted.every((one) => (one[1] === 'gone' ? !now : now && holds(now, one))) && (now || wanted.length > 0);
    };
    if (await this.#clock.until(timeout, isTrue)) return { ok: true };
    const now = object();
    const tell = ([path, op, value]) => `${path} ${op} ${JSON.stringify(value)}: ${JSON.stringify(path ? lookup(now, path) : 'present')}`;
    return { ok: false, last: now ? wanted.map(tell).join('; ') : 'no such object' };
  }

  async #waitCount({ kind, selector, where, op, count, timeout }) {
    const labels = Object.entries(selector ?? {});
    const isOne = (object) => labels.every(([key, value]) => object.metadata.labels?.[key] === value) && where.every((one) => holds(object, one));
    const found = () => this.#find(kind).filter(isOne).length;
    const ok = await this.#clock.until(timeout, () => holds({ found: found() }, ['found', op, count]));
    return ok ? { ok } : { ok, last: `${found()}, wanted ${op} ${count}` };
  }

  /** The replay in the format of recordings. */
  #history(actions, duration) {
    const version = ({ object }) => BigInt(object.metadata.resourceVersion);
    const events = [...this.#events].sort((a, b) => (version(a) < version(b) ? -1 : version(a) > version(b) ? 1 : 0));
    const managers = {};
    for (const { kind, object: { metadata: { name, managedFields } } } of events) {
      const entry = ({ manager, operation, subresource }) => ({ manager, operation, ...(subresource ? { subresource } : {}) });
      if (managedFields) managers[`${kind}/${name}`] = managedFields.map(entry);
    }
    const bare = (event) => ({ ...event, object: { ...event.object, metadata: { ...event.object.metadata, managedFields: undefined } } });
    return {
      name: this.#recording.name,
      namespace: this.#recording.namespace,
      start: new Date(this.#start).toISOString(),
      duration,
      initialNodes: [],
      initial: this.#initial.map(bare),
      actions,
      events: events.map(bare),
      managers,
    };
  }
}

/**
 * Replays a recording and returns its history in the recording's format.
 * @param {import('./api.mjs').Api} api
 * @param {import('./clock.mjs').RealClock | import('./clock.mjs').ServerClock} clock
 * @param {{start: Function, close: () => void}} feed one of feeds.mjs, which is closed at the end
 * @param {{playsKubelets: boolean, kubectl: string, token?: string, tell?: Function}} options `playsKubelets`: the player has
 *   the nodes' kubelets, else the server; `tell(did, action)` is called after each action
 */
export async function replay(recording, api, clock, feed, options) {
  try {
    return await new Replay(recording, api, clock, options).run(feed);
  } finally {
    feed.close();
  }
}
