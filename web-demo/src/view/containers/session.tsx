import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../../api/client';
import { endInput, type Exit } from '../../api/containers';
import type { Connection } from '../../api/transport';
import { Terminal } from './terminal';

interface Props {
  client: Client;
  /** What is connected to: an exec or an attach. */
  target: string;
  tty: boolean;
  takesInput: boolean;
  label: string;
  /** Said while it is open. */
  open: string;
  /** The button that connects anew. */
  again: string;
  children?: ComponentChildren;
}

/** A button that was pressed gives the keyboard on; a field that is being used does not. */
const mayFocus = () => document.activeElement === document.body || document.activeElement?.tagName === 'BUTTON';

const endOf = ({ code, message }: Exit) => message ?? `ended with exit code ${code}`;

/** A terminal with a connection of its own, which can be ended and made anew. */
export function TerminalSession({ client, target, tty, takesInput, label, open, again, children }: Props) {
  const [attempt, setAttempt] = useState(0);
  const [connection, setConnection] = useState<Connection>(); // undefined between two, so that each has a terminal of its own
  const [state, setState] = useState('connecting');
  const [over, setOver] = useState(false);
  const left = useRef(false);
  const end = (text: string) => {
    setState(text);
    setOver(true);
  };
  useEffect(() => {
    const abort = new AbortController();
    left.current = false;
    setConnection(undefined);
    setOver(false);
    setState('connecting');
    client.connect({ target, signal: abort.signal }).then(
      (opened) => {
        if (abort.signal.aborted) return opened.close();
        setConnection(opened);
        setState(open);
      },
      (fault: Error) => abort.signal.aborted || end(fault.message),
    );
    return () => abort.abort();
  }, [client, target, attempt]);
  const leave = () => {
    left.current = true;
    connection?.close();
  };
  const isOpen = connection !== undefined && !over;
  return (
    <>
      <div class="container-options">
        <span class="muted" role="status">
          {state}
        </span>
        <span class="grow" />
        {children}
        {takesInput && isOpen && (
          <button class="button quiet" title={tty ? undefined : 'Ctrl+D'} onClick={() => (tty ? leave() : endInput(connection))}>
            {tty ? 'Disconnect' : 'End of input'}
          </button>
        )}
        {over && (
          <button class="button" onClick={() => setAttempt(attempt + 1)}>
            {again}
          </button>
        )}
      </div>
      {connection ? (
        <Terminal
          connection={connection}
          tty={tty}
          label={label}
          takesInput={takesInput && !over}
          focused={mayFocus()}
          onLeave={leave}
          onExit={(exit) => end(left.current ? 'disconnected' : endOf(exit))}
        />
      ) : (
        <div class="printed" />
      )}
    </>
  );
}
