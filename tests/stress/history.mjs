// The combined observations of all watchers with one selector.
//
// Each watcher reports "after version P came event E". All must report the same: one event after each version, one text
// for each event. At the end every step must lead to the next existing version, so that no watcher had a gap, a
// repeated event, or an order of its own.
export class History {
  next = new Map(); // version → { version, text } that followed it
  events = new Map(); // version → { version, text }
  deliveries = 0;

  /**
   * Records that a watcher at version `behind` got the line `text`. Returns the version it leads to, or undefined for
   * an ERROR.
   */
  take(behind, text) {
    ++this.deliveries;
    const expected = this.next.get(behind);
    if (expected?.text.equals(text)) return expected.version;
    const { type, object } = JSON.parse(text);
    if (type === 'ERROR') return undefined;
    const version = Number(object.metadata.resourceVersion);
    if (!(version > behind)) throw new Error(`version ${version} came behind ${behind}`);
    if (expected) throw new Error(`behind ${behind} came ${version}, for others ${expected.version}: ${text} / ${expected.text}`);
    let event = this.events.get(version);
    if (!event) this.events.set(version, (event = { version, text: Buffer.from(text) }));
    if (!event.text.equals(text)) throw new Error(`version ${version} has two texts: ${event.text} / ${text}`);
    this.next.set(behind, event);
    return version;
  }

  versions() {
    return [...this.events.keys()].sort((a, b) => a - b);
  }

  /** Throws unless each step led to the next version that any watcher saw. */
  check() {
    const all = this.versions();
    const steps = [...this.next].sort(([a], [b]) => a - b);
    let i = 0;
    for (const [behind, { version }] of steps) {
      while (i < all.length && all[i] <= behind) ++i;
      if (all[i] !== version) throw new Error(`behind ${behind} came ${version}; ${all[i]} was left out`);
    }
  }
}
