// Reads values from text that a user wrote, in any style of YAML or JSON, before the server parses it.
import { yamlLanguage } from '@codemirror/lang-yaml';

type Node = ReturnType<typeof yamlLanguage.parser.parse>['topNode'];

/** Returns the value at `path` of the first document, if it is a plain or quoted scalar on one line; otherwise ''. */
export function writtenScalar(text: string, ...path: readonly string[]): string {
  let node: Node | null | undefined = yamlLanguage.parser.parse(text).topNode.getChild('Document');
  for (const name of path) node = memberOf(node?.getChild('BlockMapping') ?? node?.getChild('FlowMapping'), name, text);
  return scalarOf(node?.lastChild, text);
}

/** Returns the pair of a mapping with this key. */
function memberOf(mapping: Node | null | undefined, name: string, text: string): Node | undefined {
  return mapping?.getChildren('Pair').find((pair) => scalarOf(pair.getChild('Key')?.firstChild, text) === name);
}

function scalarOf(node: Node | null | undefined, text: string): string {
  const written = node ? text.slice(node.from, node.to) : '';
  if (node?.name === 'Literal') return written;
  if (node?.name !== 'QuotedLiteral' || written.includes('\n')) return '';
  if (written.startsWith("'")) return written.slice(1, -1).replaceAll("''", "'");
  try {
    return JSON.parse(written) as string;
  } catch {
    return ''; // contains an escape that only YAML has
  }
}
