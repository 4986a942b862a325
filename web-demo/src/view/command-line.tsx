import '../style/command-line.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../api/client';
import { completions, runLine, Session } from '../kubectl';
import type { Run } from '../api/ansi';
import type { Exit } from '../api/containers';
import { printedRuns } from '../api/screen';
import type { Connection } from '../api/transport';
import { Styled } from './containers/styled';
import { Terminal } from './containers/terminal';
import { Editor } from './editor';
import { Icon } from './icon';
import { TallButton } from './tall-button';

interface Props {
  client: Client;
  /** The namespace of the table, in which the command line begins; empty for all. */
  namespace: string;
  tall: boolean;
  onTall(tall: boolean): void;
  onClose(): void;
}

interface Printed {
  kind: 'command' | 'out' | 'err';
  text: string;
  /** The text with its colours, if it came from a terminal. */
  runs?: readonly Run[];
}

/** An object that a command lets the user edit. */
interface Editing {
  text: string;
  done(text: string | undefined): void;
}

/** A connection that a command lets the user type into. */
interface Talk {
  connection: Connection;
  tty: boolean;
  /** `shown`: what the terminal shows. */
  done(exit: Exit, shown: readonly Run[]): void;
}

const kMostPrinted = 400;

/** kubectl on the shown cluster. Enter runs, Tab completes, the arrows bring back earlier lines. */
export function CommandLine({ client, namespace, tall, onTall, onClose }: Props) {
  const session = useMemo(() => {
    const made = new Session(client, new Map(), () => client.transport.now());
    made.namespace = namespace || 'default';
    return made;
  }, [client]);
  const { printed, running, editing, talk, run, stop, clear } = useCommands(session);
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [printed, talk]);
  useEndInSight(log);
  return (
    <section class="pane exchange-pane command-line" aria-label="Command line">
      <div class="pane-head">
        <h2>Command line</h2>
        <span class="muted">kubectl on this cluster; namespace {session.namespace}</span>
        <span class="grow" />
        {running && (
          <button class="button" onClick={stop} title={talk ? undefined : 'Ctrl+C'}>
            Stop
          </button>
        )}
        <TallButton tall={tall} onTall={onTall} />
        <button class="button quiet" onClick={clear}>
          Clear
        </button>
        <button class="button quiet" onClick={onClose}>
          Exchanges
        </button>
      </div>
      {editing ? (
        <EditedText editing={editing} />
      ) : (
        <>
          {talk && <Terminal connection={talk.connection} tty={talk.tty} label="Terminal" focused onLeave={stop} onExit={talk.done} />}
          <div class="printed mono" hidden={talk !== undefined} role="log" aria-label="Output" tabIndex={0} ref={log}>
            {printed.map(({ kind, text, runs }, index) => (
              <pre key={index} class={kind}>
                {kind === 'command' ? `$ ${text}` : <Styled runs={runs ?? printedRuns(text)} />}
              </pre>
            ))}
            {printed.length === 0 && <p class="muted">For example: get pods, describe pod NAME, scale deploy/NAME --replicas=3, explain pod.spec, get pods -o yaml | grep image</p>}
          </div>
          <Prompt session={session} hidden={talk !== undefined} onRun={(line) => void run(line)} onStop={stop} />
        </>
      )}
    </section>
  );
}

/** Keeps the end in sight when other things take room or give it back. */
function useEndInSight(box: { current: HTMLElement | null }) {
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => (entry!.target.scrollTop = entry!.target.scrollHeight));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box.current]);
}

function EditedText({ editing }: { editing: Editing }) {
  const [text, setText] = useState(editing.text);
  return (
    <>
      <Editor text={text} format="yaml" label="Object as yaml" onChange={setText} onSubmit={() => editing.done(text)} />
      <div class="pane-foot">
        <button class="button primary" onClick={() => editing.done(text)} title="Ctrl+S">
          Save
        </button>
        <button class="button" onClick={() => editing.done(undefined)}>
          Cancel
        </button>
      </div>
    </>
  );
}

