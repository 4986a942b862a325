// Loads the sample into an existing cluster, by requests alone.
import { type Answer, type Client, isGood } from '../api/client';
import type { Group } from '../api/discovery';
import { apiVersion, resourcePath } from '../api/paths';
import { writtenScalar } from '../api/written';
import { kAll, kNamespaces } from './manifests';
import { type Ask, reportStatus } from './status';

const kConflict = 409;

/** Creates the objects that are missing. Resolves with the first refusal, if any; all others are created. */
export async function loadSample(client: Client, groups: readonly Group[]): Promise<Answer | undefined> {
  let refusal: Answer | undefined;
  const note = (answer: Answer) => {
    if (!isGood(answer) && answer.status !== kConflict) refusal ??= answer;
    return answer;
  };
  const resources = groups.flatMap((group) => group.resources);
  const documents = kAll.flatMap((manifest) => manifest.split(/^---$/m));
  for (const text of documents) {
    const kind = writtenScalar(text, 'kind');
    const version = writtenScalar(text, 'apiVersion');
    const resource = resources.find((each) => each.kind === kind && apiVersion(each) === version);
    if (!resource) continue; // not served here
    const target = resourcePath(resource, writtenScalar(text, 'metadata', 'namespace'));
    note(await client.send({ method: 'POST', target, headers: { 'content-type': 'application/yaml', accept: 'application/json' }, body: text }));
  }
  const ask: Ask = async (target, method = 'GET', body = '') => {
    const headers = { accept: 'application/json', ...(body === '' ? {} : { 'content-type': 'application/json' }) };
    const answer = note(await client.send({ method, target, headers, body }));
    return isGood(answer) ? JSON.parse(answer.text) : {};
  };
  await reportStatus(ask, kNamespaces);
  return refusal;
}
