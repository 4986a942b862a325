import type { Client } from '../../api/client';
import { attachTarget, type Container } from '../../api/containers';
import { TerminalSession } from './session';

interface Props {
  client: Client;
  /** Path of the pod. */
  pod: string;
  container: Container;
}

/** What the container's own process writes from now on, and its input if it takes any. */
export function Attach({ client, pod, container: { name, stdin, tty } }: Props) {
  return (
    <TerminalSession client={client} target={attachTarget(pod, name, { stdin, tty })} tty={tty} takesInput={stdin} label="Attached" open="attached" again="Attach again">
      {!stdin && <span class="muted">Its process takes no input (stdin is not set).</span>}
    </TerminalSession>
  );
}
