// Reads the file of --config: YAML, a mapping from flag names to values.
import { nearestName } from '../nearest-name.js';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, type Document } from 'yaml';

/** A position in a file, counted from 1. */
export interface Place {
  line: number;
  column: number;
}

export interface ConfigValue {
  /** The value as a command line would have it. */
  text: string;
  place: Place;
}

export interface ConfigEntry {
  /** The name of the flag, without dashes. */
  flag: string;
  place: Place;
  isList: boolean;
  /** One value, or several for a list. */
  values: ConfigValue[];
}

/** An error in the file, with its position. */
export class ConfigError extends Error {
  constructor(
    readonly place: Place,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Returns the entries of one document, in order; none if the document is empty. A scalar is returned as its text,
 * whatever type YAML gives it. Throws a ConfigError if the document is not a mapping of names to scalars and lists of
 * scalars, if a name occurs twice, or if there is a second document.
 */
export function parseConfig(text: string): ConfigEntry[] {
  return new ConfigReader(text).read();
}

/** Returns the message for an unknown flag: `unknown flag "lisen", did you mean "listen"?` */
export function unknownFlag(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return `unknown flag "${name}"${nearest === undefined ? '' : `, did you mean "${nearest}"?`}`;
}

class ConfigReader {
  readonly #lines = new LineCounter();
  readonly #documents: Document[];

  constructor(text: string) {
    const options = { lineCounter: this.#lines, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
    this.#documents = [...parseAllDocuments(text, options)];
  }

  read(): ConfigEntry[] {
    for (const { errors } of this.#documents) {
      if (errors[0]) throw new ConfigError(this.#placeAt(errors[0].pos[0]), `no YAML: ${errors[0].message}`);
    }
    const [document, second] = this.#documents;
    if (second) throw new ConfigError(this.#placeOf(second.contents), 'a second document');
    const root = document?.contents ?? null;
    if (root === null || isNull(root)) return [];
    if (!isMap(root)) throw new ConfigError(this.#placeOf(root), 'a mapping from flags to values is needed');

    const entries: ConfigEntry[] = [];
    for (const { key, value } of root.items) {
      const entry = this.#readEntry(key as Node, value as Node | null);
      const first = entries.find(({ flag }) => flag === entry.flag);
      if (first) throw new ConfigError(entry.place, `${entry.flag}: given in line ${first.place.line} already`);
      entries.push(entry);
    }
    return entries;
  }

  #readEntry(key: Node, value: Node | null): ConfigEntry {
    const place = this.#placeOf(key);
    if (!isScalar(key)) throw new ConfigError(place, 'the name of a flag is needed');
    const flag = textOf(key);
    const node = this.#followed(value);
    const isList = isSeq(node);
    const items = isList ? (node.items as (Node | null)[]) : [node];
    return { flag, place, isList, values: items.map((item) => this.#readValue(flag, place, item)) };
  }

  /** An empty value has no position of its own, so it takes that of its flag. */
  #readValue(flag: string, ofFlag: Place, item: Node | null): ConfigValue {
    const node = this.#followed(item);
    if (node === null || isNull(node)) throw new ConfigError(ofFlag, `${flag}: a value is needed`);
    const place = this.#placeOf(node);
    if (!isScalar(node)) throw new ConfigError(place, `${flag}: a single value is needed`);
    return { text: textOf(node), place };
  }

  #followed(node: Node | null): Node | null {
    if (!isAlias(node)) return node;
    const anchored = node.resolve(this.#documents[0]!);
    if (anchored) return anchored;
    throw new ConfigError(this.#placeOf(node), `no YAML: the referenced anchor is not defined: ${node.source}`);
  }

  #placeOf(node: Node | null): Place {
    return this.#placeAt(node?.range?.[0] ?? 0);
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

const isNull = (node: Node) => isScalar(node) && node.value === null;

function textOf(node: { value: unknown; source?: string }): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}
