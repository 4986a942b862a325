// What a terminal shows of the text that is written to it: lines and a cursor. Of escape sequences it follows those that move the
// cursor and erase; colours and titles are left out.

/** Lines that are kept. */
const kMostLines = 2000;
const kTabStop = 8;
/** An escape sequence: CSI with parameters and a final letter, OSC up to its end, or one character. */
const kEscape = /^\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^[\]])/;
/** One that has not come whole. */
const kOpenEscape = /^\x1b(?:\[[0-?]*[ -/]*|\][^\x07]*)?$/;

export class Screen {
  #lines: string[] = [''];
  #row = 0;
  #column = 0;
  /** The beginning of an escape sequence. */
  #waiting = '';

  get lines(): readonly string[] {
    return this.#lines;
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column };
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
    this.#lines = [this.#lines[this.#row]!];
    this.#row = 0;
  }

  #put(text: string): void {
    const line = this.#line.padEnd(this.#column);
    this.#line = line.slice(0, this.#column) + text + line.slice(this.#column + text.length);
    this.#column += text.length;
  }

  #control(char: string): void {
    if (char === '\r') this.#column = 0;
    else if (char === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (char === '\t') this.#column += kTabStop - (this.#column % kTabStop);
    else if (char === '\n') this.#moveDown();
  }

  #moveDown(): void {
    if (++this.#row === this.#lines.length) this.#lines.push('');
    if (this.#lines.length <= kMostLines) return;
    this.#lines.shift();
    this.#row--;
  }

  #follow(letter: string, parameters: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 0);
    if (letter === 'C') this.#column += count;
    else if (letter === 'D') this.#column = Math.max(0, this.#column - count);
    else if (letter === 'K') this.#eraseLine(parameters);
    else if (letter === 'J' && /^[23]$/.test(parameters)) this.#eraseAll();
    else if (letter === 'J') this.#lines = [...this.#lines.slice(0, this.#row), this.#line.slice(0, this.#column)];
  }

  #eraseLine(part: string): void {
    if (part === '1') this.#line = ' '.repeat(this.#column) + this.#line.slice(this.#column);
    else this.#line = part === '2' ? '' : this.#line.slice(0, this.#column);
  }

  #eraseAll(): void {
    this.#lines = [''];
    this.#row = this.#column = 0;
  }

  get #line(): string {
    return this.#lines[this.#row]!;
  }

  set #line(text: string) {
    this.#lines[this.#row] = text;
  }
}
