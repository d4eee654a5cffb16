/** How long a command of the shell takes from its start to its end, next to Node without a program. */
import { spawnSync } from 'node:child_process';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { percentile } from '../report/statistics.ts';
import { Rig } from '../rig/rig.ts';

const RUNS = 40;
const QUICK_RUNS = 10;
const MISSED =
  'Missed: half of it is Node without a program. Of the rest of `status` a third is compiling its modules, ' +
  'a seventh the request, a tenth the table of all requests and as much the validation of settings. On a ' +
  'slower machine all of it grows alike. Less would need a cache of compiled code, which Node 20 has not.';

export async function cliTime({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const runs = isQuick ? QUICK_RUNS : RUNS;
  const times = { status: [] as number[], help: [] as number[], floor: [] as number[] };
  // In turn, so that all meet the same machine.
  for (let run = 0; run < runs; run += 1) {
    times.floor.push(millisecondsOf(() => spawnSync(process.execPath, ['-e', '0'])));
    times.status.push(millisecondsOf(() => rig.command('status')));
    times.help.push(millisecondsOf(() => rig.command('--help')));
  }
  const figure = (name: string, samples: readonly number[], goal?: number): Figure => ({
    name: `${name}, p50 of ${runs}`,
    value: percentile(samples, 0.5),
    unit: 'ms',
    goal: goal === undefined ? undefined : { direction: 'at most', value: goal, ifMissed: MISSED },
    remark: `p99 ${percentile(samples, 0.99).toFixed(0)} ms`,
  });
  return [
    figure('loopwatch status', times.status, 120),
    figure('loopwatch --help', times.help, 80),
    figure('the floor: Node without a program', times.floor),
  ];
}

function millisecondsOf(act: () => void): number {
  const began = performance.now();
  act();
  return performance.now() - began;
}
