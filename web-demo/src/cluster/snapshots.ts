// Snapshots of the shown cluster, by requests that are not shown among the exchanges, since they can be large.
import type { Transport, TransportAnswer } from '../api/transport';
import type { Status } from '../api/types';

const kTarget = '/-/tabernetes/snapshot';
const kJson: readonly (readonly [string, string])[] = [['content-type', 'application/json']];

/** Resolves with the whole cluster as one JSON document. Rejects with what the server says. */
export async function takeSnapshot(transport: Transport): Promise<string> {
  return orThrow(await transport.request({ method: 'GET', target: kTarget, headers: [], body: '' })).text;
}

/** Replaces everything in the cluster. Rejects with what the server says. */
export async function putSnapshot(transport: Transport, document: string): Promise<void> {
  orThrow(await transport.request({ method: 'PUT', target: kTarget, headers: kJson, body: document }));
}

function orThrow(answer: TransportAnswer): TransportAnswer {
  if (answer.status < 300) return answer;
  let message = answer.text;
  try {
    message = (JSON.parse(answer.text) as Status).message ?? message;
  } catch {
    // Not a Status: the text is all there is.
  }
  throw new Error(message || `the server answered ${answer.status}`);
}
