// JSONPath templates as kubectl reads them: `{.items[*].metadata.name}`, `{range …}…{end}`, filters.
import { CommandError } from './session';

/** Returns the text that a template makes of an object. Throws a CommandError. */
export function jsonPathText(template: string, object: unknown): string {
  const parts = partsOf(template.includes('{') ? template : `{${template.startsWith('.') || template.startsWith('$') ? template : `.${template}`}}`);
  try {
    return render(parts, { index: 0 }, object, object);
  } catch (fault) {
    if (!(fault instanceof OutOfBounds)) throw fault;
    const told = `Error executing template: ${fault.message}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${template}\n\tobject given to jsonpath engine was:\n\t\t${goSyntax(object)}`;
    throw new CommandError(`error: error executing jsonpath ${JSON.stringify(template)}: ${told}\n\n`);
  }
}

class OutOfBounds extends Error {}

/** A value as Go writes it in its own syntax. */
function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'object') return `map[string]interface {}{${Object.entries(value!).map(([key, each]) => `${JSON.stringify(key)}:${goSyntax(each)}`).join(', ')}}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Returns the values that one path leads to. */
export function jsonPathValues(path: string, object: unknown): unknown[] {
  return valuesOf(path.replace(/^\{|\}$/g, ''), object, object);
}

type Part = { text: string } | { path: string };

function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let rest = template;
  while (rest !== '') {
    const open = rest.indexOf('{');
    if (open < 0) return [...parts, { text: rest }];
    if (open > 0) parts.push({ text: rest.slice(0, open) });
    const close = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^}"'])*\}/.exec(rest.slice(open + 1));
    if (!close) throw new CommandError(`error: error parsing jsonpath ${template}, unclosed action`);
    parts.push({ path: close[0].slice(0, -1).trim() });
    rest = rest.slice(open + 1 + close[0].length);
  }
  return parts;
}

function render(parts: readonly Part[], at: { index: number }, object: unknown, root: unknown): string {
  let text = '';
  for (; at.index < parts.length; at.index++) {
    const part = parts[at.index]!;
    if ('text' in part) text += part.text;
    else if (part.path === 'end') return text;
    else if (part.path.startsWith('range ')) {
      const begin = at.index + 1;
      const values = valuesOf(part.path.slice(6).trim(), object, root).flatMap((each) => (Array.isArray(each) ? each : [each]));
      let last = begin;
      for (const value of values.length > 0 ? values : [undefined]) {
        const inner = { index: begin };
        const one = render(parts, inner, value, root);
        if (values.length > 0) text += one;
        last = inner.index;
      }
      at.index = last;
    } else text += valuesOf(part.path, object, root).map(textOf).join(' ');
  }
  return text;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function valuesOf(path: string, object: unknown, root: unknown): unknown[] {
  const literal = /^"((?:[^"\\]|\\.)*)"$/.exec(path);
  if (literal) return [JSON.parse(path)];
  if (/^'.*'$/.test(path)) return [path.slice(1, -1)];
  let values: unknown[] = [path.startsWith('$') ? root : object];
  let rest = path.replace(/^[$@]/, '');
  while (rest !== '') {
    const step = /^(?:\.\.(?<deep>[\w-]+|\*)|\.?\[\?\((?<filter>(?:[^[\]]|\[[^\]]*\])*)\)\]|\.?\[(?<list>[^\]]*)\]|\.(?<name>(?:[^.[\\]|\\.)+)|(?<bare>[\w-]+)|(?<dot>\.))/.exec(rest);
    if (!step?.groups) throw new CommandError(`error: error parsing jsonpath {${path}}, unrecognized character in action`);
    rest = rest.slice(step[0].length);
    const { deep, filter, list, name = step.groups.bare } = step.groups;
    if (deep !== undefined) values = values.flatMap((each) => descend(each, deep));
    else if (filter !== undefined) values = values.flatMap(members).filter((each) => matches(filter, each, root));
    else if (list !== undefined) values = values.flatMap((each) => select(each, list));
    else if (name !== undefined) values = values.flatMap((each) => (name === '*' ? members(each) : child(each, name.replaceAll('\\', ''))));
  }
  return values;
}

const members = (value: unknown): unknown[] => (Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : []);

function child(value: unknown, name: string): unknown[] {
  const found = (Object(value) as Record<string, unknown>)[name];
  return found === undefined ? [] : [found];
}

function descend(value: unknown, name: string): unknown[] {
  return [...(name === '*' ? members(value) : child(value, name)), ...members(value).flatMap((each) => descend(each, name))];
}

function select(value: unknown, list: string): unknown[] {
  const quoted = /^['"](.*)['"]$/.exec(list);
  if (quoted) return child(value, quoted[1]!);
  if (list === '*') return members(value);
  if (!Array.isArray(value)) return [];
  return list.split(',').flatMap((part) => {
    if (!part.includes(':')) {
      const index = Number(part);
      if (index >= value.length || index < -value.length) throw new OutOfBounds(`array index out of bounds: index ${index}, length ${value.length}`);
      return value.slice(index).slice(0, 1);
    }
    const [from = '', to = '', step = ''] = part.split(':');
    const slice = value.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to));
    return step === '' ? slice : slice.filter((_, index) => index % Number(step) === 0);
  });
}

function matches(filter: string, value: unknown, root: unknown): boolean {
  const [, left = '', operator, right = ''] = /^\s*(\S+?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*$/.exec(filter) ?? [];
  const [a] = valuesOf(left, value, root);
  if (operator === undefined) return a !== undefined;
  const b: unknown = /^[@$'"]/.test(right) ? valuesOf(right, value, root)[0] : right === 'true' ? true : right === 'false' ? false : Number(right);
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return (a as number) < (b as number);
    case '>':
      return (a as number) > (b as number);
    case '<=':
      return (a as number) <= (b as number);
    default:
      return (a as number) >= (b as number);
  }
}
