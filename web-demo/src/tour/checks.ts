// Decides whether what a proof says of an answer is true.
import type { Seen } from './answer';
import type { Check } from './language';
import { longMediaType } from './short-forms';
import { filledText, type Kept, valueOf } from './values';

export interface Verdict {
  check: Check;
  good: boolean;
  /** What is there. */
  found: string;
  /** The value that is compared with, without references. */
  wanted: string;
}

export function judge(check: Check, seen: Seen, kept: Kept): Verdict {
  const { good, found } = decide(check, seen, kept);
  return { check, good, found: shown(found), wanted: shown(filledText(kept, check.value)) };
}

interface Decision {
  good: boolean;
  found: unknown;
}

function decide({ path, operator, value }: Check, seen: Seen, kept: Kept): Decision {
  if (operator === 'status') {
    const [code, reason] = value.split(' ');
    const found = seen.at('reason');
    const isRight = seen.status === Number(code) && (reason === undefined || found === reason);
    return { good: isRight, found: `${seen.status} ${typeof found === 'string' ? found : ''}`.trim() };
  }
  if (operator === 'type') return { good: sameType(seen.type, longMediaType(value)), found: seen.type };
  if (operator === 'quiet') return { good: seen.events?.length === 0, found: eventsOf(seen) };
  if (operator === 'events') return { good: hasEvents(seen, filledText(kept, value)), found: eventsOf(seen) };
  const found = seen.at(path);
  return { good: holds(operator, found, value === '' ? undefined : valueOf(kept, value), value, seen), found };
}

const sameType = (found: string, wanted: string) => found.split(';')[0] === wanted.split(';')[0];

function eventsOf({ events = [] }: Seen): string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code ?? ''}`.trim());
}

/** `ADDED a, DELETED a` are the first events in order, `any …` in any order, `only …` all of them. */
function hasEvents(seen: Seen, text: string): boolean {
  const [, mode = '', list = ''] = /^(any |only )?(.*)$/.exec(text) ?? [];
  const wanted = list.split(', ');
  const found = eventsOf(seen);
  if (mode === 'only ' && found.length !== wanted.length) return false;
  const first = found.slice(0, wanted.length);
  if (mode === 'any ') return wanted.every((each) => first.includes(each)) && first.length === wanted.length;
  return wanted.every((each, index) => first[index] === each);
}

/** Returns how many events must have come before the check can be judged; Infinity: all. */
export function awaitedEvents(checks: readonly Check[]): number {
  const counts = checks.map(({ operator, value }) => {
    if (operator === 'quiet' || (operator === 'events' && value.startsWith('only '))) return Infinity;
    return operator === 'events' ? value.split(', ').length : 0;
  });
  return Math.max(0, ...counts);
}

function holds(operator: Check['operator'], found: unknown, wanted: unknown, text: string, seen: Seen): boolean {
  switch (operator) {
    case 'is':
    case 'are':
      return same(found, wanted);
    case 'isnt':
      return found !== undefined && !same(found, wanted);
    case 'exists':
      return found !== undefined && found !== null && found !== '' && found !== 0;
    case 'absent':
      return found === undefined || found === null || found === '';
    case 'has':
      return (Array.isArray(wanted) && !Array.isArray(wanted[0]) ? wanted : [wanted]).every((each) => contains(found, each));
    case 'lacks':
      return !contains(found, wanted);
    case 'matches': {
      const pattern = new RegExp(text);
      return (Array.isArray(found) ? found : [found]).every((each) => pattern.test(String(each)));
    }
    case 'counts':
      return Array.isArray(found) && found.length === wanted;
    case 'begins':
      return Array.isArray(found) ? same(found.slice(0, (wanted as unknown[]).length), wanted) : String(found).startsWith(String(wanted));
    case 'keys':
      return same(Object.keys((found as object | undefined) ?? {}).sort(), [...(wanted as string[])].sort());
    case 'fresh':
      return Math.abs(Date.parse(String(found)) - Date.parse(seen.header('date') ?? new Date().toISOString())) < 10_000;
    case 'grows': {
      const all = found as string[];
      return all.every((each, index) => index === 0 || BigInt(each) > BigInt(all[index - 1]!));
    }
    case '<':
      return Number(found) < Number(wanted);
    case '>':
      return Number(found) > Number(wanted);
    case '>=':
      return Number(found) >= Number(wanted);
    default:
      throw new Error(`no operator ${operator}`);
  }
}

function contains(found: unknown, wanted: unknown): boolean {
  if (typeof found === 'string') return found.includes(String(wanted));
  if (Array.isArray(found)) return found.some((each) => same(each, wanted) || (typeof wanted === 'string' && typeof each === 'string' && each.includes(wanted) && wanted.includes(' ')));
  return typeof found === 'object' && found !== null && String(wanted) in found;
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

const kMostShown = 400;

function shown(found: unknown): string {
  const text = typeof found === 'string' ? found : (JSON.stringify(found) ?? '—');
  return text.length > kMostShown ? `${text.slice(0, kMostShown)}…` : text;
}
