// Completion of fields and values in YAML, by indentation, since text that is being typed often is no YAML yet.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type Located, type Path, resolved, schemaAt, typeName } from '../../api/schemas';

/** Returns what stands before a line, by indentation: the path of the mapping that a key of this indentation is in. */
export function pathBefore(lines: readonly string[], indent: number): Path {
  const path: (string | number)[] = [];
  let limit = indent;
  for (let i = lines.length - 1; i >= 0 && limit >= 0; i--) {
    const line = lines[i]!;
    if (/^\s*(#.*)?$/.test(line)) continue;
    if (/^---/.test(line)) break;
    const [, spaces, dashes, key] = /^( *)((?:- +)*)(?:"?([\w./$-]+)"?:)?/.exec(line)!;
    const column = spaces!.length + dashes!.length;
    if (dashes !== '' && spaces!.length < limit && column <= limit) {
      if (column < limit && key) path.unshift(key);
      path.unshift(0); // any item: they all have one schema
      limit = spaces!.length + 0.5; // the list may be as deep as its key
      continue;
    }
    if (column < limit && key) {
      path.unshift(key);
      limit = spaces!.length;
    }
  }
  return path;
}

const kLine = /^( *(?:- +)*)(?:([\w./$-]*)|([\w./$-]+):\s+(\S*))$/;

/** Completes at the cursor. `find` resolves with the schema of the manifest that the cursor is in. */
export async function complete(context: CompletionContext, find: () => Promise<Located | undefined>): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const typed = kLine.exec(line.text.slice(0, pos - line.from));
  if (!typed) return null;
  const [, lead = '', key, valueOf, value] = typed;
  if (!explicit && (key === '' || (valueOf !== undefined && value === ''))) return null;
  const root = await find();
  if (!root) return null;
  const before = state.doc.sliceString(0, line.from).split('\n').slice(0, -1);
  const dashed = lead.includes('-');
  const path = dashed ? [...pathBefore(before, lead.indexOf('-') + 0.5), 0] : pathBefore(before, lead.length);
  const at = schemaAt(root, path);
  if (!at) return null;
  if (valueOf !== undefined) return valuesOf(at, valueOf, pos - (value ?? '').length);
  return { from: pos - (key ?? '').length, options: fieldsOf(at), validFor: /^[\w./$-]*$/ };
}

function fieldsOf({ schema, components }: Located): Completion[] {
  return Object.entries(schema.properties ?? {}).map(([label, each]) => {
    const field = resolved({ schema: each, components });
    const opens = field.schema.type === 'object' || field.schema.type === 'array';
    return {
      label,
      type: 'property',
      detail: typeName(field),
      info: field.schema.description,
      boost: schema.required?.includes(label) ? 10 : 0,
      apply: `${label}:${opens ? '' : ' '}`,
    };
  });
}

function valuesOf(at: Located, field: string, from: number): CompletionResult | null {
  const found = schemaAt(at, [field]);
  if (!found) return null;
  const values = found.schema.type === 'boolean' ? ['true', 'false'] : (found.schema.enum ?? []).map(String).filter((each) => each !== '');
  return values.length === 0 ? null : { from, options: values.map((label) => ({ label, type: 'enum' })), validFor: /^\S*$/ };
}
