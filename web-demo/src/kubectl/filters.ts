// What can stand behind a pipe: grep, head, tail, wc, sort, uniq.
import { CommandError } from './session';

export const kFilters = ['grep', 'head', 'tail', 'wc', 'sort', 'uniq'];

export function filtered(words: readonly string[], text: string): string {
  const [name = '', ...rest] = words;
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const options = rest.filter((word) => /^-\w/.test(word)).join('');
  const plain = rest.filter((word) => !/^-\w/.test(word));
  const join = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
  const count = Number(/\d+/.exec(options)?.[0] ?? plain[0] ?? 10);
  switch (name) {
    case 'grep':
      return grep(lines, options, plain[0] ?? '', join);
    case 'head':
      return join(lines.slice(0, count));
    case 'tail':
      return join(count === 0 ? [] : lines.slice(-count));
    case 'wc':
      return options.includes('l') ? `${lines.length}\n` : `${lines.length} ${text.split(/\s+/).filter(Boolean).length} ${text.length}\n`;
    case 'sort': {
      const all = [...lines].sort((a, b) => (options.includes('n') ? parseFloat(a) - parseFloat(b) : a < b ? -1 : a > b ? 1 : 0));
      return join(options.includes('r') ? all.reverse() : all);
    }
    case 'uniq':
      return join(lines.filter((line, index) => line !== lines[index - 1]));
    default:
      throw new CommandError(`${name}: command not found; behind a pipe there are ${kFilters.join(', ')}`, 127);
  }
}

function grep(lines: readonly string[], options: string, pattern: string, join: (all: readonly string[]) => string): string {
  const source = options.includes('F') ? pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern;
  const found = new RegExp(options.includes('w') ? `\\b(?:${source})\\b` : source, options.includes('i') ? 'i' : '');
  const matching = lines.filter((line) => found.test(line) !== options.includes('v'));
  return options.includes('c') ? `${matching.length}\n` : join(matching);
}
