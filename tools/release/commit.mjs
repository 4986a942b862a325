// The version (of package.json) and the time (of the commit) of a release.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, top } from '../lib/run.mjs';

export const packageJson = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
export const version = packageJson.version;

/** Seconds since 1970. SOURCE_DATE_EPOCH takes precedence over git. */
export const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? ask('git', 'log', '-1', '--format=%ct') ?? 0);
export const time = new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');

/** The full commit hash. */
export const revision = ask('git', 'rev-parse', 'HEAD') ?? '';
