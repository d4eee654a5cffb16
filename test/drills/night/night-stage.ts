/** The world of a night: its home, its plan, its rules, and what is started in the evening. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { gitRepository } from '../../support/git/git-repository.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { invite, logIn } from '../../support/daemon/invite-person.ts';
import { WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';
import { KEPT_PERCENT, type NightPlan, OTHER, PROJECT } from './night-plan.ts';

/** As long as for people: nothing in a night is shorter than it would be. */
const SETTINGS = {
  LOOPWATCH_SIGNAL_POLL_MS: '2000',
  LOOPWATCH_IDLE_CONFIRM_MS: '5000',
  LOOPWATCH_STOP_GRACE_MS: '120000',
  LOOPWATCH_KILL_GRACE_MS: '30000',
  LOOPWATCH_RESTART_DELAYS_MS: '5000,30000,120000',
  // Several agents begin at once, on a slow machine.
  LOOPWATCH_START_TIMEOUT_MS: '600000',
  LOOPWATCH_TASK_INTERRUPTED: 'resume',
  // The stand-in works on nothing that could be measured.
  LOOPWATCH_LOOP_NO_PROGRESS_SIGNALS: '0',
  LOOPWATCH_TASK_NO_PROGRESS_TURNS: '0',
  LOOPWATCH_STAND_IN_VERSION: '2.1.330',
};

/** Minutes without an acknowledgement until the next receiver gets an alert. */
export const STEP_MINUTES = [10, 20] as const;

export class NightStage {
  readonly world: World;
  readonly project: string;
  readonly phone: WebhookReceiver;
  readonly manager: WebhookReceiver;
  /** Refuses every connection. */
  readonly #deadUrl: string;

  private constructor(
    world: World,
    receivers: [WebhookReceiver, WebhookReceiver],
    deadUrl: string,
  ) {
    this.world = world;
    [this.phone, this.manager] = receivers;
    this.#deadUrl = deadUrl;
    this.project = gitRepository(world.taskDir(PROJECT));
  }

  static async open(slots: number): Promise<NightStage> {
    const world = new World({ ...SETTINGS, LOOPWATCH_TASK_SLOTS: String(slots) });
    const program = join(packageRoot(), 'dist/stand-in/main.js');
    world.writeClient('2.1.330 (Claude Code)', `exec "${process.execPath}" "${program}" "$@"`);
    const dead = await WebhookReceiver.open();
    await dead.close();
    const live = async () => WebhookReceiver.open(withStatus(200));
    return new NightStage(world, [await live(), await live()], dead.url);
  }

  /** What the files of the system say is the time of the night, where a daemon reads it. */
  keepTime(clockFile: string): void {
    // A status line is as old as its file.
    const seconds = `$(($(cut -d. -f1 "${clockFile}") / 1000))`;
    this.world.writeProgram(
      'mv',
      `/bin/mv "$@" && case "$2" in *status-line.json) touch -d "${seconds} seconds" "$2";; esac`,
    );
  }

  writePlan({ windows, login }: NightPlan): void {
    const plan = { ...windows, login_ms: [login.endsMs, login.renewedMs] };
    writeFileSync(join(this.world.root, 'claude', 'stand-in-plan.json'), JSON.stringify(plan));
  }

  /** Budgets, what is kept for people, alerts and a rule for questions. */
  async setRules(api: ApiClient, { budgets, dispatchPercent }: NightPlan): Promise<void> {
    for (const budget of budgets) await this.setBudget(api, budget);
    const all = {
      days: [1, 2, 3, 4, 5, 6, 7],
      from: 0,
      to: 24,
      five_hour: KEPT_PERCENT,
      weekly: 0,
    };
    await done(api, 'PUT', '/api/reserve', {
      line: { five_hour: 100, weekly: 100 },
      hours: [all],
      zone: 'UTC',
      dispatch_percent: { five_hour: dispatchPercent, weekly: 2 },
    });
    const ntfy = ({ port }: WebhookReceiver, topic: string) => {
      return { kind: 'ntfy', server: `http://127.0.0.1:${port}`, topic };
    };
    await done(api, 'POST', '/api/alerts', {
      name: 'people',
      types: ['attention.raised'],
      target: { kind: 'webhook', url: this.#deadUrl },
      steps: [
        { after_minutes: STEP_MINUTES[0], target: ntfy(this.phone, 'phone') },
        { after_minutes: STEP_MINUTES[1], target: ntfy(this.manager, 'manager') },
      ],
    });
    const rule = { scope: 'all', kind: 'question', action: 'escalate', after_minutes: 15 };
    const { id } = await done(api, 'PUT', '/api/question-rules', rule);
    await done(api, 'POST', `/api/question-rules/${String(id)}/try`);
    await done(api, 'POST', `/api/question-rules/${String(id)}/switch`, { on: true });
  }

  async setBudget(api: ApiClient, budget: NightPlan['budgets'][number]): Promise<void> {
    await done(api, 'PUT', '/api/budgets', { ...budget, measure: 'tokens' });
  }

  async startLoops(owner: ApiClient, loops: NightPlan['loops']): Promise<void> {
    const other = await logIn(owner.url, (await invite(owner, OTHER, 'operator')).code);
    const limits = { maxIterations: 1_000, timeoutMinutes: 1_000 };
    for (const { name, scenario, byOther } of loops) {
      const directory = this.world.taskDir(name, scenario);
      await owner.openSession(name, directory);
      const { status, body } = await (byOther ? other : owner).startLoop(name, directory, limits);
      if (status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`);
    }
  }

  async startTask(
    api: ApiClient,
    { name, description }: NightPlan['tasks'][number],
  ): Promise<void> {
    const root_folder = this.project;
    const task = { task_name: name, description, root_folder, test_commands: [], auto_start: true };
    await done(api, 'POST', '/api/v1/tasks', task);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.phone.close();
    await this.manager.close();
    await this.world[Symbol.asyncDispose]();
  }
}

/** The answer of a call that must succeed. */
export async function done(api: ApiClient, method: string, path: string, body?: object) {
  const answer = await api.send(method, path, body);
  if (answer.status < 300) return answer.body;
  throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
}