/** True while `<<EOF` waits for its end. */
function isOpen(line: string): boolean {
  const here = /<<-?\s*['"]?(\w+)['"]?/.exec(line.split('\n')[0] ?? '');
  return here !== null && !line.split('\n').slice(1).some((each) => each.trim() === here[1]);
}

function Prompt({ session, hidden, onRun, onStop }: { session: Session; hidden: boolean; onRun(line: string): void; onStop(): void }) {
  const [line, setLine] = useState('');
  const [offers, setOffers] = useState<readonly string[]>([]);
  const history = useRef<string[]>([]);
  const at = useRef(0);
  const leaving = useRef(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const wasHidden = useRef(true); // it gets the focus when it appears
  useEffect(() => {
    if (wasHidden.current && !hidden) field.current?.focus();
    wasHidden.current = hidden;
  }, [hidden]);
  const write = (text: string) => {
    setLine(text);
    setOffers([]);
  };
  const complete = async () => {
    const found = await completions(line, session);
    const last = /\S*$/.exec(line)![0];
    const common = found.reduce((all, each) => all.slice(0, [...all].findIndex((char, index) => each[index] !== char) >>> 0), found[0] ?? '');
    if (found.length === 1) write(`${line.slice(0, line.length - last.length)}${found[0]}${/[=/]$/.test(found[0]!) ? '' : ' '}`);
    else {
      if (common.length > last.length) setLine(line.slice(0, line.length - last.length) + common);
      setOffers(found);
    }
  };
  const recall = (step: number) => {
    at.current = Math.min(Math.max(at.current + step, 0), history.current.length);
    write(history.current[at.current] ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, shiftKey } = event;
    const leaves = leaving.current;
    leaving.current = key === 'Escape';
    if (key === 'Enter' && !shiftKey && !isOpen(line)) {
      event.preventDefault();
      if (line.trim() === '') return;
      history.current.push(line);
      at.current = history.current.length;
      onRun(line);
      write('');
    } else if (key === 'Tab' && !shiftKey && line !== '' && !leaves) {
      event.preventDefault();
      void complete();
    } else if (key === 'ArrowUp' && !line.includes('\n')) {
      event.preventDefault();
      recall(-1);
    } else if (key === 'ArrowDown' && !line.includes('\n')) {
      event.preventDefault();
      recall(1);
    } else if (key === 'c' && ctrlKey && getSelection()?.isCollapsed) onStop();
  };
  return (
    <div class="prompt" hidden={hidden}>
      {offers.length > 0 && (
        <p class="offers mono" role="status">
          {offers.slice(0, 40).join('  ')}
          {offers.length > 40 && ` … ${offers.length} in all`}
        </p>
      )}
      <label class="mono">
        <span aria-hidden="true">$</span>
        <textarea
          ref={field}
          aria-label="Command"
          aria-description="Tab completes; Escape, then Tab leaves it"
          class="mono"
          rows={Math.min(8, line.split('\n').length)}
          value={line}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          placeholder="get pods"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button class="button icon-only" aria-label="Run" disabled={line.trim() === ''} onClick={() => (onRun(line), write(''))}>
          <Icon name="send" />
        </button>
      </label>
    </div>
  );
}

function useCommands(session: Session) {
  const [printed, setPrinted] = useState<readonly Printed[]>([]);
  const [running, setRunning] = useState<AbortController>();
  const [editing, setEditing] = useState<Editing>();
  const [talk, setTalk] = useState<Talk>();
  const print = (one: Printed) => setPrinted((last) => [...last, one].slice(-kMostPrinted));
  useEffect(() => () => running?.abort(), [running]);
  const run = async (line: string) => {
    const abort = new AbortController();
    setRunning(abort);
    print({ kind: 'command', text: line });
    await runLine(line, session, {
      out: (text) => print({ kind: 'out', text }),
      err: (text) => print({ kind: 'err', text }),
      edit: (text) =>
        new Promise((resolve) => {
          const done = (result: string | undefined) => {
            setEditing(undefined);
            resolve(result);
          };
          setEditing({ text, done });
        }),
      interact: (connection, tty) =>
        new Promise((resolve) => {
          const done = (exit: Exit, runs: readonly Run[]) => {
            setTalk(undefined);
            const text = runs.map((run) => run.text).join('').trimEnd();
            if (text !== '') print({ kind: 'out', text, runs });
            resolve(exit);
          };
          setTalk({ connection, tty, done });
        }),
      signal: abort.signal,
    });
    setRunning((last) => (last === abort ? undefined : last));
  };
  return { printed, running, editing, talk, run, stop: () => running?.abort(), clear: () => setPrinted([]) };
}
