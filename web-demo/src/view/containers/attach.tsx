import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../api/client';
import { attachTarget, type Container, endInput, readChannels, type } from '../../api/containers';
import type { Connection } from '../../api/transport';
import { LineInput } from './line-input';
import { PrintedLines } from './printed-lines';
import { usePrinted } from './use-printed';

interface Props {
  client: Client;
  /** Path of the pod. */
  pod: string;
  container: Container;
}

/** What the container's own process writes from now on, and its input if it takes any. */
export function Attach({ client, pod, container }: Props) {
  const { lines, print } = usePrinted();
  const [connection, setConnection] = useState<Connection>();
  const [state, setState] = useState('connecting');
  useEffect(() => {
    const abort = new AbortController();
    const attach = async () => {
      const opened = await client.connect({ target: attachTarget(pod, container, client.transport.takesInput), signal: abort.signal });
      setConnection(opened);
      setState('attached');
      const { code, message } = await readChannels(opened, { out: (text) => print('out', text), err: (text) => print('err', text) });
      setState(message ?? `ended with exit code ${code}`);
    };
    attach()
      .catch((fault: Error) => abort.signal.aborted || setState(fault.message))
      .finally(() => setConnection(undefined));
    return () => abort.abort();
  }, [client, pod, container.name]);
  const takes = container.stdin && client.transport.takesInput;
  return (
    <>
      <div class="container-options">
        <span class="muted" role="status">
          {state}
        </span>
        <span class="grow" />
        {takes && (
          <button class="button quiet" disabled={!connection} onClick={() => connection && endInput(connection)}>
            End of input
          </button>
        )}
        {!takes && <span class="muted">{container.stdin ? 'The cluster in the page takes no input here.' : 'Its process takes no input (stdin is not set).'}</span>}
      </div>
      <PrintedLines lines={lines} label="Attached" empty="What it writes from now on appears here." />
      {takes && (
        <LineInput
          label="Input"
          mark=">"
          placeholder="a line for its input"
          disabled={!connection}
          onLine={(line) => {
            print('command', line);
            if (connection) type(connection, `${line}\n`);
          }}
        />
      )}
    </>
  );
}
