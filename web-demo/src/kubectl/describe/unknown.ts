// Kinds that kubectl does not know: all their fields.
import type { KubeObject } from '../session';
import type { Sheet } from './sheet';

type Fields = Readonly<Record<string, unknown>>;

export function writeUnknown(sheet: Sheet, object: KubeObject): void {
  const { metadata, apiVersion, kind, ...rest } = object;
  const { labels: _l, annotations: _a, name: _n, namespace: _s, managedFields: _m, ...more } = metadata;
  sheet.head(object);
  writeFields(sheet, { apiVersion, kind, metadata: more, ...rest }, 0);
}

function writeFields(sheet: Sheet, fields: Fields, level: number): void {
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name];
    if (typeof value !== 'object' || value === null) sheet.line(level, `${titleOf(name)}:`, value === null ? '<nil>' : String(value));
    else {
      sheet.line(level, `${titleOf(name)}:`);
      if (!Array.isArray(value)) writeFields(sheet, value as Fields, level + 1);
      else for (const item of value as unknown[]) typeof item === 'object' && item !== null ? writeFields(sheet, item as Fields, level + 1) : sheet.line(level + 1, String(item));
    }
  }
}

const kAcronyms = ['API', 'URL', 'UID', 'OSB', 'GUID'];

/** `resourceVersion` becomes `Resource Version`. Names with other characters than letters stay as they are. */
function titleOf(name: string): string {
  if (/[^\p{L}-]/u.test(name)) return name;
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2').split(' ');
  return words.map((word) => (kAcronyms.includes(word.toUpperCase()) ? word.toUpperCase() : word[0]!.toUpperCase() + word.slice(1))).join(' ');
}
