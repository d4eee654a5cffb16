/** Plays one night: moves the time to the next thing that happens, and does what people would do. */
import { join } from 'node:path';
import type { AlertIncident } from '../../../shared/schema/alerts/alert-incidents.ts';
import type { Task } from '../../../shared/schema/tasks/task.ts';
import type { Random } from '../../support/house/random.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { NightDaemon } from './night-daemon.ts';
import { BEGIN_MS, END_MS, MINUTE_MS, type NightPlan } from './night-plan.ts';
import { done, type NightStage } from './night-stage.ts';
import { rest, waitingAgents } from './rest.ts';
import { type Seen, Spectator } from './spectator.ts';

/** Agents that continue within this time of each other continue together. */
const TOGETHER_MS = 30_000;
const LONGEST_STEP_MS = 10 * MINUTE_MS;
/** While something is under way that may not take long. */
const CAREFUL_STEP_MS = 3_000;
/** Later than the rule for questions escalates it. */
const ANSWER_AFTER_MS = 40 * MINUTE_MS;

interface Plan {
  atMs: number;
  act: () => Promise<void>;
}

export class Night {
  readonly daemon: NightDaemon;
  steps = 0;
  /** The longest that one step took, in milliseconds: time passes meanwhile. */
  slowestMs = 0;
  readonly #stage: NightStage;
  readonly #plan: NightPlan;
  readonly #random: Random;
  readonly #waits: string;
  #spectator: Spectator | null = null;
  /** What is still to happen. */
  readonly #due: Plan[] = [];
  /** Incidents that a person has decided about, and items that one has dealt with. */
  readonly #known = new Set<string>();

  constructor(stage: NightStage, plan: NightPlan, random: Random) {
    this.#stage = stage;
    this.#plan = plan;
    this.#random = random;
    this.daemon = new NightDaemon(stage, BEGIN_MS);
    this.#waits = join(stage.world.root, 'clock.waits');
  }

