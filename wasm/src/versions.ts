import { callShared, throwFault } from './shared.js';

/**
 * Tells which of two resource versions of one resource is newer: below 0 the second, above 0 the first, 0 neither.
 * Versions are decimal numbers of any length. Throws an Error for what is none: `resource version is not well formed:
 * 007`.
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
