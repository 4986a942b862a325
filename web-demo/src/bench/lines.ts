// Formats an object as lines of YAML, each with its difference to another object.
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Line {
  depth: number;
  /** True if the line begins an item of a list. */
  dash: boolean;
  name?: string;
  /** Set for a scalar or an empty container. */
  value?: string;
  /** JSON pointers of the values on the line, outermost first: a dash stands for the item and its first field. */
  pointers: readonly string[];
  change?: 'added' | 'changed' | 'removed';
  /** The former value of a changed line. */
  was?: string;
}

/** Returns the lines of `after`, with those of `before` that were removed. */
export function linesOf(before: unknown, after: unknown): Line[] {
  const lines: Line[] = [];
  members(lines, 0, '', before as Json | undefined, after as Json);
  return lines;
}

const isMap = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: Json) => typeof value !== 'object' || value === null || Object.keys(value).length === 0;

function members(lines: Line[], depth: number, pointer: string, before: Json | undefined, after: Json): void {
  if (Array.isArray(after)) return items(lines, depth, pointer, Array.isArray(before) ? before : undefined, after);
  const old = isMap(before) ? before : undefined;
  const now = after as { [key: string]: Json };
  for (const name of Object.keys(now)) {
    if (pointer === '/metadata' && name === 'managedFields') continue;
    node(lines, { depth, dash: false, name, pointers: [`${pointer}/${escaped(name)}`] }, old?.[name], now[name]!);
  }
  for (const name of Object.keys(old ?? {})) if (!(name in now) && name !== 'managedFields') removed(lines, depth, false, name, old![name]!);
}

function items(lines: Line[], depth: number, pointer: string, before: Json[] | undefined, after: Json[]): void {
  const key = keyOf([...(before ?? []), ...after]);
  const same = (item: Json, i: number) =>
    key === undefined ? before?.[i] : before?.find((old) => (old as { [key: string]: Json })[key] === (item as { [key: string]: Json })[key]);
  const seen = new Set<Json>();
  after.forEach((item, i) => {
    const old = same(item, i);
    if (old !== undefined) seen.add(old);
    node(lines, { depth, dash: true, pointers: [`${pointer}/${i}`] }, old, item);
  });
  before?.forEach((old, i) => {
    if (key === undefined ? i >= after.length : !seen.has(old)) removed(lines, depth, true, undefined, old);
  });
}

/** Guesses the field that identifies the items of a list; undefined if none does. */
function keyOf(list: Json[]): string | undefined {
  return ['name', 'containerPort', 'port', 'mountPath', 'devicePath', 'uid', 'ip', 'type', 'topologyKey'].find((name) =>
    list.every((item) => isMap(item) && name in item),
  );
}

function node(lines: Line[], line: Line, before: Json | undefined, after: Json): void {
  const change = before === undefined ? 'added' : undefined;
  if (isEmpty(after)) {
    const changed = before !== undefined && JSON.stringify(before) !== JSON.stringify(after);
    lines.push({ ...line, value: shown(after), change: changed ? 'changed' : change, ...(changed && isEmpty(before!) && { was: shown(before!) }) });
    return;
  }
  const depth = line.depth + 1;
  if (line.dash && !Array.isArray(after)) return firstMember(lines, { ...line, change }, before, after as { [key: string]: Json });
  lines.push({ ...line, change });
  members(lines, depth, line.pointers.at(-1)!, before, after);
}

/** Writes an item that is a map: its first field follows the dash. */
function firstMember(lines: Line[], line: Line, before: Json | undefined, item: { [key: string]: Json }): void {
  const pointer = line.pointers[0]!;
  const from = lines.length;
  members(lines, line.depth + 1, pointer, before, item);
  const first = lines[from]!;
  lines[from] = { ...first, depth: line.depth, dash: true, pointers: [pointer, ...first.pointers] };
}

function removed(lines: Line[], depth: number, dash: boolean, name: string | undefined, value: Json): void {
  const text = isEmpty(value) ? shown(value) : JSON.stringify(value);
  lines.push({ depth, dash, name, value: text, pointers: [], change: 'removed' });
}

function shown(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const plain = /^[A-Za-z_./][\w ./:@%+=,~-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|~)$|: |\s$|:$/i.test(value);
  return plain ? value : JSON.stringify(value);
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
