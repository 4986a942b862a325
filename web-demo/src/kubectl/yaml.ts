// YAML as Go's writer of it: sorted keys, lists at their key's indentation, plain scalars where they stay strings.
import { Document, isScalar, visit } from 'yaml';

const kAmbiguous = /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)|[-+]?(?:[0-9][0-9_]*)?\.?[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?|<<|=)$/;

export function yamlOf(value: unknown): string {
  const document = new Document(sorted(value), { version: '1.1' });
  visit(document, {
    Scalar(_, node) {
      if (!isScalar(node) || typeof node.value !== 'string') return;
      if (kAmbiguous.test(node.value) || node.value === '') node.type = 'QUOTE_DOUBLE';
      else if (node.value.includes('\n')) node.type = /[^\S\n]\n|\t|^\s/.test(node.value) ? 'QUOTE_DOUBLE' : 'BLOCK_LITERAL';
      else if (/[\x00-\x1f\x7f]/.test(node.value)) node.type = 'QUOTE_DOUBLE';
      else if (/^[\s\-?:,[\]{}#&*!|>'"%@`]/.test(node.value) && !/^[-?:][^\s]/.test(node.value)) node.type = 'QUOTE_SINGLE';
      else if (/: |:$| #|\s$/.test(node.value)) node.type = 'QUOTE_SINGLE';
      else node.type = 'PLAIN';
    },
  });
  return folded(plainDots(document));
}

/** The column behind which Go's writer goes on in the next line, at the next space. */
const kWidth = 80;

/** Breaks long scalars as Go's writer does it. Texts that keep their lines (`|`) stay. */
function folded(text: string): string {
  let literal = -1;
  const lines = text.split('\n').map((line) => {
    const indent = /^ */.exec(line)![0].length;
    if (literal >= 0 && (indent > literal || line.trim() === '')) return line;
    const [, head = '', dashes = '', key = ''] = /^(( *(?:- )*)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s'"#][^#]*?):(?: |$))?)/.exec(line) ?? [];
    literal = /^\|[-+\d]*$/.test(line.slice(head.length)) ? dashes.length : -1;
    return literal >= 0 || line.length <= kWidth ? line : head + broken(line.slice(head.length), head.length, ' '.repeat(key === '' ? Math.max(dashes.length, 2) : dashes.length + 2));
  });
  return lines.join('\n');
}

function broken(value: string, from: number, indent: string): string {
  let text = '';
  let column = from;
  for (let i = 0; i < value.length; i++) {
    const breaks = value[i] === ' ' && column > kWidth && i > 0 && i < value.length - 1 && value[i - 1] !== ' ' && value[i + 1] !== ' ';
    text += breaks ? `\n${indent}` : value[i];
    column = breaks ? indent.length : column + 1;
  }
  return text;
}

function plainDots(document: Document): string {
  // `.` alone is a field's own mark in managedFields.
  return document.toString({ lineWidth: 0, indentSeq: false, nullStr: 'null', singleQuote: true }).replaceAll(/^( *(?:- )?)'\.':/gm, '$1.:');
}

/** Returns the value with sorted keys, as Go prints maps. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, each]) => [key, sorted(each)]));
}
