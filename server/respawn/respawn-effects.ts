/** Performs the effects of one session's machine, and reports the outcome to it. */
import type { Input } from '../../shared/schema/model.ts';
import { askModel } from '../agents/headless/ask-model.ts';
import { messageOf } from '../lib/app-error.ts';
import { randomId } from '../lib/random-id.ts';
import type { Program } from '../sessions/typing/program.ts';
import { acceptPlanMenu } from './accept-plan-menu.ts';
import { checkPrompt } from './checker/check-prompt.ts';
import { readVerdict } from './checker/read-verdict.ts';
import type {
  CheckResult,
  RespawnEffect,
  UnstampedInput,
  RespawnState,
} from './machine/respawn-state.ts';
import type { RespawnOptions } from './respawn-options.ts';

/** Rows of the past that a check reads besides the screen. */
const MAX_ROWS = 500;
/** Who answered, in the inbox and its events. */
const AUTHOR = 'respawn';

export interface RespawnEffectsOptions extends RespawnOptions {
  session: string;
  /** The agent that was last observed in the foreground; null without one. */
  program: () => Program | null;
  /** False once respawn was stopped or paused, or leaves plans to people. */
  acceptsPlans: () => boolean;
  /** For what comes once: stored sooner or later. */
  submit: (input: UnstampedInput) => void;
}

export class RespawnEffects {
  readonly #options: RespawnEffectsOptions;
  readonly #checks = new Map<string, AbortController>();

  constructor(options: RespawnEffectsOptions) {
    this.#options = options;
  }

  perform(effect: RespawnEffect, state: RespawnState): void {
    switch (effect.kind) {
      case 'submit':
        return void this.#send(effect);
      case 'withdraw':
        return this.#withdraw(effect.input);
      case 'find_delivery':
        return this.#report(effect.input, this.#sent(effect.input));
      case 'ask':
        return void this.#ask(effect, state);
      case 'drop_check':
        return this.#checks.get(effect.id)?.abort();
      case 'accept_plan':
        return void this.#acceptPlan(effect.request);
    }
  }

  dispose(): void {
    for (const check of this.#checks.values()) check.abort();
  }

  async #send({ input, text }: Extract<RespawnEffect, { kind: 'submit' }>): Promise<void> {
    const { session, outbox, attachments } = this.#options;
    const program = this.#options.program();
    // Keys that were taken since the last observation.
    const person = attachments.controllerOf(session);
    if (program === null || person !== null) {
      this.#report(input, null, person === null ? null : `${person} has the keys`);
      return;
    }
    // `/clear` begins another conversation in the same process.
    const receiver = { ...program, conversation: null };
    try {
      this.#report(input, await outbox.send(session, text, receiver, input));
    } catch (error) {
      // It may have been stored, and typed, before that.
      this.#report(input, this.#sent(input), messageOf(error));
    }
  }

  #sent(input: string): Input | null {
    return this.#options.outbox.sent(this.#options.session, input);
  }

  #report(input: string, sent: Input | null, problem: string | null = null): void {
    const delivery = sent?.delivery ?? 'failed';
    // Still on its way: the call that sent it reports.
    if (delivery === 'held' || delivery === 'delivering') return;
    const detail = sent?.reason ?? problem ?? (sent === null ? 'nothing was typed' : null);
    this.#options.submit({ kind: 'delivery', input, delivery, detail });
  }

  #withdraw(input: string): void {
    const { session, outbox, logger } = this.#options;
    const sent = this.#sent(input);
    if (sent === null) return;
    try {
      outbox.withdraw(session, sent.id);
    } catch (error) {
      logger.warn({ err: error, session }, 'cannot withdraw the text of a step');
    }
  }

  async #ask(
    { check, id }: Extract<RespawnEffect, { kind: 'ask' }>,
    { config, run }: RespawnState,
  ): Promise<void> {
    const { models, submit, usage, session, sessions } = this.#options;
    const dropped = new AbortController();
    this.#checks.set(id, dropped);
    const characters = config[`${check}_check_context`];
    const timeoutMs = config[`${check}_check_timeout_ms`];
    const model = config[`${check}_check_model`] ?? undefined;
    let result: CheckResult;
    try {
      const terminal = await this.#terminal();
      const prompt = checkPrompt({ check, terminal, characters, nonce: randomId() });
      const subject = { kind: 'respawn', id: session } as const;
      const { cwd: project } = sessions.get(session);
      const answer = await askModel({ ...models, timeoutMs, model }, prompt, dropped.signal);
      usage.addResult(randomId(), answer.spent, { subject, project, person: run?.startedBy ?? '' });
      if (answer.timedOut) result = { error: `no answer within ${timeoutMs / 1_000} s` };
      else if (!answer.ok) result = { error: answer.detail };
      else result = readVerdict(check, answer.text) ?? { error: 'the answer is no verdict' };
    } catch (error) {
      result = { error: messageOf(error) };
    }
    this.#checks.delete(id);
    if (!dropped.signal.aborted) submit({ kind: 'verdict', check: id, result });
  }

  /** The rows kept above the screen, and the screen. */
  async #terminal(): Promise<string> {
    const { session, sessions } = this.#options;
    const { lines, alternate } = await sessions.snapshot(session);
    if (alternate) return lines.join('\n');
    const past = await sessions.scrollback(session, { from: -MAX_ROWS, lines: MAX_ROWS });
    return [...past.lines, ...lines].join('\n');
  }

  async #acceptPlan(request: string | null): Promise<void> {
    const { session, attention, submit, program } = this.#options;
    const via = request === null ? 'key' : 'hook';
    try {
      let error: string | null = null;
      if (request === null) error = await acceptPlanMenu(session, program(), this.#options);
      else attention.answer(request, { decision: 'allow' }, AUTHOR);
      submit({ kind: 'accepted', via, error, mayRetry: error !== null });
    } catch (problem) {
      // A request that cannot be answered is closed.
      submit({ kind: 'accepted', via, error: messageOf(problem), mayRetry: false });
    }
  }
}
