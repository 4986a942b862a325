import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../api/client';
import { type LogOptions, readLog } from '../../api/containers';
import { PrintedLines } from './printed-lines';
import { usePrinted } from './use-printed';

interface Props {
  client: Client;
  /** Path of the pod. */
  pod: string;
  container: string;
}

const kSince = { '': 'all of it', 60: 'the last minute', 300: 'the last 5 minutes', 3600: 'the last hour', 86400: 'the last day' };

/** Shows the log of a container, and follows it. */
export function Logs({ client, pod, container }: Props) {
  const [options, setOptions] = useState<Omit<LogOptions, 'container'>>({ follow: true, previous: false, timestamps: false, tailLines: '500', sinceSeconds: '' });
  const { lines, print, clear } = usePrinted();
  const [state, setState] = useState('');
  const change = (part: Partial<typeof options>) => setOptions((last) => ({ ...last, ...part }));
  const asked = JSON.stringify(options);
  useEffect(() => {
    const abort = new AbortController();
    clear();
    setState(options.follow ? 'following' : 'reading');
    // The log of a run that is over grows no more.
    const read = readLog(client, pod, { ...options, follow: options.follow && !options.previous, container }, abort.signal, print);
    read.then(
      () => setState('ended'),
      (fault: Error) => abort.signal.aborted || setState(fault.message),
    );
    return () => abort.abort();
  }, [client, pod, container, asked]);
  const box = (name: 'follow' | 'previous' | 'timestamps', text: string, title: string) => (
    <label title={title}>
      <input type="checkbox" checked={options[name]} onChange={(event) => change({ [name]: event.currentTarget.checked })} /> {text}
    </label>
  );
  return (
    <>
      <div class="container-options">
        {box('follow', 'Follow', 'New lines appear as they are written')}
        {box('previous', 'Previous', 'The run before the last restart')}
        {box('timestamps', 'Times', 'When each line was written')}
        <label>
          Last{' '}
          <input
            type="number"
            min={0}
            class="few"
            aria-label="Last lines"
            placeholder="all"
            value={options.tailLines}
            onInput={(event) => change({ tailLines: event.currentTarget.value })}
          />{' '}
          lines
        </label>
        <select aria-label="Since" value={options.sinceSeconds} onChange={(event) => change({ sinceSeconds: event.currentTarget.value })}>
          {Object.entries(kSince).map(([seconds, text]) => (
            <option key={seconds} value={seconds}>
              {text}
            </option>
          ))}
        </select>
        <span class="muted" role="status">
          {state}
        </span>
      </div>
      <PrintedLines lines={lines} label="Log" empty="No lines." />
    </>
  );
}
