import { callShared, throwFault } from './shared.js';

/**
 * Compares two resource versions of one resource: negative if the first is older, positive if it is newer, 0 if they
 * are equal. Versions are decimal numbers of any length. Throws an Error if one is not: `resource version is not well
 * formed: 007`.
 *
 * ```ts
 * const newest = pods.map((pod) => pod.metadata.resourceVersion).sort(compareResourceVersions).at(-1);
 * ```
 */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 {
  const { fault, order } = callShared(({ core }) => core.compareResourceVersions(String(a), String(b)));
  throwFault(fault);
  return Math.sign(order) as -1 | 0 | 1;
}
