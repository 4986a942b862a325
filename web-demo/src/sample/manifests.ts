// The sample: a small shop that has been running for a while.
import ground from './ground.yaml?raw';
import pods from './pods.yaml?raw';
import shop from './shop.yaml?raw';
import today from './today.yaml?raw';

export const kMinute = 60_000;
const kDay = 24 * 60 * kMinute;

/** Manifests with their age in milliseconds, oldest first: before the cluster lives, and since. */
export const kHistory = {
  before: [
    { age: 41 * kDay, manifest: ground },
    { age: 23 * kDay, manifest: shop },
  ],
  since: [{ age: 18 * kMinute, manifest: today }],
} as const;

/** All of it, for a server, whose control loops may be off: with the pods that they would make. */
export const kAll = [ground, shop, pods, today] as const;

/** The namespaces of the sample. */
export const kNamespaces = ['shop', 'monitoring'];
