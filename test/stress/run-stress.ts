/** Plays every scenario on one edge, then checks for leaks. */
import { Random } from '../support/house/random.ts';
import { EdgeLink } from './edge-link.ts';
import type { TransportName } from '../../shared/schema/transport-name.ts';
import { disconnectStorm } from './scenarios/disconnect-storm.ts';
import { noLeak } from './scenarios/no-leak.ts';
import { noPong } from './scenarios/no-pong.ts';
import { oversizedFrames } from './scenarios/oversized-frames.ts';
import { reconnectStorm } from './scenarios/reconnect-storm.ts';
import { recoveryStorm } from './scenarios/recovery-storm.ts';
import { slowClients } from './scenarios/slow-clients.ts';
import { stalledReaders } from './scenarios/stalled-readers.ts';
import type { Finding, Scenario } from './stage.ts';

export interface Outcome {
  scenario: string;
  findings: readonly Finding[];
  /** In order. */
  operations: readonly string[];
  tookMs: number;
}

export interface StressOptions {
  engine: TransportName;
  seed: number;
  /** The share of every count to run: 1 is all of it. */
  share: number;
  /** Gets each outcome at once. */
  onOutcome: (outcome: Outcome) => void;
}

const SCENARIOS = [
  recoveryStorm,
  slowClients,
  oversizedFrames,
  noPong,
  disconnectStorm,
  stalledReaders,
  reconnectStorm,
];

/** Throws EngineMissing when the engine cannot run here. */
export async function runStress({ engine, seed, share, onOutcome }: StressOptions): Promise<void> {
  await using edge = await EdgeLink.start({ engine });
  const play = async ({ name, play }: Scenario) => {
    const operations: string[] = [];
    const began = performance.now();
    const findings = await play({
      engine,
      edge,
      // Each scenario has its own random source: what one draws does not change the next.
      random: new Random(seed + name.length),
      count: (full) => Math.ceil(full * share),
      note: (operation) => operations.push(operation),
    });
    const tookMs = performance.now() - began;
    onOutcome({ scenario: name, findings, operations, tookMs });
  };
  const leaks = await noLeak(edge);
  for (const scenario of SCENARIOS) await play(scenario);
  await play(leaks);
}
