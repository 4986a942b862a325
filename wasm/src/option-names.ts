import { type ClusterOptions, kOptionNames } from './cluster-options.js';
import { nearestName } from './nearest-name.js';

/** Throws a TypeError for an option that does not exist. */
export function checkOptionNames(options: ClusterOptions): void {
  if (options === null || typeof options !== 'object') throw new TypeError('tabernetes: the options are an object');
  for (const name of Object.keys(options)) {
    if (kOptionNames.includes(name)) continue;
    const nearest = nearestName(name, kOptionNames);
    throw new TypeError(`tabernetes: there is no option "${name}"${nearest === undefined ? '' : `, did you mean "${nearest}"?`}`);
  }
}
