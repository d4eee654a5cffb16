/** For any work in a worktree, removed and restored any number of times: no work is lost. */
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { WorktreeStage } from '../../support/git/worktree-stage.ts';

const RUNS = sized({ short: 4, middle: 20, long: 300 });
const STEPS = 25;
const ACTS = [
  'edit',
  'edit',
  'edit',
  'edit',
  'edit',
  'add',
  'commit',
  'amend',
  'detach',
  'branch',
  'home',
  'back',
  'keep',
  'remove',
  'vanish',
  'wipe',
] as const;
const FILES = ['README', 'a.txt', 'sub/b.txt', 'ü c.txt'];

/** Work that was written and not overwritten: once committed or removed, it must exist forever. */
class Agent {
  readonly stage: WorktreeStage;
  readonly random: Random;
  readonly steps: string[] = [];
  /** Content that must be kept by now. */
  readonly owed = new Set<string>();
  readonly #standing = new Map<string, string>();
  #staged = new Map<string, string>();
  #count = 0;

  constructor(stage: WorktreeStage, random: Random) {
    this.stage = stage;
    this.random = random;
  }

  get path(): string {
    return join(this.stage.repository, '.claude_worktrees/fix');
  }

  async step(): Promise<void> {
    const act = existsSync(this.path) ? this.random.pick(ACTS) : 'restore';
    this.steps.push(act);
    await this[act]();
  }

  edit(): void {
    const name = this.random.pick(FILES);
    const content = `${(this.#count += 1)} by ${this.random.seed}\n`;
    this.stage.write(this.path, name, content);
    this.#standing.set(name, content);
  }

  add(): void {
    this.#git('add', '-A');
    this.#staged = new Map(this.#standing);
  }

  commit(): void {
    this.#git('add', '-A');
    this.#git('commit', '-q', '--allow-empty', '-m', 'x');
    this.#owe();
  }

  amend(): void {
    this.#git('add', '-A');
    this.#git('commit', '-q', '--allow-empty', '--amend', '-m', 'y');
    this.#owe();
  }

  detach(): void {
    this.#git('switch', '-q', '--detach');
  }

  branch(): void {
    this.#git('switch', '-q', '-C', `other-${(this.#count += 1)}`);
  }

  home(): void {
    this.commit();
    this.#git('switch', '-q', 'task/fix');
  }

  back(): void {
    this.commit();
    this.#git('reset', '-q', '--hard', 'HEAD~1');
  }

  async keep(): Promise<void> {
    this.#owe(this.#staged);
    await this.stage.remove('fix', 'keep');
  }

  async remove(): Promise<void> {
    this.#owe(this.#staged);
    await this.stage.remove('fix', 'keep_unmerged');
  }

  /** A person deletes the directory by hand: uncommitted content goes with it. */
  vanish(): void {
    this.commit();
    rmSync(this.path, { recursive: true });
  }

  /** The same, but everything was staged: git still knows that. */
  wipe(): void {
    this.add();
    this.#owe();
    rmSync(this.path, { recursive: true });
  }

  async restore(): Promise<void> {
    await this.stage.restore('fix');
    if (this.random.chance(0.3)) this.stage.restart();
  }

  lost(): string[] {
    const held = this.stage.held();
    return [...this.owed].filter((content) => !held.has(blobOf(content)));
  }

  /** The current content must be kept from now on; content staged and overwritten only on a removal. */
  #owe(staged: ReadonlyMap<string, string> = new Map()): void {
    for (const content of [...this.#standing.values(), ...staged.values()]) this.owed.add(content);
    this.#standing.clear();
    this.#staged.clear();
  }

  #git(...args: string[]): void {
    this.stage.git(this.path, ...args);
  }
}

function blobOf(content: string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

it('WT8 after any sequence of work and removals, every content is reachable from some ref', async () => {
  let owed = 0;
  for (let run = 0; run < RUNS; run += 1) {
    await seeded(async (random) => {
      using stage = new WorktreeStage();
      const agent = new Agent(stage, random);
      for (let step = 0; step < STEPS; step += 1) await agent.step();
      // Also where the directory was deleted last: until then only git's own log holds the dropped commits.
      if (stage.worktrees.of('fix').length > 0) await agent.remove();
      stage.git(stage.repository, 'gc', '-q', '--prune=now');
      expect({ lost: agent.lost(), steps: agent.steps }).toEqual({
        lost: [],
        steps: agent.steps,
      });
      owed += agent.owed.size;
    });
  }
  expect(owed).toBeGreaterThan(RUNS);
});
