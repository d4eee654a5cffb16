/**
 * Entry of the stand-in agent: behaves like the client, in a terminal as in an auto loop, with `-p`
 * as one turn of a headless conversation. Needs no account and spends nothing.
 */
import { parseArguments } from './parse-arguments.ts';

// The title comes before everything slow: a supervisor looks for this name in the process table.
process.title = 'claude';

const launch = parseArguments(process.argv.slice(2));
const version = process.env.LOOPWATCH_STAND_IN_VERSION ?? '0.0.0';

if (launch.version) {
  console.log(`${version} (Loopwatch stand-in)`);
} else if (launch.headless !== null) {
  const { runHeadless } = await import('./headless/run-headless.ts');
  await runHeadless(launch, launch.headless);
} else {
  const { startClient } = await import('./start-client.ts');
  startClient(launch, version);
}
