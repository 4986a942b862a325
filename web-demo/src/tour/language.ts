// The language of proofs: one step a line, a request and what must be true of its answer (web-demo/tour/README.md).

/** What a step does. `open` begins a request and goes on; `read` waits for it. `soon` repeats a request until it is right. */
export type Action =
  | { do: 'send' | 'open' | 'soon' | 'every'; request: RequestText }
  | { do: 'read'; of: string }
  | { do: 'make'; target: string; names: string[]; size: number; labels: string }
  | { do: 'role'; verbs: string[]; resources: string[]; group: string }
  | { do: 'clock'; milliseconds: number }
  | { do: 'compact' }
  | { do: 'corrupt'; target: string }
  | { do: 'compare'; versions: [string, string] };

export interface RequestText {
  method: string;
  target: string;
  /** The user that the caller acts as; empty for the caller itself. */
  as: string;
  accept: string;
  contentType: string;
  headers: [string, string][];
  body: string;
}

export interface Step {
  /** The line as it is written. */
  line: string;
  /** The name under which its answer is kept; empty if none. */
  name: string;
  action: Action;
  checks: Check[];
}

/** One thing that must be true of an answer: `path operator value`. */
export interface Check {
  text: string;
  path: string;
  operator: Operator;
  value: string;
}

export const kOperators = [
  'is', 'isnt', 'has', 'lacks', 'exists', 'absent', 'matches', 'counts', 'begins', 'keys', 'fresh', 'grows', '<', '>', '>=', 'are',
] as const;
export type Operator = (typeof kOperators)[number] | 'status' | 'type' | 'events' | 'quiet';

/** Returns the steps of a proof. Throws an Error that names the line if there is a fault in it. */
export function parseProof(text: string): Step[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseStep);
}

function parseStep(line: string): Step {
  const [, name = '', rest = ''] = /^(?:(\w+) := )?(.*)$/.exec(line) ?? [];
  const arrow = rest.lastIndexOf(' -> ');
  const head = arrow < 0 ? rest : rest.slice(0, arrow);
  const tail = arrow < 0 ? '' : rest.slice(arrow + 4);
  try {
    return { line, name, action: parseAction(head), checks: tail === '' ? [] : tail.split(' | ').map(parseCheck) };
  } catch (fault) {
    throw new Error(`${(fault as Error).message} in: ${line}`);
  }
}

const kUnits: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

function parseAction(head: string): Action {
  const [word = '', ...words] = head.split(' ');
  switch (word) {
    case 'OPEN':
    case 'SOON':
    case 'EVERY':
      return { do: word.toLowerCase() as 'open', request: parseRequest(head.slice(word.length + 1)) };
    case 'READ':
      return { do: 'read', of: words[0]! };
    case 'COMPACT':
      return { do: 'compact' };
    case 'CORRUPT':
      return { do: 'corrupt', target: words[0]! };
    case 'COMPARE':
      return { do: 'compare', versions: [words[0]!, words[1]!] };
    case 'CLOCK': {
      const [, count, unit] = /^\+(\d+)([smh])$/.exec(words[0]!)!;
      return { do: 'clock', milliseconds: Number(count) * kUnits[unit!]! };
    }
    case 'ROLE':
      return { do: 'role', verbs: words[0]!.split(','), resources: words[1]!.split(','), group: words[2] ?? '' };
    case 'MAKE':
      return parseMake(words);
    default:
      return { do: 'send', request: parseRequest(head) };
  }
}

/** `MAKE CM a b c labels x=y` or `MAKE CM 200 of 2048`: objects to begin with. */
function parseMake([target = '', ...words]: string[]): Action {
  const at = words.indexOf('labels');
  const labels = at < 0 ? '' : words[at + 1]!;
  const rest = at < 0 ? words : words.slice(0, at);
  const count = Number(rest[0]);
  if (Number.isNaN(count)) return { do: 'make', target, names: rest, size: 0, labels };
  const names = Array.from({ length: count }, (_, i) => `m${String(i).padStart(4, '0')}`);
  return { do: 'make', target, names, size: rest[1] === 'of' ? Number(rest[2]) : 0, labels };
}

const kMethods = /^(GET|POST|PUT|PATCH|DELETE|HEAD|WATCH)$/;

export function parseRequest(text: string): RequestText {
  const request: RequestText = { method: '', target: '', as: '', accept: '', contentType: '', headers: [], body: '' };
  let rest = text.trim();
  const take = (pattern: RegExp) => {
    const found = pattern.exec(rest);
    if (found) rest = rest.slice(found[0].length).trimStart();
    return found;
  };
  request.as = take(/^AS (\S+) /)?.[1] ?? '';
  request.method = take(/^\S+/)?.[0] ?? '';
  if (!kMethods.test(request.method)) throw new Error(`no such step as ${request.method}`);
  request.target = take(/^\S+/)?.[0] ?? '';
  for (;;) {
    const option = take(/^([ACH]):(?:"([^"]*)"|(\S+))/);
    if (!option) break;
    const value = option[2] ?? option[3] ?? '';
    if (option[1] === 'A') request.accept = value;
    else if (option[1] === 'C') request.contentType = value;
    else request.headers.push(value.split(/: */, 2) as [string, string]);
  }
  request.body = rest;
  return request;
}

function parseCheck(text: string): Check {
  const plain = (operator: Operator, value: string): Check => ({ text, path: '', operator, value });
  if (/^\d{3}( \w+)?$/.test(text)) return plain('status', text);
  if (text.startsWith('type ')) return plain('type', text.slice(5));
  if (text === 'no events') return plain('quiet', '');
  if (text.startsWith('events ')) return plain('events', text.slice(7));
  // A path has no spaces outside of quotes.
  const [, path = '', operator = '', value = ''] = /^((?:"[^"]*"|\S)+) (\S+)(?: (.*))?$/.exec(text) ?? [];
  if (!(kOperators as readonly string[]).includes(operator)) throw new Error(`no such check as '${text}'`);
  return { text, path, operator: operator as Operator, value };
}
