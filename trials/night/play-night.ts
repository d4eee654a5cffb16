/** A night of one loop: our plugin in a real client, and what goes wrong meanwhile. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';
import type { Loop } from '../../shared/schema/model.ts';
import type { PastLoop } from '../../shared/schema/loops/past-loop.ts';
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import { overloaded, usageLimit } from '../model/reply.ts';
import { makeProject, succeed } from '../project.ts';
import type { Stage } from '../stage.ts';
import { nextReply } from './loop-agent.ts';

/** Until the limit is reset, at least. */
const LIMIT_S = 40;
const MINUTE_S = 60;
const STEPS = 12;

/** What happens once the loop has done so many steps. */
const NIGHT: readonly [iteration: number, (stage: Stage) => Promise<void> | void][] = [
  [2, (stage) => stage.model.next(overloaded(), overloaded(), overloaded())],
  [3, killDaemon],
  [4, killTerminal],
  [6, killClient],
  [8, (stage) => stage.model.next(usageLimit(nextReset()))],
  [10, killDaemon],
];

/** Throws when the loop does not end as completed and proven, or needed a person. */
export async function playNight(stage: Stage): Promise<void> {
  const project = join(stage.work, 'project');
  const taskDir = join(project, 'tasks', 'hello');
  await makeLoopProject(project, taskDir);
  stage.model.decide((messages) => nextReply(taskDir, messages));
  await stage.begin(project);
  await stage.send('POST', stage.path('task-auto'), { taskDir });
  for (const [iteration, happen] of NIGHT) {
    await stage.until(
      `step ${iteration}`,
      async () => ((await loopOf(stage))?.iteration ?? 0) >= iteration,
    );
    await happen(stage);
  }
  await stage.until('the end of the loop', async () => (await loopOf(stage))?.status === 'stopped');
  await judge(stage);
}

/** Seconds since 1970, at a whole minute: older clients say no more. */
function nextReset(): number {
  return Math.ceil((Date.now() / 1_000 + LIMIT_S) / MINUTE_S) * MINUTE_S;
}

async function judge(stage: Stage): Promise<void> {
  const [past] = (await stage.send('GET', `/api/task-auto/history?session=${stage.session}`))[
    'runs'
  ] as PastLoop[];
  if (past?.reason !== 'completed' || past.unproven !== null || past.iterations !== STEPS) {
    throw new Error(`the loop ended otherwise: ${JSON.stringify(past)}`);
  }
  if (past.restart_count < 2 || past.seconds.quota === 0) {
    throw new Error(`not all of the night happened: ${JSON.stringify(past)}`);
  }
  const { items } = (await stage.send('GET', '/api/attention?state=all')) as {
    items: AttentionItem[];
  };
  const asked = items.filter(({ request }) => request !== null);
  if (asked.length > 0) throw new Error(`a person was asked: ${JSON.stringify(asked)}`);
}

/** Null while the daemon does not answer. */
async function loopOf(stage: Stage): Promise<Loop | null> {
  return stage.send('GET', stage.path('task-auto')).then(
    (body) => body as unknown as Loop,
    () => null,
  );
}

/** The loop starts another. */
async function killClient(stage: Stage): Promise<void> {
  process.kill(stage.clientPid(), 'SIGKILL');
  stage.truth.isUnknown();
  await stage.shows('exited');
  // The model may have got a request of the client that is gone.
  stage.truth.isUnknown();
}

/** The loop opens the terminal of its session again, and continues from its files. */
async function killTerminal(stage: Stage): Promise<void> {
  process.kill(await stage.terminalServer(), 'SIGKILL');
  stage.truth.isUnknown();
  await stage.until('a restart for it', async () => {
    const { events } = await stage.send(
      'GET',
      '/api/events?after=0&limit=1000&types=auto.restart_scheduled',
    );
    return (events as { data: { reason?: string } }[]).some(
      ({ data }) => data.reason === 'terminal_lost',
    );
  });
  stage.truth.isUnknown();
}

async function killDaemon(stage: Stage): Promise<void> {
  await stage.daemon.end('SIGKILL');
  await stage.daemon.start();
}

/** A repository on the branch of its task, with a check that passes from the first part on. */
async function makeLoopProject(project: string, taskDir: string): Promise<void> {
  const git = await makeProject(project);
  mkdirSync(join(taskDir, '.test'), { recursive: true });
  const program = join(packageRoot(), 'dist/server/main.js');
  const target = 'Write a greeting, in parts.';
  await succeed(process.execPath, [program, 'step', 'init', '--dir', taskDir, '--target', target]);
  writeFileSync(join(taskDir, '.test', 'commands'), 'test -f part-2.txt\n');
  await git('switch', '-q', '-c', 'task/hello');
}
