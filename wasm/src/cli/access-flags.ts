// Flags that say who callers are and what they may do: configurations, webhooks of kubeconfigs, an issuer of tokens.
import type { OidcIssuer } from '../options.js';

export interface WebhookFlags {
  /** A path; empty: there is none. */
  file: string;
  version: 'v1' | 'v1beta1';
}

/** Paths are empty if nothing is named. */
export interface AccessFlags {
  authenticationConfig: string;
  authorizationConfig: string;
  /** Milliseconds, as all times. */
  authentication: WebhookFlags & { ttl: number };
  authorization: WebhookFlags & { authorizedTtl: number; unauthorizedTtl: number };
  /** `keysFile` is as given, `certificateAuthority` the path. */
  oidc: OidcIssuer;
  /** True if a flag of the issuer is given. */
  oidcGiven: boolean;
}

export const noAccessFlags = (): AccessFlags => ({
  authenticationConfig: '',
  authorizationConfig: '',
  authentication: { file: '', version: 'v1beta1', ttl: 0 },
  authorization: { file: '', version: 'v1beta1', authorizedTtl: 0, unauthorizedTtl: 0 },
  oidc: { issuerUrl: '', clientId: '', certificateAuthority: '', keysFile: '', usernameClaim: '', usernamePrefix: '', groupsClaim: '', groupsPrefix: '', requiredClaims: {}, signingAlgorithms: [] },
  oidcGiven: false,
});

type OidcText = Exclude<keyof OidcIssuer, 'requiredClaims' | 'signingAlgorithms'>;

export const kOidcTexts: Readonly<Record<string, OidcText>> = {
  'oidc-issuer-url': 'issuerUrl',
  'oidc-client-id': 'clientId',
  'oidc-username-claim': 'usernameClaim',
  'oidc-username-prefix': 'usernamePrefix',
  'oidc-groups-claim': 'groupsClaim',
  'oidc-groups-prefix': 'groupsPrefix',
  'oidc-ca-file': 'certificateAuthority',
  'oidc-jwks-file': 'keysFile',
};

/** Adds `KEY=VALUE`; throws a text if it is none. */
export function addClaim(value: string, claims: Record<string, string>): void {
  const equals = value.indexOf('=');
  if (equals < 0) throw 'malformed pair, expect string=string';
  claims[value.slice(0, equals)] = value.slice(equals + 1);
}

/** What is wrong with these flags together; `modes` are those of --authorization-mode. */
export function faultOfAccess({ oidc, oidcGiven, authenticationConfig, authorizationConfig, authorization }: AccessFlags, modes: readonly string[]): string | undefined {
  if (oidcGiven && authenticationConfig !== '') return 'authentication-config file and oidc-* flags are mutually exclusive';
  if (oidcGiven && (oidc.issuerUrl === '' || oidc.clientId === '')) return 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set';
  const byWebhook = authorization.file !== '';
  if (authorizationConfig !== '') {
    const usual = authorization.version === 'v1beta1' && authorization.authorizedTtl === 300_000 && authorization.unauthorizedTtl === 30_000;
    if (modes.join() === 'AlwaysAllow' && !byWebhook && usual) return undefined;
    return '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined';
  }
  if (modes.includes('Webhook') === byWebhook) return undefined;
  return byWebhook ? 'cannot specify --authorization-webhook-config-file without mode Webhook' : "authorization-mode Webhook's authorization config file not passed";
}

/** Returns true if these flags let the server know or judge callers. */
export const knowsCallers = ({ oidcGiven, authenticationConfig, authorizationConfig, authentication, authorization }: AccessFlags) =>
  oidcGiven || [authenticationConfig, authorizationConfig, authentication.file, authorization.file].some((path) => path !== '');
