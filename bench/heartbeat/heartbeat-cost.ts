/**
 * What a heartbeat of a loop costs the daemon, its programs and the tmux servers together: two
 * daemons do the same, one with heartbeats and one without; the difference is the cost.
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
/**
 * The kernel reports the time of a write in steps of 8 s: until then a terminal may have been
 * written to.
 */
const REST_MS = 12_000;

export async function heartbeatCost({ isQuick }: Pace): Promise<Figure[]> {
  const loops = isQuick ? QUICK_LOOPS : LOOPS;
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  await using beating = await LoopsAtRest.open(loops, HEARTBEAT_MS);
  await using silent = await LoopsAtRest.open(loops, NEVER_MS);
  const measure = async (): Promise<Price> => {
    const before = [await beating.spent(), await silent.spent()];
    const began = performance.now();
    await pause(measuredMs);
    const beats = ((performance.now() - began) / HEARTBEAT_MS) * loops;
    const [own, other] = [await beating.spent(), await silent.spent()].map((spent, n) => ({
      cpuMs: spent.cpuMs - (before[n]?.cpuMs ?? NaN),
      captures: spent.captures - (before[n]?.captures ?? NaN),
    }));
    return {
      cpuMs: ((own?.cpuMs ?? NaN) - (other?.cpuMs ?? NaN)) / beats,
      captures: ((own?.captures ?? NaN) - (other?.captures ?? NaN)) / beats,
    };
  };
  await pause(REST_MS);
  const atRest = await measure();
  for (const rig of [beating, silent]) rig.write();
  await pause(HEARTBEAT_MS);
  const written = await measure();
  const name = `heartbeat of ${loops} loops, CPU each`;
  return [
    {
      name: `${name}: sessions at rest`,
      value: atRest.cpuMs,
      unit: 'ms',
      goal: { direction: 'at most', value: 0.3 },
      remark: `${atRest.captures.toFixed(2)} captures`,
    },
    {
      name: `${name}: written to in between`,
      value: written.cpuMs,
      unit: 'ms',
      remark: `${written.captures.toFixed(2)} captures`,
    },
  ];
}

/** Per heartbeat. */
interface Price {
  cpuMs: number;
  captures: number;
}

/** A daemon with loops whose terminals are quiet until they are written to. */
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

  /** So far: processor time of the daemon, of the programs it ran and of the tmux servers; captures. */
  async spent(): Promise<Price> {
    const captures = await this.#rig.metric('loopwatch_terminal_captures_total');
    return { cpuMs: cpuMs([this.#rig.pid, ...this.#servers]), captures };
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
