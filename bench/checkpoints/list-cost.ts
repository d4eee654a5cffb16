/**
 * What a list of many stored sessions costs: the first one reads them all, the next ones do not. In
 * processor time, which other programs on the machine hardly change; on a free one it takes no longer.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCheckpoints } from '../../server/checkpoints/list-checkpoints.ts';
import { checkpointText, saveCheckpoint } from '../../server/checkpoints/save-checkpoint.ts';
import { sessionDirectory } from '../../server/checkpoints/session-directory.ts';
import { toIso } from '../../server/lib/clock.ts';
import { Checkpoint } from '../../shared/schema/runs/checkpoint.ts';
import type { Figure } from '../report/figures.ts';
import { median } from '../report/statistics.ts';

const SESSIONS = 10_000;
const ROUNDS = 9;
const NOW_MS = Date.parse('2026-01-02T03:04:05Z');
/** A command that takes no longer seems to answer at once. */
const GOAL_MS = 300;

/** About 6 KB in its file: a short run. */
const SAVED = Checkpoint.parse({
  version: 1,
  session_id: 'one',
  checkpoint_time: toIso(NOW_MS),
  original_start_time: toIso(NOW_MS),
  phase: 'complete',
  working_dir: '/',
  prompt: 'Fix the login',
  exec_events: Array.from({ length: 20 }, () => {
    return {
      Tool: { name: 'Bash', params: '{"command":"npm test"}', done: true, is_error: false },
    };
  }),
});

export async function listCost(): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'lwb-'));
  try {
    fill(home);
    const first = await listMs(home);
    const again: number[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      again.push(await listMs(home));
      // As between two calls of the command: a run saves.
      saveCheckpoint(home, { ...SAVED, session_id: `s${n}` });
    }
    return [
      {
        name: `list of ${SESSIONS} sessions, one of them damaged`,
        value: median(again),
        unit: 'ms',
        goal: { direction: 'at most', value: GOAL_MS },
      },
      { name: 'the first such list', value: first, unit: 'ms' },
    ];
  } finally {
    rmSync(home, { recursive: true });
  }
}

function fill(home: string): void {
  for (let n = 0; n < SESSIONS; n += 1) {
    const id = `s${n}`;
    mkdirSync(sessionDirectory(home, id), { recursive: true, mode: 0o700 });
    const text = n === SESSIONS / 2 ? '{"version":' : checkpointText({ ...SAVED, session_id: id });
    writeFileSync(join(sessionDirectory(home, id), 'checkpoint.json'), text);
  }
}

async function listMs(home: string): Promise<number> {
  const before = process.cpuUsage();
  const { sessions, problems } = await listCheckpoints(home, NOW_MS);
  const { user, system } = process.cpuUsage(before);
  if (sessions.length !== SESSIONS - 1 || problems.length !== 1) throw new Error('not all listed');
  return (user + system) / 1_000;
}
