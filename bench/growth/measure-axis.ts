import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../server/lib/app-error.ts';
import type { Pace } from '../pace.ts';
import { percentile } from '../report/statistics.ts';
import { cpuShare, residentBytes } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';
import type { Axis, Crowd } from './axis.ts';
import type { Resource } from './resources.ts';

const MEASURED_MS = 20_000;
const QUICK_MS = 5_000;
const QUICK_SETTLE_MS = 3_000;
const ANSWERS = 50;
const QUICK_ANSWERS = 20;
/** What the first requests compile is not charged to the others. */
const WARM = 10;

export interface Measured {
  samples: { size: number; costs: Record<Resource, number> }[];
  /** The size at which it ended, when not all sizes were reached, and why. */
  ended: { size: number; why: string } | null;
}

/** Grows one daemon from size to size. Throws nothing: what was measured until then is kept. */
export async function measureAxis(axis: Axis, pace: Pace): Promise<Measured> {
  const measured: Measured = { samples: [], ended: null };
  let size = 0;
  try {
    await using rig = new Rig();
    await rig.start();
    const crowd = axis.open(rig);
    for (const wanted of pace.isQuick ? axis.quickSizes : axis.sizes) {
      const reached = await crowd.grow(size, wanted);
      if (reached.size > size) {
        size = reached.size;
        await pause(pace.isQuick ? QUICK_SETTLE_MS : axis.settleMs);
        measured.samples.push({ size, costs: await costsOf(rig, crowd, pace) });
      }
      if (reached.failure !== null) throw new Error(`no. ${size + 1}: ${reached.failure}`);
    }
  } catch (error) {
    measured.ended = { size, why: messageOf(error) };
  }
  return measured;
}

/** At rest first, because answers leave garbage. */
async function costsOf(
  rig: Rig,
  crowd: Crowd,
  { isQuick }: Pace,
): Promise<Record<Resource, number>> {
  const cpu = await cpuShare(rig.pid, isQuick ? QUICK_MS : MEASURED_MS);
  const bytes = residentBytes(rig.pid);
  const times: number[] = [];
  for (let n = -WARM; n < (isQuick ? QUICK_ANSWERS : ANSWERS); n += 1) {
    const began = performance.now();
    await crowd.answer();
    if (n >= 0) times.push(performance.now() - began);
  }
  return { CPU: cpu * 100, memory: bytes / 2 ** 20, latency: percentile(times, 0.5) };
}
