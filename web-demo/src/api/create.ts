// Creates the objects of manifests.
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

/** Creates all objects, kinds in their order, and goes on after a refusal. Calls `onStep` with the count. */
export async function createObjects(client: Client, manifests: readonly Manifest[], here: Here, onStep: (done: number) => void): Promise<Created[]> {
  const kinds = new Kinds(client);
  const created: Created[] = [];
  let breath = performance.now();
  for (const group of groupsOf(manifests)) {
    const resource = group[0]!.apiVersion && group[0]!.kind ? await kinds.find(group[0]!) : here.resource;
    const answers = await Promise.all(group.map((manifest) => (resource ? create(client, resource, manifest, here.namespace) : unknownKind(manifest))));
    group.forEach((manifest, i) => created.push({ manifest, resource, answer: answers[i]! }));
    if (group[0]!.kind === 'CustomResourceDefinition' && answers.some(isGood)) kinds.expectNew();
    onStep(created.length);
    if (performance.now() > breath + kBreath) {
      await pause(0, new AbortController().signal);
      breath = performance.now();
    }
  }
  return created;
}

/** Of one kind, at the same time: a cluster that is kept answers each only when it is stored. */
const kTogether = 40;

/** Returns the manifests in their order, those of one kind in groups. */
function groupsOf(manifests: readonly Manifest[]): Manifest[][] {
  const groups: Manifest[][] = [];
  for (const manifest of manifests) {
    const last = groups.at(-1);
    const joins = last && last.length < kTogether && last[0]!.kind === manifest.kind && last[0]!.apiVersion === manifest.apiVersion;
    if (joins) last.push(manifest);
    else groups.push([manifest]);
  }
  return groups;
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
