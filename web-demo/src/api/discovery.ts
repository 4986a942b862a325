import type { Client } from './client';
import type { Resource } from './types';

/** The resources of one API group. */
export interface Group {
  /** Empty for the core group. */
  name: string;
  resources: Resource[];
}

/** A list of aggregated discovery, as far as the page reads it. */
export interface DiscoveryList {
  items?: {
    metadata?: { name?: string };
    versions?: {
      version: string;
      resources?: {
        resource: string;
        responseKind?: { kind?: string };
        scope?: string;
        verbs?: string[];
        shortNames?: string[];
        singularResource?: string;
        categories?: string[];
        subresources?: { subresource: string }[];
      }[];
    }[];
  }[];
}

/** What asks for it. */
export const kDiscoveryAccept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Returns the served API groups, each in its preferred version, with the resources that can be listed. */
export async function discover(client: Client): Promise<Group[]> {
  const lists = await Promise.all(['/api', '/apis'].map((target) => client.get<DiscoveryList>(target, kDiscoveryAccept)));
  const groups = lists.flatMap(({ items = [] }) => items).map((item) => {
    const name = item.metadata?.name ?? '';
    return { name, resources: listable(name, item.versions ?? []) };
  });
  return groups.filter(({ resources }) => resources.length > 0);
}

type Versions = NonNullable<NonNullable<DiscoveryList['items']>[number]['versions']>;

function listable(group: string, versions: Versions): Resource[] {
  const found = new Map<string, Resource>();
  for (const { version, resources = [] } of versions) {
    for (const { resource, responseKind, scope, verbs = [], shortNames = [] } of resources) {
      if (!verbs.includes('list') || found.has(resource)) continue; // versions come in order of preference
      const kind = responseKind?.kind ?? resource;
      found.set(resource, { group, version, name: resource, kind, namespaced: scope === 'Namespaced', verbs, shortNames });
    }
  }
  return [...found.values()].sort((a, b) => a.kind.localeCompare(b.kind));
}

/** Returns true if `query` matches the resource's name, kind, a short name or group. */
export function matchesResource(resource: Resource, query: string): boolean {
  const text = query.trim().toLowerCase();
  return (
    resource.name.includes(text) ||
    resource.kind.toLowerCase().includes(text) ||
    resource.shortNames.some((short) => short.startsWith(text)) ||
    resource.group.includes(text)
  );
}
