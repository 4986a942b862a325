import { loadScenarios } from '../files.mjs';
import { runSuite } from '../suite.mjs';
import { WasmTransport } from '../transports/wasm.mjs';

/** Runs the suite on the WebAssembly core in this process. */
export async function run({ only, report }) {
  const { createCluster } = await import(new URL('../../../../dist/index.js', import.meta.url).href);
  const transport = new WasmTransport(createCluster);
  try {
    return { results: await runSuite(loadScenarios(only), transport, report) };
  } finally {
    transport.close();
  }
}
