// Where things are in YAML or JSON text: paths of fields, and the place of a path.
import { isMap, isScalar, isSeq, type Node, type ParsedNode, parseAllDocuments } from 'yaml';
import type { Path } from '../../api/schemas';

export interface Range {
  from: number;
  to: number;
}

/** A manifest within the text. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  root: Node;
  /** Of the whole document. */
  from: number;
  to: number;
}

/** Returns the manifests of a text as far as they can be read, and the first fault of its syntax. JSON is read as YAML. */
export function readText(text: string): { manifests: Manifest[]; fault?: Range & { message: string } } {
  const manifests: Manifest[] = [];
  let fault: (Range & { message: string }) | undefined;
  for (const document of parseAllDocuments(text)) {
    if (!('errors' in document)) continue;
    const [error] = document.errors;
    if (error) fault ??= { from: error.pos[0], to: error.pos[1], message: error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '') };
    const root = document.contents as ParsedNode | null;
    if (!isMap(root)) continue;
    const [from, , to] = document.range;
    manifests.push({ apiVersion: String(root.get('apiVersion') ?? ''), kind: String(root.get('kind') ?? ''), root, from, to });
  }
  return { manifests, fault };
}

/** Calls `visit` for each field and item, with its path, the place of its key and its value. */
export function walk(node: unknown, path: Path, visit: (path: Path, key: Range | undefined, value: Node | null) => void): void {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const here = [...path, String(key.value)];
      visit(here, rangeOf(key), (value ?? null) as Node | null);
      walk(value, here, visit);
    }
  } else if (isSeq(node)) {
    node.items.forEach((item, index) => {
      visit([...path, index], undefined, item as Node);
      walk(item, [...path, index], visit);
    });
  }
}

export function rangeOf(node: Node | null | undefined): Range | undefined {
  return node?.range ? { from: node.range[0], to: Math.max(node.range[0], node.range[1]) } : undefined;
}

/** Returns the path of a field as a Status names it: `spec.containers[0].name`, `metadata.labels[a/b]`. */
export function pathOfField(field: string): Path {
  const steps: (string | number)[] = [];
  for (const [, name, inner] of field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) steps.push(name ?? (/^\d+$/.test(inner!) ? Number(inner) : inner!));
  return steps;
}

/** Returns the place of the key of the longest part of a path that is in the text. */
export function placeOf(root: Node, path: Path): Range | undefined {
  let best: Range | undefined;
  let longest = 0;
  walk(root, [], (each, key, value) => {
    if (each.length <= longest || each.length > path.length || !each.every((step, i) => String(step) === String(path[i]))) return;
    longest = each.length;
    best = key ?? rangeOf(value);
  });
  return best;
}
