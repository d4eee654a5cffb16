/**
 * What running conversations cost the daemon, compared to itself without them, and how fast they
 * are read.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../server/db/database.ts';
import { InteractionStore } from '../../server/turns/interaction-store.ts';
import type { Pace } from '../pace.ts';
import type { Figure } from '../report/figures.ts';
import { percentile } from '../report/statistics.ts';
import { cpuShare, residentBytes } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const CONVERSATIONS = 20;
const INTERACTIONS = 10_000;
const PAGE = 500;
/** What the first requests compile is not charged to the others. */
const WARM = 20;
const MEASURED_MS = 30_000;
const QUICK_MS = 8_000;
/** Lets the work left over from the start finish. */
const SETTLE_MS = 5_000;

const SESSION = '11111111-2222-4333-8444-555555555555';
const INIT = `{"type":"system","subtype":"init","session_id":"${SESSION}","model":"m","tools":[]}`;
/** Some 500 bytes, five times a second. */
const LINE = JSON.stringify({
  type: 'assistant',
  message: {
    role: 'assistant',
    content: [{ type: 'text', text: 'what is done next '.repeat(20) }],
  },
  parent_tool_use_id: null,
  session_id: SESSION,
});
const AGENT = `#!/bin/bash
[ "$1" = --version ] && exit
echo '${INIT}'
exec {never}<> <(:)
while :; do echo '${LINE}'; read -r -t 0.2 -u "$never"; done
`;

export async function taskCost(pace: Pace): Promise<Figure[]> {
  return [...(await conversationCost(pace)), ...(await pageSpeed(pace))];
}

async function conversationCost({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig({ LOOPWATCH_TASK_SLOTS: String(CONVERSATIONS) });
  rig.writeAgent(AGENT);
  await rig.start();
  const measuredMs = isQuick ? QUICK_MS : MEASURED_MS;
  await pause(SETTLE_MS);
  const idle = { cpu: await cpuShare(rig.pid, measuredMs), bytes: residentBytes(rig.pid) };
  for (let n = 0; n < CONVERSATIONS; n += 1) await rig.createTask(`task${n}`, true);
  await pause(SETTLE_MS);
  const before = await interactionsOf(rig);
  const cpu = (await cpuShare(rig.pid, measuredMs)) - idle.cpu;
  const lines = (await interactionsOf(rig)) - before;
  const memory = residentBytes(rig.pid) - idle.bytes;
  const name = `each of ${CONVERSATIONS} conversations at work`;
  const rate = `${((lines / measuredMs) * 1_000).toFixed(0)} lines a second kept`;
  return [
    {
      name: `${name}: daemon, CPU`,
      unit: '% of a core',
      remark: rate,
      value: (cpu * 100) / CONVERSATIONS,
      goal: { direction: 'at most', value: 1 },
    },
    {
      name: `${name}: daemon, memory`,
      unit: 'MB',
      value: memory / 2 ** 20 / CONVERSATIONS,
      goal: { direction: 'at most', value: 10 },
    },
  ];
}

async function interactionsOf(rig: Rig): Promise<number> {
  const tasks = (await rig.get('/api/v1/tasks?limit=100')) as { interaction_count: number }[];
  return tasks.reduce((sum, { interaction_count }) => sum + interaction_count, 0);
}

async function pageSpeed({ isQuick }: Pace): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  const taskId = await rig.createTask('long', false);
  fill(rig.home, taskId);
  const path = `/api/v1/tasks/by-name/long/interactions?limit=${PAGE}`;
  const middle = `${path}&before=${INTERACTIONS / 2}`;
  const figures: Figure[] = [];
  for (const [where, address] of [
    ['the newest', path],
    ['in the middle', middle],
  ] as const) {
    const samples: number[] = [];
    for (let n = 0; n < WARM; n += 1) await rig.get(address);
    for (let n = 0; n < (isQuick ? 100 : 500); n += 1) {
      const began = performance.now();
      await rig.get(address);
      samples.push(performance.now() - began);
    }
    figures.push({
      name: `${PAGE} of ${INTERACTIONS} interactions, ${where}: p99`,
      unit: 'ms',
      value: percentile(samples, 0.99),
      goal: { direction: 'at most', value: 50 },
    });
  }
  return figures;
}

/** As an agent would have written it: answers and tools alternating. */
function fill(home: string, taskId: string): void {
  const database = openDatabase(home);
  try {
    const store = new InteractionStore(database);
    database.transaction(() => {
      for (let n = 0; n < INTERACTIONS; n += 1) {
        const tool = n % 3 === 0 ? 'Bash' : null;
        const line = { taskId, source: `1:${n}`, turn: 1, at: new Date(n).toISOString(), tool };
        const content = `What was said as number ${n}. `.repeat(15);
        store.insert({ ...line, type: 'claude_response', content });
      }
    });
  } finally {
    database.close();
  }
}
