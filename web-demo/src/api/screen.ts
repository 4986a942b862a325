// What a terminal shows of the text that is written to it: lines, their looks, and a cursor. Of escape sequences it follows those that
// move the cursor, erase, and select colours; titles are left out.
import { kPlain, restyled, type Run, type Style } from './ansi';

/** Lines that are kept. */
const kMostLines = 2000;
const kTabStop = 8;
/** An escape sequence: CSI with parameters and a final letter, OSC up to its end, or one character. */
const kEscape = /^\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^[\]])/;
/** One that has not come whole. */
const kOpenEscape = /^\x1b(?:\[[0-?]*[ -/]*|\][^\x07]*)?$/;

/** `styles`: of each character; empty as long as all are plain. */
interface Line {
  text: string;
  styles: readonly Style[];
}

const kEmpty: Line = { text: '', styles: [] };

export class Screen {
  #lines: Line[] = [kEmpty];
  #row = 0;
  #column = 0;
  #style: Style = kPlain;
  /** The beginning of an escape sequence. */
  #waiting = '';

  get lines(): readonly string[] {
    return this.#lines.map(({ text }) => text);
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column };
  }

  /** Where the last line that is not blank ends. */
  get end(): { row: number; column: number } {
    let row = this.#lines.length - 1;
    while (row > 0 && this.#lines[row]!.text.trim() === '') row--;
    return { row, column: this.#lines[row]!.text.trimEnd().length };
  }

  /** Returns the text from one character to another, line breaks included. Without `end`: to the end of all. */
  runs(from = { row: 0, column: 0 }, end?: { row: number; column: number }): Run[] {
    const last = end?.row ?? this.#lines.length - 1;
    const runs: Run[] = [];
    for (let row = from.row; row <= last; row++) {
      const line = this.#lines[row];
      if (line) addRuns(runs, line, row === from.row ? from.column : 0, row === end?.row ? end.column : line.text.length);
      if (row < last) add(runs, '\n', kPlain);
    }
    return runs;
  }

  write(text: string): void {
    let rest = this.#waiting + text;
    this.#waiting = '';
    while (rest !== '') {
      const plain = /^[^\x00-\x1f\x7f]+/.exec(rest)?.[0];
      if (plain !== undefined) this.#put(plain);
      else if (rest[0] !== '\x1b') this.#control(rest[0]!);
      else if (!kEscape.test(rest) && kOpenEscape.test(rest)) {
        this.#waiting = rest;
        return;
      } else {
        const [whole, parameters = '', letter = ''] = kEscape.exec(rest) ?? ['\x1b'];
        this.#follow(letter, parameters);
        rest = rest.slice(whole.length);
        continue;
      }
      rest = rest.slice(plain?.length ?? 1);
    }
  }

  /** Forgets all lines but that of the cursor. */
  clear(): void {
    this.#lines = [this.#line];
    this.#row = 0;
  }

  #put(text: string): void {
    const { text: before, styles } = this.#line;
    const all = before.padEnd(this.#column);
    const end = this.#column + text.length;
    const whole = all.slice(0, this.#column) + text + all.slice(end);
    this.#line = { text: whole, styles: restyledPart(styles, this.#column, text.length, this.#style) };
    this.#column = end;
  }

  #control(char: string): void {
    if (char === '\r') this.#column = 0;
    else if (char === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (char === '\t') this.#column += kTabStop - (this.#column % kTabStop);
    else if (char === '\n') this.#moveDown();
  }

  #moveDown(): void {
    if (++this.#row === this.#lines.length) this.#lines.push(kEmpty);
    if (this.#lines.length <= kMostLines) return;
    this.#lines.shift();
    this.#row--;
  }

  #follow(letter: string, parameters: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 0);
    // Parameters that begin with one of <=>? are somebody's own.
    if (letter === 'm' && !/^[<=>?]/.test(parameters)) this.#style = restyled(this.#style, parameters);
    else if (letter === 'C') this.#column += count;
    else if (letter === 'D') this.#column = Math.max(0, this.#column - count);
    else if (letter === 'K') this.#eraseLine(parameters);
    else if (letter === 'J' && /^[23]$/.test(parameters)) this.#eraseAll();
    else if (letter === 'J') this.#lines = [...this.#lines.slice(0, this.#row), cut(this.#line, this.#column)];
  }

  #eraseLine(part: string): void {
    const { text, styles } = this.#line;
    if (part === '1') this.#line = { text: ' '.repeat(this.#column) + text.slice(this.#column), styles: restyledPart(styles, 0, this.#column, kPlain) };
    else this.#line = part === '2' ? kEmpty : cut(this.#line, this.#column);
  }

  #eraseAll(): void {
    this.#lines = [kEmpty];
    this.#row = this.#column = 0;
  }

  get #line(): Line {
    return this.#lines[this.#row]!;
  }

  set #line(line: Line) {
    this.#lines[this.#row] = line;
  }
}

const cut = ({ text, styles }: Line, length: number): Line => ({ text: text.slice(0, length), styles: styles.slice(0, length) });

/** Returns `styles` with that of `count` characters from `from` on. */
function restyledPart(styles: readonly Style[], from: number, count: number, style: Style): readonly Style[] {
  if (styles.length === 0 && style === kPlain) return styles;
  const all = Array.from({ length: Math.max(styles.length, from + count) }, (_, index) => styles[index] ?? kPlain);
  return all.fill(style, from, from + count);
}

function add(runs: Run[], text: string, style: Style): void {
  const last = runs.at(-1);
  if (last?.style === style) last.text += text;
  else if (text !== '') runs.push({ text, style });
}

function addRuns(runs: Run[], { text, styles }: Line, from: number, end: number): void {
  const whole = text.padEnd(end);
  if (styles.length === 0) return add(runs, whole.slice(from, end), kPlain);
  for (let at = from; at < end; at++) add(runs, whole[at]!, styles[at] ?? kPlain);
}

/** Returns what a terminal shows of a whole text whose lines end with a new line alone. */
export function printedRuns(text: string): Run[] {
  if (!text.includes('\x1b')) return [{ text, style: kPlain }];
  const screen = new Screen();
  screen.write(text.replaceAll(/\r?\n/g, '\r\n'));
  return screen.runs();
}
