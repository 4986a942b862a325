// The sample: a small shop that has been running for a while.
import ground from './ground.yaml?raw';
import pods from './pods.yaml?raw';
import shop from './shop.yaml?raw';
import today from './today.yaml?raw';

const kMinute = 60_000;
const kDay = 24 * 60 * kMinute;

/** Manifests with their age in milliseconds, oldest first. */
export const kHistory = [
  { age: 41 * kDay, manifest: ground },
  { age: 23 * kDay, manifest: shop },
  { age: 6 * kDay, manifest: pods },
  { age: 18 * kMinute, manifest: today },
] as const;

/** The namespaces of the sample. */
export const kNamespaces = ['shop', 'monitoring'];
