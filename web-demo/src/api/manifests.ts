// Manifests that a user wrote, pasted or dropped: one or many, of any kinds.

export interface Manifest {
  /** Empty if not written. */
  apiVersion: string;
  kind: string;
  name: string;
  namespace: string;
  /** As it was written, except for an item of a list. */
  text: string;
  json: boolean;
}

interface Written {
  apiVersion?: unknown;
  kind?: unknown;
  metadata?: { name?: unknown; namespace?: unknown; resourceVersion?: unknown } | null;
  items?: unknown;
}

/**
 * Returns the manifests of YAML documents or a JSON value, and those in lists. A document that is not an object is one
 * too: the server knows best what is wrong with it.
 */
export async function readManifests(text: string): Promise<Manifest[]> {
  if (/^\s*[{[]/.test(text)) {
    try {
      return manifestsOf(JSON.parse(text), text, true);
    } catch {
      // YAML can begin like that too.
    }
  }
  const { parseAllDocuments } = await import('yaml');
  // Kubernetes reads YAML 1.1.
  const documents = [...parseAllDocuments(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent' })];
  const found = documents.flatMap((document) => {
    const own = documents.length === 1 ? text : text.slice(document.range[0], document.range[2]);
    const value: unknown = document.errors.length > 0 ? {} : document.toJS();
    return value === null ? [] : manifestsOf(value, own, false);
  });
  return found.length > 0 ? found : manifestsOf({}, text, false);
}

function manifestsOf(value: unknown, text: string, json: boolean): Manifest[] {
  const { apiVersion, kind, metadata, items } = (Object(value) as Written) ?? {};
  const listed = Array.isArray(value) ? value : /List$/.test(textOf(kind)) && Array.isArray(items) ? items : undefined;
  if (listed) return listed.flatMap((item: unknown) => manifestsOf(item, JSON.stringify(unversioned(item)), true));
  const { name, namespace } = metadata ?? {};
  return [{ apiVersion: textOf(apiVersion), kind: textOf(kind), name: textOf(name), namespace: textOf(namespace), text, json }];
}

/** Returns an item of a list without the version that a server gave it: no new object may have one. */
function unversioned(item: unknown): unknown {
  const { metadata } = Object(item) as Written;
  if (!metadata) return item;
  const { resourceVersion: _, ...rest } = metadata;
  return { ...(item as Written), metadata: rest };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
