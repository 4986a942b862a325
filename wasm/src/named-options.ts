// Options whose texts only the core can judge.
import type { CoreOptions } from './options.js';
import { callShared, throwFault } from './shared.js';

const kFaults = { plugin: 'admissionPluginFault', tokenFile: 'tokenFileFault', signingKey: 'signingKeyFault' } as const;

/** Throws what is wrong with the text of an option. The core must be compiled. */
export function checkOption(option: keyof typeof kFaults, text: string): void {
  throwFault(callShared(({ core }) => core[kFaults[option]](text)));
}

/** Throws a TypeError that says which option is wrong. */
export function checkNamedOptions(options: CoreOptions): void {
  const check = (name: string, option: keyof typeof kFaults, text: string) => {
    try {
      checkOption(option, text);
    } catch (error) {
      throw new TypeError(`tabernetes: ${name}: ${(error as Error).message}`);
    }
  };
  for (const name of ['enableAdmissionPlugins', 'disableAdmissionPlugins'] as const) {
    for (const plugin of options[name]) check(name, 'plugin', plugin);
  }
  if (options.tokenFile !== '') check('tokenFile', 'tokenFile', options.tokenFile);
  if (options.serviceAccountKey !== '') check('serviceAccountKey', 'signingKey', options.serviceAccountKey);
}
