// Creates the objects of manifests, one after the other.
import { type Answer, type Client, isGood } from './client';
import { groupVersionPath, resourcePath } from './paths';
import type { Manifest } from './manifests';
import { pause } from './transport';
import type { Resource } from './types';

/** The open resource and namespace, for manifests that do not say theirs. */
export interface Here {
  resource: Resource;
  namespace: string;
}

export interface Created {
  manifest: Manifest;
  /** Undefined if the server does not know the kind. */
  resource?: Resource;
  answer: Answer;
}

interface ResourceList {
  resources?: { name: string; kind: string; namespaced: boolean; verbs: string[]; shortNames?: string[] }[];
}

/** Milliseconds between the turns of others: a cluster in this page answers without any. */
const kBreath = 100;
/** Milliseconds. A new definition is served after a moment. */
const kRetryAfter = 100;
const kRetries = 30;

/** Creates all objects, in order, and goes on after a refusal. Calls `onStep` after each. */
export async function createObjects(client: Client, manifests: readonly Manifest[], here: Here, onStep: (done: number) => void): Promise<Created[]> {
  const kinds = new Kinds(client);
  const created: Created[] = [];
  let breath = performance.now();
  for (const manifest of manifests) {
    const resource = manifest.apiVersion && manifest.kind ? await kinds.find(manifest) : here.resource;
    const answer = resource ? await create(client, resource, manifest, here.namespace) : unknownKind(manifest);
    if (isGood(answer) && manifest.kind === 'CustomResourceDefinition') kinds.expectNew();
    created.push({ manifest, resource, answer });
    onStep(created.length);
    if (performance.now() > breath + kBreath) {
      await pause(0, new AbortController().signal);
      breath = performance.now();
    }
  }
  return created;
}

function create(client: Client, resource: Resource, manifest: Manifest, namespace: string): Promise<Answer> {
  const type = manifest.json ? 'application/json' : 'application/yaml';
  const target = resourcePath(resource, manifest.namespace || namespace || 'default');
  return client.send({ method: 'POST', target, headers: { 'content-type': type, accept: type }, body: manifest.text });
}

function unknownKind({ kind, apiVersion }: Manifest): Answer {
  const message = `There is no kind ${kind} in ${apiVersion} here.`;
  return { status: 404, text: '', failure: { kind: 'Status', reason: 'NotFound', message } };
}

/** Finds the resources of kinds, in any served version. */
class Kinds {
  readonly #known = new Map<string, Resource[]>();
  #expectsNew = false;

  constructor(private readonly client: Client) {}

  /** From now on, an unknown kind is looked for again for a while. */
  expectNew(): void {
    this.#expectsNew = true;
  }

  async find({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): Promise<Resource | undefined> {
    for (let i = 0; ; i++) {
      const known = this.#known.get(apiVersion) ?? (await this.#ask(apiVersion));
      const found = known.find((each) => each.kind === kind);
      if (found) this.#known.set(apiVersion, known);
      if (found || !this.#expectsNew || i === kRetries) return found;
      this.#known.delete(apiVersion);
      await pause(kRetryAfter, new AbortController().signal);
    }
  }

  async #ask(apiVersion: string): Promise<Resource[]> {
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/', 2) as [string, string]) : ['', apiVersion];
    const target = groupVersionPath({ group, version });
    const { resources = [] } = await this.client.get<ResourceList>(target, 'application/json').catch((): ResourceList => ({}));
    const whole = resources.filter(({ name }) => !name.includes('/'));
    return whole.map((each) => ({ ...each, group, version, shortNames: each.shortNames ?? [] }));
  }
}
