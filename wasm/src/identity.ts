import { checkNames } from './option-names.js';

/**
 * Who asks.
 *
 * ```ts
 * const identity: Identity = { user: 'jane', groups: ['viewers'] };
 * ```
 */
export interface Identity {
  /** `jane`, or `system:serviceaccount:NAMESPACE:NAME`. */
  user: string;
  uid?: string;
  /** The server adds `system:authenticated`, and the groups of a service account. */
  groups?: readonly string[];
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** Throws a TypeError if it is not an identity. */
export function checkIdentity(identity: Identity): void {
  checkNames('an identity', identity, ['user', 'uid', 'groups', 'extra']);
  identityHeaders(identity);
}

/** Returns the lines that name the user to the core, which believes the host. */
export function identityHeaders({ user, uid, groups = [], extra = {} }: Identity): [string, string][] {
  if (typeof user !== 'string' || user === '') throw new TypeError('tabernetes: an identity has a user');
  const headers: [string, string][] = [[':impersonate-user', user]];
  if (uid !== undefined) headers.push([':impersonate-uid', uid]);
  for (const group of groups) headers.push([':impersonate-group', group]);
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) headers.push([`:impersonate-extra-${encodeURIComponent(key)}`, value]);
  }
  return headers;
}
