import { loadScenarios } from '../files.mjs';
import { HookEndpoint } from '../hook_endpoint.mjs';
import { runSuite } from '../suite.mjs';
import { NativeTransport } from '../transports/native.mjs';

/** Runs the suite on the native server. */
export async function run({ only, report }) {
  const transport = await NativeTransport.start();
  transport.hooks = await new HookEndpoint().start();
  let results;
  try {
    results = await runSuite(loadScenarios(only), transport, report);
  } finally {
    transport.hooks.close();
    await transport.close();
  }
  return { results, port: transport.port, crashes: transport.crashes };
}
