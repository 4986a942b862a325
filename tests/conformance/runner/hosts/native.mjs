import { loadScenarios } from '../files.mjs';
import { runSuite } from '../suite.mjs';
import { NativeTransport } from '../transports/native.mjs';

/** Runs the suite on the native server. */
export async function run({ only, report }) {
  const transport = await NativeTransport.start();
  try {
    const results = await runSuite(loadScenarios(only), transport, report);
    return { results, port: transport.port };
  } finally {
    await transport.close();
  }
}
