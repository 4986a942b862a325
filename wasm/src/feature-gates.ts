// Kubernetes' switches. Those of 1.36 that change what an API server answers are known; others would be switches
// without a wire, so they are refused as kube-apiserver refuses an unknown one.

interface Gate {
  on: boolean;
  /** Generally available: may be named, but not changed. */
  locked?: boolean;
}

const kGates: Readonly<Record<string, Gate>> = {
  APIResponseCompression: { on: true },
  AllowUnsafeMalformedObjectDeletion: { on: false },
  CBORServingAndStorage: { on: false },
  ConcurrentWatchObjectDecode: { on: false },
  ConsistentListFromCache: { on: true, locked: true },
  CustomResourceFieldSelectors: { on: true, locked: true },
  DetectCacheInconsistency: { on: true },
  ListFromCacheSnapshot: { on: true },
  ShardedListAndWatch: { on: false },
  WatchList: { on: true },
};

/** Throws a TypeError that says which gate is wrong. */
export function checkFeatureGates(gates: Readonly<Record<string, boolean>>): void {
  for (const [name, on] of Object.entries(gates)) {
    const gate = Object.hasOwn(kGates, name) ? kGates[name] : undefined;
    if (!gate) throw new TypeError(`unrecognized feature gate: ${name}`);
    if (gate.locked && on !== gate.on) {
      throw new TypeError(`cannot set feature gate ${name} to ${on}, feature is locked to ${gate.on}`);
    }
  }
}
