import '../../style/command-line.css';
import '../../style/terminal.css';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { endInput, type Exit, readChannels, resize, type } from '../../api/containers';
import type { Run } from '../../api/ansi';
import { Screen } from '../../api/screen';
import type { Connection } from '../../api/transport';
import { keySends, lineTyping, rawTyping } from '../../api/typing';
import { Styled } from './styled';

interface Props {
  connection: Connection;
  /** The other side is a terminal, too: it shows what is typed. */
  tty: boolean;
  label: string;
  /** False if what is typed goes nowhere. */
  takesInput?: boolean;
  /** Takes the keyboard at once. */
  focused?: boolean;
  /** Called to close the connection. */
  onLeave(): void;
  /** Called once, when the connection has ended. `shown`: what is shown. */
  onExit(exit: Exit, shown: readonly Run[]): void;
}

/** A terminal on an open connection. Tab and Shift+Tab leave it, as everything else on a page. */
export function Terminal({ connection, tty, label, takesInput = true, focused, onLeave, onExit }: Props) {
  const { screen, drawn, draw } = useScreen();
  const input = useRef<HTMLTextAreaElement>(null);
  const output = useRef<HTMLDivElement>(null);
  const size = useRef('');
  const typed = useMemo(() => {
    const show = (text: string) => (screen.write(text), draw());
    const way = { send: (text: string) => type(connection, text), end: () => endInput(connection), leave: onLeave, show };
    return tty ? rawTyping(way) : lineTyping(way);
  }, [connection, tty]);

  useEffect(() => {
    let there = true;
    // Without a terminal, lines end without a return.
    const show = (text: string) => {
      screen.write(tty ? text : text.replaceAll('\n', '\r\n'));
      draw();
    };
    readChannels(connection, { out: show, err: show })
      .catch((fault: Error): Exit => ({ code: 1, message: fault.message }))
      .then((exit) => there && onExit(exit, screen.runs({ row: 0, column: 0 }, screen.end)));
    return () => void (there = false);
  }, [connection]);
  useEffect(() => {
    if (!tty) return;
    const observer = new ResizeObserver(() => {
      if (!output.current) return;
      const { columns, rows } = sizeOf(output.current);
      if (columns === 0 || size.current === `${columns}x${rows}`) return;
      size.current = `${columns}x${rows}`;
      resize(connection, columns, rows);
    });
    observer.observe(output.current!);
    return () => observer.disconnect();
  }, [connection, tty]);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [connection]);
  useLayoutEffect(() => {
    if (output.current) output.current.scrollTop = output.current.scrollHeight;
  }, [drawn]);

  const onKeyDown = (event: KeyboardEvent) => {
    const copies = event.key.toLowerCase() === 'c' && event.ctrlKey && getSelection()?.isCollapsed === false;
    const text = copies || event.isComposing ? undefined : keySends(event);
    if (text === undefined) {
      // What begins to be typed at the output goes to the input.
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) input.current?.focus();
      return;
    }
    event.preventDefault();
    if (text === '\f') (screen.clear(), draw());
    else typed(text);
  };
  const take = (area: HTMLTextAreaElement) => {
    const text = area.value.replaceAll('\n', '\r');
    area.value = '';
    if (text !== '') typed(text);
  };
  const { row, column } = screen.cursor;
  const cursor = screen.lines[row]![column] ?? ' ';
  return (
    <div class="terminal mono" onKeyDown={takesInput ? onKeyDown : undefined} onClick={() => getSelection()?.isCollapsed && input.current?.focus()}>
      <div class="printed" role="log" aria-label={label} tabIndex={0} ref={output}>
        <pre>
          <Styled runs={screen.runs({ row: 0, column: 0 }, { row, column })} />
          {takesInput && <span class="terminal-cursor">{cursor}</span>}
          <Styled runs={screen.runs({ row, column: takesInput ? column + 1 : column })} />
        </pre>
      </div>
      {takesInput && (
        <textarea
          ref={input}
          aria-label={`${label}: input`}
          aria-description="Tab leaves it"
          rows={1}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          onInput={(event) => (event as InputEvent).isComposing || take(event.currentTarget)}
          onCompositionEnd={(event) => take(event.currentTarget)}
        />
      )}
    </div>
  );
}

/** A screen that is drawn once a frame, however much is written. */
function useScreen() {
  const screen = useMemo(() => new Screen(), []);
  const [drawn, redraw] = useReducer((count: number) => count + 1, 0);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const draw = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      redraw(undefined);
    });
  };
  return { screen, drawn, draw };
}

/** Returns how many characters find room. */
function sizeOf(box: HTMLElement): { columns: number; rows: number } {
  const sample = document.createElement('span');
  sample.textContent = '0000000000';
  sample.className = 'terminal-sample';
  box.append(sample);
  const { width, height } = sample.getBoundingClientRect();
  sample.remove();
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(box);
  const inner = (whole: number, ...paddings: string[]) => paddings.reduce((rest, padding) => rest - Number.parseFloat(padding), whole);
  return {
    columns: Math.floor(inner(box.clientWidth, paddingLeft, paddingRight) / (width / 10)) || 0,
    rows: Math.floor(inner(box.clientHeight, paddingTop, paddingBottom) / height) || 0,
  };
}
