/** An agent that knows nothing but what `loopwatch step` prints brings a task from draft to its report. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { World } from '../../support/daemon/world.ts';

interface Next {
  next: string;
  checkpoint: string;
}

/** What it finds at each step, in order; after the last one it has nothing to object to. */
const FINDINGS: Record<string, string[]> = {
  'plan ': ['(generated)', '(annotations)', '(generated)'],
  'check post-plan': ['NEEDS_REVISION', 'PASS', 'PASS'],
  'exec ': ['(mid-exec)', '(step-2)', '(done)', '(done)'],
  'check mid-exec': ['NEEDS_FIX', 'CONTINUE', 'CONTINUE'],
  'exec mid-exec': ['(mid-exec)'],
  'check post-exec': ['REPLAN', 'ACCEPT'],
  'merge ': ['success'],
  'report ': ['(generated)'],
};

class ScriptAgent {
  readonly #world: World;
  readonly #dir: string;
  readonly #project: string;
  readonly done: string[] = [];

  constructor(world: World, project: string, dir: string) {
    this.#world = world;
    this.#project = project;
    this.#dir = dir;
  }

  async #ask(name: string, ...words: string[]): Promise<Record<string, unknown>> {
    const all = ['step', name, '--dir', this.#dir, '--json', ...words];
    const { code, stdout, stderr } = await this.#world.cli(...all);
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** One life of the agent: from `entry` until the end, a stop, or its death after so many steps. */
  async live(deathAfter = Infinity): Promise<'ended' | 'stopped' | 'died'> {
    await this.#ask('lock');
    const { branch, base } = await this.#ask('status');
    const branches = git(this.#project, 'branch', '--list', String(branch));
    const create = branches === '' ? ['-c'] : [];
    const isMerged = git(this.#project, 'branch', '--show-current') === base && branches !== '';
    if (!isMerged) git(this.#project, 'switch', '--quiet', ...create, String(branch));
    let place = (await this.#ask('entry')) as unknown as Next;
    for (let steps = 0; place.next !== '(stop)'; steps += 1) {
      if (steps === deathAfter) return 'died';
      const stop = await this.#world.cli('step', 'stop-requested', '--dir', this.#dir);
      if (stop.code === 0) {
        await this.#ask('lock', '--release');
        return 'stopped';
      }
      place = await this.#take(place);
    }
    await this.#ask('lock', '--release');
    return 'ended';
  }

  async #take({ next, checkpoint }: Next): Promise<Next> {
    const result = FINDINGS[`${next} ${checkpoint}`]?.shift();
    if (result === undefined) throw new Error(`nothing is left to find at ${next} ${checkpoint}`);
    appendFileSync(join(this.#project, 'work.txt'), `${next} ${result}\n`);
    if (next === 'report') writeFileSync(join(this.#dir, '.report.md'), 'Done.\n');
    this.#commit(`${next}: ${result}`);
    if (next === 'merge') {
      const { branch, base } = await this.#ask('status');
      git(this.#project, 'switch', '--quiet', String(base));
      git(this.#project, 'merge', '--quiet', '--no-ff', '--no-edit', String(branch));
    }
    const at = checkpoint === '' ? [] : ['--checkpoint', checkpoint];
    const line = await this.#ask('done', '--step', next, '--result', result, ...at);
    expect(Object.keys(line)).toEqual(['step', 'result', 'next', 'checkpoint', 'iteration']);
    this.done.push(`${String(line['iteration'])} ${next} ${result}`);
    return line as unknown as Next;
  }

  #commit(message: string): void {
    git(this.#project, 'add', '--all');
    git(this.#project, 'commit', '--quiet', '--message', message);
  }
}

it('LS6, LS9, LS27 a task gets from draft to its report over a crash and a stop, by its files alone', async () => {
  await using world = new World();
  const project = gitRepository(join(world.root, 'tasks/project'));
  const dir = join(project, 'tasks/hello');
  await world.cli('step', 'init', '--dir', dir, '--target', 'Write hello world with a test.');
  const agent = new ScriptAgent(world, project, dir);
  // Between two steps: what it had in mind is lost.
  expect(await agent.live(6)).toBe('died');
  expect((await world.cli('step', 'stop', '--dir', dir)).code).toBe(0);
  expect(await agent.live()).toBe('stopped');
  expect(await agent.live()).toBe('ended');
  expect(agent.done).toEqual([
    '1 plan (generated)',
    '2 check NEEDS_REVISION',
    '3 plan (annotations)',
    '4 check PASS',
    '5 exec (mid-exec)',
    '6 check NEEDS_FIX',
    '7 exec (mid-exec)',
    '8 check CONTINUE',
    '9 exec (step-2)',
    '10 check CONTINUE',
    '11 exec (done)',
    '12 check REPLAN',
    '13 plan (generated)',
    '14 check PASS',
    '15 exec (done)',
    '16 check ACCEPT',
    '17 merge success',
    '18 report (generated)',
  ]);
  const index = JSON.parse(readFileSync(join(dir, '.index.json'), 'utf8')) as object;
  expect(index).toMatchObject({
    status: 'complete',
    phase: '',
    branch: 'task/hello',
    base: 'main',
  });
  // Nothing transient was ever committed, and nothing is left over.
  expect(git(project, 'status', '--short')).toBe('');
  const files = git(project, 'log', '--all', '--name-only', '--format=').split('\n');
  expect(new Set(files.filter((name) => name.startsWith('tasks/')))).toEqual(
    new Set(['tasks/hello/.index.json', 'tasks/hello/.report.md', 'tasks/hello/.target.md']),
  );
  expect(git(project, 'log', '--format=%s', '-1')).toBe('report: (generated)');
});
