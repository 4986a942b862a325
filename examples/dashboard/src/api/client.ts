import type { Exchanges } from './exchanges';
import type { KubernetesObject, List, Status, WatchEvent } from './types';

/** A request that the server refused. */
export class ApiError extends Error {
  constructor(readonly status: Status) {
    super(status.message);
  }
}

/** Speaks to a Kubernetes API server. */
export class KubeClient {
  /** `base` is the path of the proxy before the API. */
  constructor(
    private readonly base: string,
    readonly exchanges: Exchanges,
  ) {}

  async list<T extends KubernetesObject>(path: string, signal: AbortSignal): Promise<List<T>> {
    const answer = await this.#send('GET', path, { signal });
    return (await answer.json()) as List<T>;
  }

  /** Follows the changes of a collection after a version, until the server ends the watch or `signal` aborts. */
  async *watch<T>(path: string, resourceVersion: string, signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    const query = new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion });
    const { body } = await this.#send('GET', `${path}?${query}`, { signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (text + value).split('\n');
      text = lines.pop()!; // the beginning of an event
      for (const line of lines) yield JSON.parse(line) as WatchEvent<T>;
    }
  }

  /** Applies a manifest (server-side apply). Unless `force` is set, the fields of other managers are conflicts. */
  async apply(path: string, manifest: string, { force = false } = {}): Promise<void> {
    const query = new URLSearchParams({ fieldManager: 'dashboard', force: String(force) });
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    await this.#send('PATCH', `${path}?${query}`, { headers, body: manifest });
  }

  /** Begins the deletion of an object; one with finalizers stays until they are gone. */
  async delete(path: string): Promise<void> {
    await this.#send('DELETE', path);
  }

  async removeFinalizers(path: string): Promise<void> {
    const headers = { 'content-type': 'application/merge-patch+json' };
    await this.#send('PATCH', path, { headers, body: '{"metadata":{"finalizers":null}}' });
  }

  async #send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const answered = this.exchanges.begin(method, path);
    const answer = await fetch(this.base + path, { ...init, method });
    answered(answer.status);
    if (answer.ok) return answer;
    throw new ApiError(await statusOf(answer));
  }
}

/** Returns the Status in an answer. A proxy between answers with other bodies. */
async function statusOf(answer: Response): Promise<Status> {
  const text = await answer.text();
  try {
    const body = JSON.parse(text) as Status;
    if (body.kind === 'Status') return body;
  } catch {
    // it is not JSON
  }
  return { kind: 'Status', code: answer.status, reason: '', message: text || `the server answers ${answer.status}` };
}
