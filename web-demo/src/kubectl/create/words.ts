// How flags of `kubectl create` and the like give lists, maps, and numbers.
import type { Flags } from '../flags';
import { CommandError } from '../session';

/** A flag that may be given several times, with several values between commas. */
export const listOf = (flags: Flags, name: string): string[] => [...new Set(flags.all(name).flatMap((each) => each.split(',')).filter(Boolean))];

/** `a=b,c=d`; undefined if empty. `fault`: for a part without `=`. */
export function mapOf(text: string, fault: (part: string) => string): Record<string, string> | undefined {
  if (text === '') return undefined;
  return Object.fromEntries(
    text.split(',').map((part) => {
      const at = part.indexOf('=');
      if (at < 0) throw new CommandError(`error: ${fault(part)}`);
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

/** A number, or a text such as a percentage or a name. */
export const intOrString = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text);

/** Splits at the first `=`. */
export const pairOf = (text: string): [string, string] => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];

/** The fields whose values are neither undefined nor empty. */
export const given = <T extends object>(fields: T): Partial<T> => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0))) as Partial<T>;
