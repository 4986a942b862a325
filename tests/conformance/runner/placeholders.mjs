// The placeholders of the recordings. In an expectation `{{uid:1}}` accepts any UUID the first time; from then on, in
// requests too, it stands for that one.
//
// Tested by placeholders.test.mjs.

const kPlaceholder = /\{\{([a-zA-Z]+)(?::([0-9]+))?\}\}/g;

// The values that each placeholder accepts.
const kShapes = {
  uid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  rv: '[1-9][0-9]*',
  time: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z',
  microTime: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z',
  nanoTime: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{1,9}Z',
  suffix: '(?:[0-9a-f]{16}|[bcdfghjklmnpqrstvwxz2456789]{5})',
  ordinal: '\\d+',
  continue: '[A-Za-z0-9_-]+',
  token: '[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+',
  clusterIP: '10\\.96\\.\\d{1,3}\\.\\d{1,3}',
  nodePort: '3[0-2]\\d{3}',
  age: '(?:\\d+[smhdy])+',
  unixTime: '\\d{10}',
  keyID: '[A-Za-z0-9_-]+',
  hash: '[0-9A-Fa-f]+',
  certificate: '-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----\\n',
  auditID: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  duration: '\\d+(?:\\.\\d+)?m?s',
  etag: '(?:W/)?"[^"]+"',
};

// Not numbered. A request that contains one sends the last value seen.
const kTimes = { time: '2026-01-01T00:00:00Z', microTime: '2026-01-01T00:00:00.000000Z' };

// Placeholders for JSON numbers, although they are written as strings.
const kNumeric = new Set(['nodePort', 'unixTime']);

// Two numbers of one of these must have different values.
const kDistinct = new Set(['uid', 'rv', 'suffix', 'ordinal', 'nodePort', 'clusterIP', 'continue', 'token']);

const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const hasPlaceholder = (text) => text.includes('{{');

/** Returns true if `text` is one placeholder for a JSON number. */
export function isNumericPlaceholder(text) {
  const match = /^\{\{([a-zA-Z]+)(?::\d+)?\}\}$/.exec(text);
  return match !== null && kNumeric.has(match[1]);
}

export class UnboundPlaceholder extends Error {}

/** The values of the numbered placeholders of one scenario. */
export class Bindings {
  #values = new Map();

  /** @param {string} name such as `rv:1` */
  get(name) {
    return this.#values.get(name);
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    this.#values.set(name, value);
  }

  entries() {
    return [...this.#values];
  }

  copy() {
    const copy = new Bindings();
    copy.adopt(this);
    return copy;
  }

  /** Adopts the values of `other`. @param {Bindings} other */
  adopt(other) {
    for (const [name, value] of other.entries()) this.#values.set(name, value);
  }

  /**
   * Puts the values into a text to send.
   * @param {string} text
   */
  fill(text) {
    return text.replace(kPlaceholder, (whole, kind, number) => {
      const value = number === undefined ? this.get(kind) ?? kTimes[kind] : this.get(`${kind}:${number}`);
      if (value === undefined) throw new UnboundPlaceholder(`${whole} has not appeared in any answer`);
      return value;
    });
  }

  /**
   * Compares `text` with `template` and binds new placeholders.
   * @returns {string | null} why they differ, or null
   */
  match(template, text) {
    if (!hasPlaceholder(template)) return template === text ? null : 'differs';
    const { pattern, names } = this.#compile(template);
    const match = pattern.exec(text);
    if (!match) return 'differs';
    const fresh = names.map((name, i) => [name, match[i + 1]]);
    const next = this.copy();
    for (const [name, value] of fresh) {
      const other = next.#alias(name, value);
      if (other) return `{{${name}}} has the value of {{${other}}}`;
      next.set(name, value);
    }
    this.adopt(next);
    return null;
  }

  // Returns a pattern with a group for each unbound name.
  #compile(template) {
    const names = [];
    let pattern = '^';
    let end = 0;
    for (const match of template.matchAll(kPlaceholder)) {
      pattern += escapeRegExp(template.slice(end, match.index));
      end = match.index + match[0].length;
      pattern += this.#piece(match[1], match[2], match[0], names);
    }
    pattern += `${escapeRegExp(template.slice(end))}$`;
    return { pattern: new RegExp(pattern), names };
  }

  #piece(kind, number, whole, names) {
    const shape = kShapes[kind];
    if (!shape) return escapeRegExp(this.get(kind) ?? whole);
    if (kind in kTimes) names.push(kind);
    if (number === undefined) return `(${kind in kTimes ? '' : '?:'}${shape})`;
    const name = `${kind}:${number}`;
    const bound = this.get(name);
    if (bound !== undefined) return escapeRegExp(bound);
    const seen = names.indexOf(name);
    if (seen >= 0) return `(?:\\${seen + 1})`;
    names.push(name);
    return `(${shape})`;
  }

  // Returns another name of the same kind that already has this value.
  #alias(name, value) {
    const kind = name.split(':')[0];
    if (!kDistinct.has(kind)) return null;
    const found = this.entries().find(([other, held]) => held === value && other !== name && other.startsWith(`${kind}:`));
    return found ? found[0] : null;
  }
}
