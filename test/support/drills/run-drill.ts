/**
 * Runs at work on one repository under a daemon that is killed repeatedly. Records what was started
 * and what each kill left on disk; `runs-kill.test.ts` checks what must hold.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { loadCheckpoint } from '../../../server/checkpoints/load-checkpoint.ts';
import type { Checkpoint } from '../../../shared/schema/runs/checkpoint.ts';
import type { Run, RunPlan } from '../../../shared/schema/runs/run.ts';
import { ApiClient } from '../daemon/api-client.ts';
import type { Random } from '../house/random.ts';
import { RunHome } from '../runs/run-home.ts';
import { standInCalls } from '../agents/stand-in-calls.ts';
import { until } from '../house/until.ts';
import type { SpawnedDaemon, World } from '../daemon/world.ts';

/** How long one daemon lives after it listens, in milliseconds. */
const LIFE_MS = [20, 900] as const;
const DEAD_MS = [0, 100] as const;
/** Of an agent between two deeds, at most: a fraction of a daemon's life, so that kills meet all of them. */
const PAUSE_MS = 200;
/** So that polling does not keep the daemon from its work. */
const POLL_EVERY_MS = 100;

const KINDS = ['fixes', 'reviewed', 'limited'] as const;
type Kind = (typeof KINDS)[number];

interface DrilledRun {
  id: string;
  kind: Kind;
  prompt: string;
  /** As it was first seen; null before. */
  plan: string | null;
  /** Of the newest checkpoint. */
  cursors: number[];
  /** As last read. */
  isOver: boolean;
}

export class RunDrill {
  readonly runs: DrilledRun[] = [];
  /** What must not be, in words. */
  readonly broken: string[] = [];
  kills = 0;
  /** How many runs were in each phase at a kill. */
  readonly cut = new Map<string, number>();
  readonly home: RunHome;
  readonly #world: World;
  readonly #random: Random;
  readonly #atOnce: number;
  #daemon: SpawnedDaemon | null = null;

  constructor(world: World, random: Random, atOnce: number) {
    this.#world = world;
    this.#random = random;
    this.#atOnce = atOnce;
    this.home = new RunHome(world, new ApiClient('', ''));
  }

  /** Runs one daemon, ended by kill -9, then reads what it left. */
  async live(): Promise<void> {
    await this.#boot();
    await this.#tend();
    const working = this.#working().length;
    for (let count = working; count < this.#atOnce; count += 1) await this.#start();
    const ends = performance.now() + this.#random.int(...LIFE_MS);
    while (performance.now() < ends) {
      await this.#tend();
      await pause(this.#random.int(10, POLL_EVERY_MS));
    }
    await this.stop();
    this.kills += 1;
    for (const run of this.#working()) this.#readCheckpoint(run);
    await pause(this.#random.int(...DEAD_MS));
  }

  /** The last daemon: every run comes to its end. Returns their final state, oldest first. */
  async finish(): Promise<Run[]> {
    await this.#boot();
    let seen: Run[] = [];
    const ended = async () => {
      await this.#tend();
      await pause(POLL_EVERY_MS);
      seen = await this.#seen();
      return seen.every((run) => isOver(run) && run.has_report);
    };
    const progress = () => seen.map(({ status, phase, iteration }) => [status, phase, iteration]);
    await until('every run has ended', ended, progress).catch(() => undefined);
    return seen;
  }

  async stop(): Promise<void> {
    await this.#daemon?.kill();
    this.#daemon = null;
  }

  /** The first lines of all messages to the agents of a run, in their order. */
  messages(run: Run): string[] {
    const place = run.worktree_path ?? '';
    return standInCalls(this.#world)
      .filter(({ cwd }) => cwd === place)
      .map(({ message }) => message.split('\n')[0] ?? '');
  }

  /** The answers to both are read while the last daemon lives. */
  async told(id: string): Promise<{ ends: number; interactions: string[] }> {
    const { api } = this.home;
    const events = (await api.get('/api/events?after=0&types=run.done&limit=1000')).body;
    const ends = events['events'] as { data: { run: string } }[];
    const page = (await api.get(`/api/runs/${id}/interactions?limit=1000`)).body;
    const interactions = page['interactions'] as { turn: number; type: string; content: string }[];
    return {
      ends: ends.filter(({ data }) => data.run === id).length,
      interactions: interactions.map(({ turn, type, content }) => `${turn} ${type} ${content}`),
    };
  }

  async #boot(): Promise<void> {
    this.#daemon ??= await this.#world.spawn();
    this.home.api = this.#daemon.api;
  }

  async #start(): Promise<void> {
    const kind = KINDS[this.runs.length % KINDS.length] ?? 'fixes';
    const { id, prompt } = await this.home.start(this.#steps(kind), {
      test_commands: kind === 'fixes' ? ['test -f fix-2.md'] : ['true'],
      review_plan: kind === 'reviewed',
    });
    this.runs.push({ id, kind, prompt, plan: null, cursors: [0, 0, 0, 0], isOver: false });
  }

  #working(): DrilledRun[] {
    return this.runs.filter((run) => !run.isOver);
  }

  async #seen(): Promise<Run[]> {
    return Promise.all(this.runs.map(async ({ id }) => this.home.get(id)));
  }

