/** What a daemon pays for two hundred sessions that it did not start, by their client. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { cpuShare } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';
import { type CrowdClient, startCrowd } from './found-crowd.ts';

const SESSIONS = 200;
/** Some scans, which are every ten seconds. */
const MEASURED_MS = 60_000;
const QUICK_MS = 20_000;
/** Lets the work left over from listing them finish. */
const SETTLE_MS = 15_000;
const LISTED_EVERY_MS = 500;
/** The pace of a daemon by default. */
const POLL_MS = '2000';

const NAMES: Record<CrowdClient, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini',
};

export async function foundCost({ isQuick }: Pace): Promise<Figure[]> {
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  const figures: Figure[] = [];
  for (const client of Object.keys(NAMES) as CrowdClient[]) {
    const share = await costOf(client, 'on', measuredMs);
    // The same processes, none of them read: what is left is the daemon itself.
    const base = await costOf(client, 'off', measuredMs);
    figures.push({
      name: `${SESSIONS} found sessions of ${NAMES[client]}: daemon, CPU above one that does not look`,
      value: (share - base) * 100,
      unit: '% of a core',
      goal: { direction: 'at most', value: 0.3 },
    });
  }
  return figures;
}

/** CPU of a daemon; 1 is a core. */
async function costOf(
  client: CrowdClient,
  found: 'on' | 'off',
  measuredMs: number,
): Promise<number> {
  await using rig = new Rig({ LOOPWATCH_FOUND: found, LOOPWATCH_SIGNAL_POLL_MS: POLL_MS });
  using crowd = startCrowd(rig.root, client, SESSIONS);
  await rig.start();
  const listed = async () =>
    ((await rig.get('/api/found')) as { sessions: { client: string }[] }).sessions.filter(
      (each) => each.client === client,
    ).length;
  while (found === 'on' && (await listed()) < crowd.size) await pause(LISTED_EVERY_MS);
  await pause(SETTLE_MS);
  // Awaited before both are disposed.
  return await cpuShare(rig.pid, measuredMs);
}
