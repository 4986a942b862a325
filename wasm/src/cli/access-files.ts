// Reads the configurations of access and admission, and the files that they name.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { kDefaults } from '../cluster-options.js';
import type { ClusterOptions } from '../options.js';
import type { HostOptions } from '../start.js';
import { callShared } from '../shared.js';
import type { ServeFlags } from './flags.js';
import { readText } from './checked-files.js';

type Options = Pick<
  ClusterOptions,
  | 'admissionConfiguration'
  | 'authenticationConfiguration'
  | 'authenticationWebhookCacheTtl'
  | 'authenticationWebhookVersion'
  | 'authorizationConfiguration'
  | 'authorizationMode'
  | 'authorizationWebhookCacheAuthorizedTtl'
  | 'authorizationWebhookCacheUnauthorizedTtl'
  | 'authorizationWebhookVersion'
  | 'enableAdmissionPlugins'
>;
export interface AccessFiles {
  options: Options;
  host: Pick<HostOptions, 'files' | 'authenticationWebhookFile' | 'authorizationWebhookFile' | 'oidc'>;
}

/** kube-apiserver's clients of webhooks want absolute paths. */
const absolute = (path: string) => (path === '' ? '' : resolve(path));

/** Adds what is wrong to `problems`. The core must be compiled. */
export function readAccessFiles(flags: ServeFlags, problems: string[]): AccessFiles {
  const { access } = flags;
  const { authentication, authorization, oidc } = access;
  const options: Options = {
    admissionConfiguration: readText(flags.admissionControlConfigFile, problems),
    authenticationConfiguration: readText(access.authenticationConfig, problems),
    authorizationConfiguration: readText(access.authorizationConfig, problems),
    authorizationMode: flags.authorizationMode,
    enableAdmissionPlugins: flags.enableAdmissionPlugins,
    authenticationWebhookVersion: authentication.version,
    authenticationWebhookCacheTtl: authentication.ttl,
    authorizationWebhookVersion: authorization.version,
    authorizationWebhookCacheAuthorizedTtl: authorization.authorizedTtl,
    authorizationWebhookCacheUnauthorizedTtl: authorization.unauthorizedTtl,
  };
  const files: Record<string, string> = {};
  const host = {
    files,
    authenticationWebhookFile: absolute(authentication.file),
    authorizationWebhookFile: absolute(authorization.file),
    oidc: { ...oidc, keysFile: absolute(oidc.keysFile), certificateAuthority: readText(oidc.certificateAuthority, problems) },
  };
  if (problems.length > 0) return { options, host };
  // Files name others. Those that do not exist are the core's to report.
  const missing = () => callShared(({ core }) => core.missingFiles({ ...kDefaults, ...options, ...host })).filter((path) => !(path in files) && existsSync(path));
  for (let paths = missing(); paths.length > 0 && problems.length === 0; paths = missing()) {
    for (const path of paths) files[path] = readText(path, problems);
  }
  if (problems.length > 0) return { options, host };
  const { option, fault } = callShared(({ core }) => core.accessFault({ ...kDefaults, ...options, ...host }));
  if (fault === '') return { options, host };
  const places: Readonly<Record<string, string>> = {
    admissionConfiguration: flags.admissionControlConfigFile || '--admission-control-config-file',
    authenticationConfiguration: access.authenticationConfig,
    authenticationWebhook: host.authenticationWebhookFile,
    authorizationConfiguration: access.authorizationConfig,
    authorizationWebhook: host.authorizationWebhookFile,
    oidc: '--oidc-issuer-url',
  };
  problems.push(`${places[option]}: ${fault}`);
  return { options, host };
}
