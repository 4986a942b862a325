// The text of kubectl describe: lines with cells, aligned as Go's tabwriter does it with a padding of two spaces.
import { humanAge } from '../../api/age';
import type { KubeObject } from '../session';

type Strings = Readonly<Record<string, string>>;

/** Annotations that are left out, and how long the others may be. */
const kLastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const kLongest = 140;

export class Sheet {
  #text = '';

  constructor(readonly now: Date) {}

  /** Writes a line of cells, two spaces further to the right for each level. */
  line(level: number, ...cells: readonly (string | number | boolean)[]): void {
    this.#text += `${'  '.repeat(level)}${cells.join('\t')}\n`;
  }

  /** Writes lines whose first one begins with `title:`; `<none>` without any. */
  list(title: string, lines: readonly string[], between = '\t'): void {
    const all = lines.length === 0 ? ['<none>'] : lines;
    this.#text += all.map((line, index) => `${index === 0 ? `${title}:` : ''}${between}${line}\n`).join('');
  }

  labels(title: string, labels: Strings = {}): void {
    this.list(title, sortedPairs(labels));
  }

  annotations(title: string, annotations: Strings = {}): void {
    const keys = Object.keys(annotations).filter((key) => key !== kLastApplied).sort();
    this.list(title, keys.flatMap((key) => annotationLines(key, annotations[key]!.replace(/\n$/, ''))));
  }

  /** Name, namespace, labels and annotations, as most descriptions begin. */
  head({ metadata }: KubeObject, namespaced = true): void {
    this.line(0, 'Name:', metadata.name);
    if (namespaced) this.line(0, 'Namespace:', metadata.namespace ?? '');
    this.labels('Labels', metadata.labels);
    this.annotations('Annotations', metadata.annotations);
  }

  /** Writes text as it is. */
  raw(text: string): void {
    this.#text += text;
  }

  /** Ends the alignment: what follows is aligned on its own. */
  flush(): void {
    this.#text = tabbed(this.#text).replaceAll('\t', '');
  }

  age(time: string | null | undefined): string {
    return time ? humanAge(this.now.getTime() - Date.parse(time)) : '<unknown>';
  }

  /** The text with its tabs, as kubectl prints a template of the history. */
  unaligned(): string {
    return this.#text;
  }

  toString(): string {
    return tabbed(this.#text);
  }
}

function annotationLines(key: string, value: string): string[] {
  if (key.length + value.length + 2 <= kLongest && !value.includes('\n')) return [`${key}: ${value}`];
  return [`${key}:`, ...value.split('\n').map((line) => `  ${line.length > kLongest - 2 ? `${line.slice(0, kLongest - 2)}...` : line}`)];
}

const kPadding = 2;

/** Aligns cells that end with a tab: a column is as wide as its widest cell in neighbouring lines that have it. */
export function tabbed(text: string): string {
  const lines = text.split('\n').map((line) => line.split('\t'));
  const widths = lines.map((): number[] => []);
  const most = Math.max(0, ...lines.map((cells) => cells.length - 1));
  for (let column = 0; column < most; column++) {
    for (let from = 0; from < lines.length; from++) {
      let end = from;
      let width = 0;
      for (; end < lines.length && lines[end]!.length - 1 > column; end++) width = Math.max(width, [...lines[end]![column]!].length + kPadding);
      for (let line = from; line < end; line++) widths[line]!.push(width);
      from = Math.max(from, end - 1);
    }
  }
  return lines.map((cells, line) => cells.map((cell, column) => (column < cells.length - 1 ? cell + ' '.repeat(widths[line]![column]! - [...cell].length) : cell)).join('')).join('\n');
}

const sortedPairs = (pairs: Strings) => Object.keys(pairs).sort().map((key) => `${key}=${pairs[key]}`);

/** `a=b,c=d` */
export const formatLabels = (labels: Strings = {}) => sortedPairs(labels).join(',') || '<none>';

const two = (value: number) => String(value).padStart(2, '0');

/** `Fri, 01 May 2026 12:00:00 +0000`, in the zone of this computer, as Go's RFC1123Z. */
export function longTime(time: string | undefined | null): string {
  // The zero of Go's times.
  if (!time) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const date = new Date(time);
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
  const [day = '', month = '', date2 = '', year = ''] = date.toDateString().split(' ');
  return `${day}, ${date2} ${month} ${year} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${zone}`;
}

/** `ReplicaSet/web-1`, or empty. */
export function controllerOf({ metadata }: KubeObject): string {
  const owner = (metadata.ownerReferences as { kind: string; name: string; controller?: boolean }[] | undefined)?.find(({ controller }) => controller);
  return owner ? `${owner.kind}/${owner.name}` : '';
}

/** A list as Go prints one: `[a b]`. */
export const goList = (all: readonly unknown[] = []) => `[${all.join(' ')}]`;
/** `True`, `False`, or `<unset>`. */
export const goBool = (value: boolean | undefined) => (value === undefined ? '<unset>' : value ? 'True' : 'False');
