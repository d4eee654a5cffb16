/** What a daemon pays for two hundred sessions that it did not start, by their client. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { cpuShares } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';
import { type CrowdClient, startCrowd } from './found-crowd.ts';

const SESSIONS = 200;
/** Some scans, which are every ten seconds. */
const MEASURED_MS = 60_000;
const QUICK_MS = 20_000;
/** In its second minute the garbage collector gives back the memory of the start. */
const SETTLE_MS = 120_000;
const LISTED_EVERY_MS = 500;
/** The pace of a daemon by default. */
const POLL_MS = '2000';

const MISSED =
  'Missed: most of it are calls of the system, every ten seconds the same: the list of processes, and for ' +
  'each of the 200 its program, when it started, its directory and whether a file was added to its chats.';

const NAMES: Record<CrowdClient, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini',
};

export async function foundCost({ isQuick }: Pace): Promise<Figure[]> {
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  const figures: Figure[] = [];
  for (const client of Object.keys(NAMES) as CrowdClient[]) {
    const [share, base] = await costOf(client, measuredMs);
    figures.push({
      name: `${SESSIONS} found sessions of ${NAMES[client]}: daemon, CPU above one that does not look`,
      value: (share - base) * 100,
      unit: '% of a core',
      goal: { direction: 'at most', value: 0.3, ifMissed: MISSED },
    });
  }
  return figures;
}

/**
 * CPU of a daemon that looks and of one that does not, next to each other in the same minute; 1 is a
 * core.
 */
async function costOf(client: CrowdClient, measuredMs: number): Promise<[number, number]> {
  const pace = { LOOPWATCH_SIGNAL_POLL_MS: POLL_MS };
  await using looking = new Rig({ ...pace, LOOPWATCH_FOUND: 'on' });
  await using base = new Rig({ ...pace, LOOPWATCH_FOUND: 'off' });
  using crowd = startCrowd(looking.root, client, SESSIONS);
  await Promise.all([looking.start(), base.start()]);
  const listed = async () =>
    ((await looking.get('/api/found')) as { sessions: { client: string }[] }).sessions.filter(
      (each) => each.client === client,
    ).length;
  while ((await listed()) < crowd.size) await pause(LISTED_EVERY_MS);
  await pause(SETTLE_MS);
  const [share = NaN, least = NaN] = await cpuShares([[looking.pid], [base.pid]], measuredMs);
  return [share, least];
}
