/**
 * Entry of the stand-in agent: behaves like the interactive client of an auto loop, plays a
 * scenario, needs no account and spends nothing.
 */
import { parseArguments } from './parse-arguments.ts';

// The title comes before everything slow: a supervisor looks for this name in the process table.
process.title = 'claude';

const launch = parseArguments(process.argv.slice(2));
const version = process.env.LOOPWATCH_STAND_IN_VERSION ?? '0.0.0';

if (launch.version) {
  console.log(`${version} (Loopwatch stand-in)`);
} else {
  const { startClient } = await import('./start-client.ts');
  startClient(launch, version);
}
