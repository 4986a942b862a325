import { useState } from 'preact/hooks';
import type { Client } from '../../api/client';
import { execTarget } from '../../api/containers';
import { TerminalSession } from './session';

interface Props {
  client: Client;
  /** Path of the pod. */
  pod: string;
  container: string;
}

const kShells = ['sh', 'bash'];

/** A shell in a container: `kubectl exec -it POD -- sh`. */
export function Shell({ client, pod, container }: Props) {
  const [shell, setShell] = useState(kShells[0]!);
  const target = execTarget(pod, container, [shell], { stdin: true, tty: true });
  return (
    <TerminalSession key={target} client={client} target={target} tty takesInput label="Shell" open={`exec -it … -- ${shell}`} again="New shell">
      <select aria-label="Shell to start" value={shell} onChange={(event) => setShell(event.currentTarget.value)}>
        {kShells.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </TerminalSession>
  );
}
