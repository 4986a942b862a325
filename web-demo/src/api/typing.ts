// What is typed at a terminal, and where it goes: every key to the other side, which shows it (a TTY), or lines, shown here.

/** What a key sends, as of xterm; those that write a character are not here. */
const kKeys: Readonly<Record<string, string>> = {
  Enter: '\r',
  Backspace: '\x7f',
  Escape: '\x1b',
  ArrowUp: '\x1b[A',
  ArrowDown: '\x1b[B',
  ArrowRight: '\x1b[C',
  ArrowLeft: '\x1b[D',
  Home: '\x1b[H',
  End: '\x1b[F',
  Delete: '\x1b[3~',
};
/** Letters that mean something with the control key; a browser keeps others, such as that which closes its tab. */
const kControls = 'acdeklpuz';

/** Returns what a key sends; undefined if it writes a character or is the browser's. */
export function keySends({ key, ctrlKey, altKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>): string | undefined {
  if (altKey || metaKey) return undefined;
  if (!ctrlKey) return kKeys[key];
  const letter = key.toLowerCase();
  return letter.length === 1 && kControls.includes(letter) ? String.fromCharCode(letter.charCodeAt(0) - 96) : undefined;
}

/** Where typing goes. */
export interface Typed {
  send(text: string): void;
  /** Ends the input. */
  end(): void;
  /** Leaves what is connected. */
  leave(): void;
  /** Shows a text. */
  show(text: string): void;
}

/** Returns what takes typing for a TTY: it goes there as it is. */
export const rawTyping =
  ({ send }: Typed) =>
  (text: string): void =>
    send(text);

/** Returns what takes typing without a TTY, as a terminal does by itself: lines, which can be corrected; Ctrl-D ends, Ctrl-C leaves. */
export function lineTyping({ send, end, leave, show }: Typed): (text: string) => void {
  let line = '';
  const earlier: string[] = [];
  let at = 0;
  const replace = (by: string) => {
    show('\b'.repeat(line.length) + '\x1b[K' + by);
    line = by;
  };
  const recall = (step: number) => {
    at = Math.min(Math.max(at + step, 0), earlier.length);
    replace(earlier[at] ?? '');
  };
  const enter = () => {
    show('\r\n');
    send(`${line}\n`);
    if (line !== '') earlier.push(line);
    at = earlier.length;
    line = '';
  };
  const take = (key: string) => {
    if (key === '\r' || key === '\n') enter();
    else if (key === '\x7f') {
      if (line !== '') replace(line.slice(0, -1));
    } else if (key === '\x15') replace('');
    else if (key === '\x03') (show('^C\r\n'), leave());
    else if (key === '\x04') {
      if (line === '') return end();
      send(line);
      line = '';
    } else if (key === '\x1b[A') recall(-1);
    else if (key === '\x1b[B') recall(1);
    else if (!/[\x00-\x1f]/.test(key)) {
      line += key;
      show(key);
    }
  };
  return (text) => {
    if (text.startsWith('\x1b')) return take(text);
    for (const key of text) take(key);
  };
}
