/** Tasks without a terminal, whose client or daemon is killed in each moment. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from '../../server/lib/processes/exec-file.ts';
import {
  brokenServer,
  delegate,
  hang,
  LONG_MS,
  longAnswer,
  overloaded,
  type Reply,
  run,
  usageLimit,
} from '../model/reply.ts';
import { makeProject } from '../project.ts';
import { print, printPart } from '../record/print-judgement.ts';
import type { Stage } from '../stage.ts';
import { createTask, greet, taskEnds, taskOf, VERDICT } from './greeting-task.ts';

const FAR_S = 3_600;

type Victim = 'client' | 'daemon';

/** Brings the task there; returns once it is. */
type Moment = (stage: Stage, name: string) => Promise<unknown>;

/** The first request is answered so; each after it, too. */
function asked(reply: () => Reply, ofSubagent?: Reply): Moment {
  return async (stage) => {
    const before = stage.model.prompts.length;
    if (ofSubagent !== undefined) stage.model.nextOfSubagent(ofSubagent);
    stage.model.decide(reply);
    await stage.until('its request', () => stage.model.prompts.length > before);
    if (ofSubagent !== undefined)
      await stage.until('the request of the subagent', () => stage.model.isAnswered);
  };
}

const MOMENTS: Record<string, Moment> = {
  'an answer': asked(longAnswer),
  'a command': asked(() => run('sleep 15', false)),
  'a subagent': asked(delegate, longAnswer()),
  'a stream that hangs': asked(hang),
  'an overloaded model': asked(overloaded),
  'a broken server': asked(brokenServer),
  'a five-hour limit': async (stage, name) => {
    stage.model.decide(() => usageLimit(Math.floor(Date.now() / 1_000) + FAR_S));
    await waitsFor(stage, name, 'quota');
  },
  'a verdict': async (stage, name) => {
    stage.model.answerOwn(VERDICT, LONG_MS);
    greet(stage, projectOf(stage), name);
    const progress = 'Checking the last answer against the criteria.';
    await stage.until(
      'its verdict',
      async () => (await taskOf(stage, name))?.progress === progress && (await clientOf(stage)),
    );
  },
};

/** Plays those whose titles contain `wanted`, also after one that failed. Whether all held. */
export async function playTaskKills(stage: Stage, wanted = ''): Promise<boolean> {
  const cells = Object.keys(MOMENTS)
    .flatMap((moment) => (['client', 'daemon'] as const).map((victim) => [moment, victim] as const))
    // At a limit no client runs.
    .filter(([moment, victim]) => moment !== 'a five-hour limit' || victim === 'daemon')
    .map(([moment, victim]) => ({
      moment,
      victim,
      title: `a task, ${moment}, the ${victim} is killed`,
    }))
    .filter(({ title }) => title.includes(wanted));
  if (cells.length === 0) return true;
  const project = projectOf(stage);
  mkdirSync(join(project, '.claude'), { recursive: true });
  const permissions = { allow: ['Bash(sleep:*)'] };
  writeFileSync(join(project, '.claude', 'settings.json'), JSON.stringify({ permissions }));
  await makeProject(project);
  stage.truth.judgesNothing();
  await stage.begin(project);
  let misses = 0;
  for (const [count, { moment, victim, title }] of cells.entries()) {
    try {
      const seen = await play(stage, `task-${count + 1}`, MOMENTS[moment] as Moment, victim);
      print(`  held   ${title}: ${seen}`);
    } catch (error) {
      misses += 1;
      printPart(title, {}, String(error));
    }
  }
  print(`    ${cells.length - misses} of ${cells.length} kills of tasks held`);
  return misses === 0;
}

/** Returns what was seen, in words. Throws what did not hold. */
async function play(stage: Stage, name: string, moment: Moment, victim: Victim): Promise<string> {
  stage.model.forget();
  stage.model.answerOwn(VERDICT);
  const arrives = moment(stage, name);
  await createTask(stage, projectOf(stage), name);
  await arrives;
  const pid = await clientOf(stage);
  const seen = await KILLS[victim](stage, name, pid);
  await taskEnds(stage, name);
  await stage.until('the end of its clients', async () => (await clientOf(stage)) === null);
  return seen;
}

const KILLS: Record<
  Victim,
  (stage: Stage, name: string, pid: number | null) => string | Promise<string>
> = {
  client: (stage, name, pid) => {
    if (pid === null) throw new Error('no client runs');
    process.kill(pid, 'SIGKILL');
    workOn(stage, name);
    return 'done by another client';
  },
  daemon: async (stage, name, pid) => {
    await stage.daemon.end('SIGKILL');
    await stage.daemon.start();
    const waits = (await taskOf(stage, name))?.wait?.reason;
    workOn(stage, name);
    if (pid === null) {
      if (waits !== 'quota') throw new Error(`it waits for ${waits}`);
      await stage.send('POST', `/api/v1/tasks/by-name/${name}/user-input`, {
        input: 'The limit was raised. Go on.',
      });
      return 'it waited for the same limit, until a person wrote';
    }
    return existsSync(`/proc/${pid}`) ? 'its client outlived the daemon' : 'its client had ended';
  },
};

/** What hangs ends now, and the model does the work. */
function workOn(stage: Stage, name: string): void {
  stage.model.forget();
  stage.model.answerOwn(VERDICT);
  greet(stage, projectOf(stage), name);
  stage.model.hangUp();
}

async function waitsFor(stage: Stage, name: string, reason: string): Promise<void> {
  await stage.until(
    `a wait for ${reason}`,
    async () => (await taskOf(stage, name))?.wait?.reason === reason,
  );
}

/** The client of a turn or a verdict; null while there is none. Finds those of another trial too. */
async function clientOf(stage: Stage): Promise<number | null> {
  const words = ['-f', '--', `${stage.client.program}.*--output-format`];
  const { stdout } = await execFile('pgrep', words, { timeoutMs: 10_000 });
  const [pid] = stdout.split('\n').map(Number);
  return pid === undefined || pid === 0 ? null : pid;
}

function projectOf(stage: Stage): string {
  return join(stage.work, 'project');
}