  /** Accepts plans that wait, and compares what must stay the same. */
  async #tend(): Promise<void> {
    for (const known of this.#working()) {
      const run = await this.home.get(known.id);
      known.isOver = isOver(run);
      if (run.prompt !== known.prompt) this.broken.push(`${known.id} has another prompt`);
      if (!run.has_plan) continue;
      const plan = (await this.home.api.get(`/api/runs/${known.id}/plan`))
        .body as unknown as RunPlan;
      known.plan ??= plan.text;
      if (plan.text !== known.plan) this.broken.push(`${known.id} has another plan: ${plan.text}`);
      if (plan.awaits_review) await this.home.post(known.id, 'plan/accept', { hash: plan.hash });
    }
  }

  #readCheckpoint(run: DrilledRun): void {
    let checkpoint: Checkpoint;
    try {
      checkpoint = loadCheckpoint(this.#world.home, run.id);
    } catch (error) {
      this.broken.push(`${run.id}: ${(error as Error).message}`);
      return;
    }
    const { plan_cursor, exec_cursor, review_cursor, fix_cursor, prompt, phase } = checkpoint;
    this.cut.set(phase, (this.cut.get(phase) ?? 0) + 1);
    const cursors = [plan_cursor, exec_cursor, review_cursor, fix_cursor];
    const isBack = cursors.some((cursor, at) => cursor < (run.cursors[at] ?? 0));
    if (isBack) this.broken.push(`${run.id}: ${run.cursors.join()} became ${cursors.join()}`);
    if (prompt !== run.prompt) this.broken.push(`${run.id}: its checkpoint has another prompt`);
    run.cursors = cursors;
  }

  #steps(kind: Kind): string[] {
    const work = (phase: string, turn: number, file: string) => [
      `in ${phase} turn ${turn} wait ${this.#random.int(0, PAUSE_MS)}`,
      `in ${phase} turn ${turn} write ${file} The work of turn ${turn}.`,
      `in ${phase} turn ${turn} commit Turn ${turn} of ${phase}`,
      `in ${phase} turn ${turn} wait ${this.#random.int(0, PAUSE_MS)}`,
      `in ${phase} turn ${turn} say ${file} is written.`,
    ];
    return [
      `in plan turn 1 wait ${this.#random.int(0, PAUSE_MS)}`,
      `in plan turn 1 say # Plan ${this.runs.length}\\n\\n- [ ] Write the file`,
      ...(kind === 'limited'
        ? ['in execute turn 1 limit 1', ...work('execute', 2, 'work.md')]
        : work('execute', 1, 'work.md')),
      `in review turn 1 wait ${this.#random.int(0, PAUSE_MS)}`,
      'in review turn 1 review pass Nothing is missing.',
      ...work('fix', 1, 'fix-1.md'),
      ...work('fix', 2, 'fix-2.md'),
    ];
  }
}

function isOver({ stage }: Run): boolean {
  return stage === 'over';
}
