// What the schema of a kind says about a text.
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { type Located, type Path, schemaAt } from '../../api/schemas';
import { type Manifest, rangeOf, walk } from './places';
import type { Problem } from './problems';

/** Returns what is wrong in a manifest: unknown fields, wrong types, missing fields. */
export function problemsIn(manifest: Manifest, schema: Located): Problem[] {
  const problems: Problem[] = [];
  const add = (range: { from: number; to: number } | undefined, message: string) => range && problems.push({ ...range, message, source: 'schema' });
  const look = (path: Path, key: { from: number; to: number } | undefined, value: Node | null) => {
    const found = schemaAt(schema, path);
    if (!found) {
      const parent = schemaAt(schema, path.slice(0, -1));
      if (parent && isClosed(parent)) add(key, `unknown field "${path.at(-1)}"`);
      return;
    }
    const wrong = wrongType(found, value);
    if (wrong) return void add(rangeOf(value) ?? key, wrong);
    if (isMap(value)) for (const name of missing(found, value)) add(key ?? rangeOf(value), `missing: ${name}`);
  };
  walk(manifest.root, [], look);
  return problems;
}

/** True if no other fields than the known ones are allowed. */
const isClosed = ({ schema }: Located) => schema.properties !== undefined && !schema.additionalProperties && !schema['x-kubernetes-preserve-unknown-fields'];

function missing({ schema }: Located, value: Node): string[] {
  // The server fills in fields with a default.
  return (schema.required ?? []).filter((name) => isMap(value) && !value.has(name) && schema.properties?.[name]?.default === undefined);
}

function wrongType({ schema }: Located, value: Node | null): string | undefined {
  if (value === null || (isScalar(value) && value.value === null)) return undefined;
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return undefined;
  const is = isMap(value) ? 'object' : isSeq(value) ? 'array' : isScalar(value) ? typeOfScalar(value.value) : 'any';
  const { type } = schema;
  if (!type || is === 'any' || is === type || (type === 'number' && is === 'integer')) {
    const allowed = schema.enum?.filter((each) => each !== '');
    if (!allowed?.length || !isScalar(value) || allowed.includes(value.value)) return undefined;
    return `must be one of ${allowed.join(', ')}`;
  }
  if (type === 'string' && schema.format === 'date-time') return undefined;
  return `must be ${type === 'array' ? 'a list' : type === 'integer' || type === 'object' ? `an ${type}` : `a ${type}`}, is ${is === 'array' ? 'a list' : is}`;
}

function typeOfScalar(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}
