import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../../api/client';
import { runIn } from '../../api/containers';
import { LineInput } from './line-input';
import { PrintedLines } from './printed-lines';
import { usePrinted } from './use-printed';

interface Props {
  client: Client;
  /** Path of the pod. */
  pod: string;
  container: string;
}

const kChange = /^\s*cd(\s+\S+)?\s*$/;
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A shell in a container. Each line is an exec of its own, in the folder to which the last `cd` has led. */
export function Shell({ client, pod, container }: Props) {
  const { lines, print, clear } = usePrinted();
  const [folder, setFolder] = useState('');
  const [running, setRunning] = useState<AbortController>();
  const alive = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => alive.current?.abort(), []);
  const run = async (line: string) => {
    const abort = new AbortController();
    alive.current = abort;
    setRunning(abort);
    print('command', line);
    const before = folder === '' ? '' : `cd ${quoted(folder)} && `;
    const moves = kChange.test(line);
    let moved = '';
    const output = { out: (text: string) => (moves ? void (moved += text) : print('out', text)), err: (text: string) => print('err', text) };
    try {
      const { code, message } = await runIn(client, pod, container, ['sh', '-c', before + (moves ? `${line} && pwd` : line)], output, abort.signal);
      if (message) print('err', `${message}\n`);
      else if (code !== 0) print('err', `exit code ${code}\n`);
      else if (moves) setFolder(moved.trim());
    } catch (fault) {
      print('err', abort.signal.aborted ? 'stopped\n' : `${(fault as Error).message}\n`);
    }
    setRunning(undefined);
  };
  return (
    <>
      <div class="container-options">
        <span class="muted">Each line is one exec of sh -c. Folder: {folder || 'where the container starts'}</span>
        <span class="grow" />
        {running && (
          <button class="button" onClick={() => running.abort()}>
            Stop
          </button>
        )}
        <button class="button quiet" onClick={clear}>
          Clear
        </button>
      </div>
      <PrintedLines lines={lines} label="Shell" empty="For example: ls -l /, env, cat /etc/hostname, ps" />
      <LineInput label="Shell command" mark="$" placeholder="ls" disabled={running !== undefined} onLine={(line) => void run(line)} />
    </>
  );
}
