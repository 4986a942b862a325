// Starts clusters, for `createCluster` and for hosts.
import { Clock, type DeadlineAlarm } from './clock.js';
import type { Cluster } from './cluster.js';
import { ContainerFunctions } from './containers.js';
import { CoreCluster } from './core-cluster.js';
import { Core } from './core.js';
import { Instance } from './instance.js';
import { compileCore } from './module.js';
import { OpenApiTexts } from './openapi-texts.js';
import { checkOptions } from './option-faults.js';
import { checkOptionNames } from './option-names.js';
import { type ClusterOptions, type CoreOptions, normalizeOptions, type SnapshotDocument, timeStandsStill } from './options.js';

/** Options for hosts that listen on a socket. */
export interface HostOptions extends Partial<Pick<CoreOptions, 'serverAddress' | 'files' | 'authenticationWebhookFile' | 'authorizationWebhookFile' | 'oidc' | 'rootCertificate' | 'frontProxyAuthority' | 'userAuthority' | 'signCertificate' | 'admin' | 'featureGates' | 'firstVersion' | 'corsAllowedOrigins'>> {
  /** Fills the new cluster. Its state afterwards is the initial one, to which `reset` goes back. */
  fill?: (cluster: Cluster) => Promise<void>;
  /** Makes what rings at deadlines. A timer if left out. */
  alarm?: (ring: () => void) => DeadlineAlarm;
  /** The cluster shares an instance of the WebAssembly, and its memory, with this one, which was made by `startCluster`. */
  beside?: Cluster;
}

/** Makes a cluster like `createCluster`, with the options of a host. */
export async function startCluster(options: ClusterOptions, { fill, alarm, beside, ...host }: HostOptions = {}): Promise<Cluster> {
  checkOptionNames(options);
  const functions = new ContainerFunctions(options.containers);
  let now = () => Date.now(); // until there is a clock
  const containers = functions.translated(options.containers ?? '', () => now());
  const coreOptions = { ...normalizeOptions({ ...options, containers }), ...host };
  const { backend } = options;
  const given = (beside as CoreCluster | undefined)?.instance;
  const instance = given && !given.broken ? given : await Instance.create(compileCore(options.wasm));
  checkOptions(coreOptions, instance);
  const stored = backend ? await backend.takeStored() : null;
  const snapshot = stored ? undefined : await givenSnapshot(options.snapshot);
  const core = Core.create(instance, coreOptions, stored);
  const clock = new Clock(timeStandsStill(options) ? coreOptions.now : undefined);
  const texts = new OpenApiTexts(options.openapiTexts);
  const cluster = new CoreCluster(core, clock, options.fetchWebhook ?? ((request) => globalThis.fetch(request)), texts, alarm, backend, undefined, functions);
  now = () => cluster.now.getTime();
  try {
    if (snapshot !== undefined) cluster.restore(snapshot);
    if (!stored && options.load !== undefined) await cluster.load(options.load);
    await fill?.(cluster);
    await cluster.stored();
    if (backend || snapshot !== undefined || options.load !== undefined || fill) cluster.markInitialState();
  } catch (error) {
    cluster.dispose();
    throw error;
  }
  return cluster;
}

function givenSnapshot(snapshot: ClusterOptions['snapshot']): SnapshotDocument | undefined | Promise<SnapshotDocument> {
  return typeof snapshot === 'function' ? snapshot() : snapshot;
}