  /** From the evening to the morning. */
  async play(): Promise<void> {
    const { daemon } = this;
    await daemon.start();
    this.#spectator = new Spectator(join(this.#stage.world.home, 'loopwatch.db'));
    await this.#stage.setRules(daemon.api, this.#plan);
    await this.#stage.startLoops(daemon.api, this.#plan.loops);
    for (const task of this.#plan.tasks) {
      this.#at(task.beginsMs, async () => this.#stage.startTask(daemon.api, task));
    }
    const { atMs: sharedMs, ...shared } = this.#plan.sharedBudget;
    this.#at(sharedMs, async () => this.#stage.setBudget(daemon.api, shared));
    for (const atMs of this.#plan.killsMs) this.#at(atMs, async () => this.#kill());
    this.#at(this.#plan.login.renewedMs, async () => this.#logIn());
    while (daemon.nowMs < END_MS) await this.#step();
  }

  /** Everything is ended; resolves once nothing runs any more. */
  async end(): Promise<void> {
    const { daemon } = this;
    for (const { name } of this.#plan.tasks) {
      await daemon.api.send('POST', `/api/v1/tasks/by-name/${name}/stop`);
    }
    for (const { name } of this.#plan.loops) {
      await daemon.api.send('DELETE', `/api/sessions/${name}`);
    }
    await until('nothing works', () => waitingAgents(this.#waits).size === 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#spectator?.[Symbol.dispose]();
    await this.daemon.close();
  }

  async #step(): Promise<void> {
    const beganAt = performance.now();
    const { daemon } = this;
    const seen = await this.#rest();
    const escalations = this.#people(seen);
    const nowMs = daemon.nowMs;
    const waits = [...waitingAgents(this.#waits).values()].sort((one, other) => one - other);
    const [wake, ...others] = waits.filter((atMs) => atMs > nowMs);
    const together = others
      .filter((atMs) => wake !== undefined && atMs <= wake + TOGETHER_MS)
      .at(-1);
    const next = Math.min(
      together ?? wake ?? Infinity,
      ...escalations,
      ...this.#due.map(({ atMs }) => atMs),
      nowMs + (seen.isAtRest ? LONGEST_STEP_MS : CAREFUL_STEP_MS),
      END_MS,
    );
    await daemon.skip(Math.max(1, Math.ceil(next - nowMs)));
    this.steps += 1;
    for (const plan of this.#due.filter(({ atMs }) => atMs <= daemon.nowMs)) {
      this.#due.splice(this.#due.indexOf(plan), 1);
      await plan.act();
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - beganAt);
  }

  #at(atMs: number, act: () => Promise<void>): void {
    this.#due.push({ atMs, act });
  }

  /** In the middle of all that follows from the last step; the agents work on for a while. */
  async #kill(): Promise<void> {
    const { daemon } = this;
    await daemon.kill();
    if (this.#random.chance(0.5)) {
      await this.#rest();
      await daemon.skip(this.#random.int(1, 4) * MINUTE_MS);
      await this.#rest();
    }
    await daemon.start();
  }

  async #rest(): ReturnType<typeof rest> {
    if (this.#spectator === null) throw new Error('the night has not begun');
    const { daemon } = this;
    const now = { nowMs: () => daemon.nowMs, hasDaemon: daemon.isRunning };
    return rest(this.#spectator, this.#waits, now);
  }

  /** Decides who reacts to each alert and each question. Gives the times of the next escalations. */
  #people({ incidents, questions }: Seen): number[] {
    const { nowMs } = this.daemon;
    for (const { id, step } of incidents) {
      if (this.#known.has(`${id} ${step}`)) continue;
      this.#known.add(`${id} ${step}`);
      // The first receiver is dead; who gets the next message may be asleep; the last one is not.
      const isAwake = step === 2 || (step === 1 && this.#random.chance(0.5));
      const afterMs = this.#random.int(1, 15) * MINUTE_MS;
      if (isAwake) this.#at(nowMs + afterMs, async () => this.#acknowledge(id, step));
    }
    for (const { id, task } of questions) {
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      const path = `/api/v1/tasks/by-name/${task}/user-input`;
      this.#at(nowMs + ANSWER_AFTER_MS, async () => {
        await done(this.daemon.api, 'POST', path, { input: 'The first one.' });
      });
    }
    return incidents.flatMap(({ dueMs }) => (dueMs !== null && dueMs > nowMs ? dueMs : []));
  }

  async #acknowledge(id: string, step: number): Promise<void> {
    const { api } = this.daemon;
    const receiver = step === 2 ? this.#stage.manager : this.#stage.phone;
    const links = receiver.got.map(({ body }) => {
      return (JSON.parse(body) as { actions?: { url: string }[] }).actions?.[0]?.url ?? '';
    });
    const known = (await api.get('/api/alerts/incidents?state=all&limit=1000')).body;
    const { incidents } = known as unknown as { incidents: AlertIncident[] };
    if (incidents.find((each) => each.id === id)?.acknowledged_at !== null) return;
    // Over the link of the newest message that fits; which one it is, only the daemon can say.
    for (const link of links.reverse()) {
      const token = link.split('#')[1] ?? '';
      if (token === '' || this.#known.has(token)) continue;
      this.#known.add(token);
      const answer = await api.send('POST', '/api/alerts/acknowledge', { token });
      if (answer.status === 200) return;
    }
    await done(api, 'POST', `/api/alerts/incidents/${id}/acknowledge`);
  }

  /** A person logs in again and lets everything that waits for it continue. */
  async #logIn(): Promise<void> {
    const { api } = this.daemon;
    const tasks = (await api.get('/api/v1/tasks?limit=100')).body as unknown as Task[];
    for (const { task_name: name, reason } of tasks) {
      if (reason !== 'login_needed') continue;
      const path = `/api/v1/tasks/by-name/${name}/user-input`;
      await done(api, 'POST', path, { input: 'Continue.' });
    }
    for (const { name } of this.#plan.loops) {
      const { agent } = (await api.get(`/api/sessions/${name}`)).body as {
        agent?: { cause: string } | null;
      };
      if (agent?.cause === 'authentication') await typeInto(api, name, 'continue');
    }
  }
}
