/**
 * What a heartbeat of a loop costs the daemon, its programs and the tmux servers together: two daemons
 * do the same, one with a heartbeat and one without; the difference is its price.
 */
import { readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { PaneWriter } from '../rig/pane-writer.ts';
import { cpuMs, processesWith } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const LOOPS = 50;
const QUICK_LOOPS = 20;
const HEARTBEAT_MS = 500;
/** Longer than the bench. */
const NEVER_MS = 86_400_000;
const MEASURED_MS = 30_000;
const QUICK_MS = 10_000;
/** The kernel tells the time of a write in steps of 8 s: until then a terminal may have been written to. */
const REST_MS = 12_000;

export async function heartbeatCost({ isQuick }: Pace): Promise<Figure[]> {
  const loops = isQuick ? QUICK_LOOPS : LOOPS;
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  await using beating = await LoopsAtRest.open(loops, HEARTBEAT_MS);
  await using silent = await LoopsAtRest.open(loops, NEVER_MS);
  const pairs = [beating, silent];
  const measure = async () => {
    const before = pairs.map((rig) => rig.cpuMs());
    const began = performance.now();
    await pause(measuredMs);
    const beats = ((performance.now() - began) / HEARTBEAT_MS) * loops;
    const [withBeats = NaN, without = NaN] = pairs.map((rig, n) => rig.cpuMs() - (before[n] ?? 0));
    return (withBeats - without) / beats;
  };
  await pause(REST_MS);
  const atRest = await measure();
  for (const rig of pairs) rig.write();
  await pause(HEARTBEAT_MS);
  const written = await measure();
  const name = `heartbeat of ${loops} loops, CPU of all that takes part, each`;
  return [
    {
      ...{ name: `${name}: sessions at rest`, value: atRest, unit: 'ms' },
      goal: { direction: 'at most', value: 0.5 },
    },
    { name: `${name}: written to since, so with a capture`, value: written, unit: 'ms' },
  ];
}

/** A daemon with loops whose terminals rest until they are written to. */
class LoopsAtRest {
  readonly #rig: Rig;
  readonly #servers: number[];
  readonly #writer: PaneWriter;
  #timer: NodeJS.Timeout | null = null;
  #written = 0;

  private constructor(rig: Rig) {
    this.#rig = rig;
    this.#servers = processesWith(['tmux', rig.root]);
    this.#writer = new PaneWriter(devicesBelow(rig.root));
  }

  static async open(loops: number, heartbeatMs: number): Promise<LoopsAtRest> {
    const rig = new Rig({ LOOPWATCH_HEARTBEAT_MS: String(heartbeatMs) });
    await rig.start();
    await rig.startLoops(0, loops);
    return new LoopsAtRest(rig);
  }

  /** Processor time so far, in ms, of the daemon, of the programs it ran, and of the tmux servers. */
  cpuMs(): number {
    return cpuMs([this.#rig.pid, ...this.#servers]);
  }

  /** From now on every terminal is written to between two heartbeats. */
  write(): void {
    this.#timer = setInterval(() => {
      this.#written += 1;
      this.#writer.writeAll(`\x1b[1;1Hstep ${this.#written}`);
    }, HEARTBEAT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#writer[Symbol.dispose]();
    await this.#rig[Symbol.asyncDispose]();
  }
}

/** The terminals of the agents that work below a directory. */
function devicesBelow(root: string): string[] {
  return processesWith(['sleep', '100000'])
    .filter((pid) => readlinkSync(`/proc/${pid}/cwd`).startsWith(root))
    .map((pid) => readlinkSync(`/proc/${pid}/fd/0`));
}
