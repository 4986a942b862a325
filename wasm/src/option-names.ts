import { nearestName } from './nearest-name.js';
import type { ClusterOptions } from './options.js';

/** Every option; the compiler checks that none is missing. */
const kNames: Record<keyof ClusterOptions, true> = {
  load: true,
  snapshot: true,
  seed: true,
  now: true,
  watchHistory: true,
  controllers: true,
  nodes: true,
  featureGates: true,
  enableAdmissionPlugins: true,
  disableAdmissionPlugins: true,
  allowPrivileged: true,
  tokenFile: true,
  authorizationMode: true,
  anonymousAuth: true,
  serviceAccountKey: true,
  fetchWebhook: true,
  wasm: true,
  openapiTexts: true,
};

/** Throws a TypeError for an option that does not exist. */
export function checkOptionNames(options: ClusterOptions): void {
  if (options === null || typeof options !== 'object') throw new TypeError('tabernetes: the options are an object');
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(kNames, name)) continue;
    const nearest = nearestName(name, Object.keys(kNames));
    throw new TypeError(`tabernetes: there is no option "${name}"${nearest === undefined ? '' : `, did you mean "${nearest}"?`}`);
  }
}
