// Options whose texts only the core can judge.
import { kDefaults } from './cluster-options.js';
import type { Instance } from './instance.js';
import type { CoreOptions } from './options.js';
import { callShared, throwFault } from './shared.js';

/** As wasm/functions.cc knows them. A plugin and an origin are one of a list; a list of gates is not all there is. */
export type JudgedOption = 'controllers' | 'featureGates' | 'featureGateList' | 'admissionPlugin' | 'tokenFile' | 'serviceAccountKey' | 'corsOrigin' | 'behaviour' | 'containers' | 'faults' | 'authorizationMode' | 'authorizationPolicy';

/** Throws what is wrong with the text of an option. The core must be compiled. */
export function checkOption(option: JudgedOption, text: string): void {
  throwFault(callShared(({ core }) => core.optionFault(option, text)));
}

/** Throws a TypeError that says which option is wrong. */
export function checkOptions(options: CoreOptions, { core }: Instance): void {
  checkWebhookMode(options);
  const check = (name: string, option: JudgedOption, text: string) => {
    const fault = core.optionFault(option, text);
    if (fault !== '') throw new TypeError(`tabernetes: ${name}: ${fault}`);
  };
  // What is as usual is not asked: an engine compiles what is called.
  if (options.controllers !== kDefaults.controllers) check('controllers', 'controllers', options.controllers);
  if (options.behaviour !== '') check('behaviour', 'behaviour', options.behaviour);
  if (options.containers !== '') check('containers', 'containers', options.containers);
  if (options.faults !== '') check('faults', 'faults', options.faults);
  if (options.featureGates !== '') check('featureGates', 'featureGates', options.featureGates);
  for (const name of ['enableAdmissionPlugins', 'disableAdmissionPlugins'] as const) {
    for (const plugin of options[name]) check(name, 'admissionPlugin', plugin);
  }
  if (options.authorizationMode !== kDefaults.authorizationMode) check('authorizationMode', 'authorizationMode', options.authorizationMode);
  const { option, fault } = core.accessFault(options);
  if (fault !== '') throw new TypeError(`tabernetes: ${option}: ${fault}`);
  if (options.authorizationPolicy !== '') check('authorizationPolicy', 'authorizationPolicy', options.authorizationPolicy);
  if (options.tokenFile !== '') check('tokenFile', 'tokenFile', options.tokenFile);
  if (options.serviceAccountKey !== '') check('serviceAccountKey', 'serviceAccountKey', options.serviceAccountKey);
}

/** Throws a TypeError for a mode without its webhook, and the other way round. */
function checkWebhookMode({ authorizationMode, authorizationConfiguration, authorizationWebhookFile }: CoreOptions): void {
  const byMode = authorizationMode.split(',').some((mode) => mode.trim() === 'Webhook');
  const byWebhook = authorizationWebhookFile !== '';
  if (authorizationConfiguration !== '' && (byMode || byWebhook)) throw new TypeError('tabernetes: authorizationConfiguration: takes the place of authorizationMode and authorizationWebhook');
  if (byMode && !byWebhook) throw new TypeError('tabernetes: authorizationMode: Webhook needs authorizationWebhook');
  if (byWebhook && !byMode) throw new TypeError('tabernetes: authorizationWebhook: authorizationMode has to have Webhook');
}
