import { loadScenarios } from '../files.mjs';
import { runSuite } from '../suite.mjs';
import { NativeTransport } from '../transports/native.mjs';

/** Runs the suite on the native server. */
export async function run({ only, report }) {
  const transport = await NativeTransport.start();
  let results;
  try {
    results = await runSuite(loadScenarios(only), transport, report);
  } finally {
    await transport.close();
  }
  return { results, port: transport.port, crashes: transport.crashes };
}
