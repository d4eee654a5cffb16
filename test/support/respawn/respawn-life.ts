/** One session that is kept going, under a clock that the test moves: what happens, what is said and done. */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import {
  changeConfig,
  DEFAULT_RESPAWN_CONFIG,
  type RespawnConfigChange,
} from '../../../shared/schema/loops/respawn.ts';
import { freshRespawn } from '../../../server/respawn/fresh-respawn.ts';
import { NO_SIGNS, type OutputSigns } from '../../../server/respawn/detection/output-reader.ts';
import type {
  AgentInput,
  CheckResult,
  RespawnEffect,
  UnstampedInput,
  RespawnState,
} from '../../../server/respawn/machine/respawn-state.ts';
import { nextDeadline, transition } from '../../../server/respawn/machine/transition.ts';

export const PLAN_MENU = ['❯ 1. Yes, and auto-accept edits', '2. No, keep planning'];
export const START_WALL = Date.parse('2026-01-01T00:00:00Z');

export class RespawnLife {
  state: RespawnState | null;
  /** The supervisor's clock, which the wall clock follows. */
  clockMs = 0;
  said: string[] = [];
  done: string[] = [];
  events: EventDraft[] = [];
  effects: RespawnEffect[] = [];
  quota: string[] = [];
  /** Events and effects in the order in which they came, and texts whose fate became known. */
  journal: (EventDraft | RespawnEffect | { settled: string })[] = [];
  #seen: AgentInput = {
    kind: 'agent',
    agent: null,
    background: { subagents: 0, shells: 0, teammates: 0 },
    contextPercent: null,
    budget: null,
    tree: null,
    keys: null,
    mayTry: true,
    planRequest: null,
    reported: null,
  };

  constructor(change: RespawnConfigChange = {}) {
    this.state = freshRespawn('web', changeConfig(DEFAULT_RESPAWN_CONFIG, change));
  }

  /** Started, with an agent whose screen alone shows that it is at its prompt. */
  static watching(change: RespawnConfigChange = {}): RespawnLife {
    return new RespawnLife(change).start().ready('screen').forget();
  }

  /** The same without a model to ask. */
  static plain(change: RespawnConfigChange = {}): RespawnLife {
    return RespawnLife.watching({ idle_check_enabled: false, ...change });
  }

  /** A plan on the screen of a client without hooks, drawn now. */
  static planning(change: RespawnConfigChange = {}): RespawnLife {
    const life = RespawnLife.watching(change);
    return life
      .agent('waiting', { cause: 'plan', witness: 'screen' })
      .output({ isSubstantial: true, menu: PLAN_MENU });
  }

  get name(): string {
    return this.state?.visit.status ?? 'ended';
  }

  get known(): RespawnState {
    if (this.state === null) throw new Error('it has ended');
    return this.state;
  }

  /** The texts handed to the outbox, by their step. */
  get submitted(): string[] {
    return this.done.filter((done) => done.startsWith('submit '));
  }

  meet(input: UnstampedInput): this {
    if (this.state === null) return this;
    const wallMs = START_WALL + this.clockMs;
    if (input.kind === 'delivery') this.journal.push({ settled: input.input });
    const result = transition(this.state, { ...input, clockMs: this.clockMs, wallMs });
    this.state = result.state;
    this.events.push(...result.events);
    this.effects.push(...result.effects);
    this.quota.push(...result.quota);
    this.journal.push(...result.events, ...result.effects);
    this.said.push(...result.events.map(eventWords));
    this.done.push(...result.effects.map(effectWords));
    return this;
  }

  /** Lets time pass as the shell would: at each deadline the machine is asked. */
  tick(byMs: number): this {
    const endMs = this.clockMs + byMs;
    for (let count = 0; this.state !== null; count += 1) {
      if (count > 10_000) throw new Error(`no rest in ${this.name}`);
      const dueMs = nextDeadline(this.state);
      if (dueMs === null || dueMs > endMs) break;
      this.clockMs = Math.max(this.clockMs, dueMs);
      this.meet({ kind: 'due' });
    }
    this.clockMs = endMs;
    return this;
  }

  forget(): this {
    this.said = [];
    this.done = [];
    this.events = [];
    this.effects = [];
    return this;
  }

  start(minutes: number | null = null): this {
    return this.meet({ kind: 'start', author: 'mia', minutes, hasAgent: true });
  }

  stop(): this {
    return this.meet({ kind: 'stop', author: 'mia' });
  }

  pause(): this {
    return this.meet({ kind: 'pause', author: 'mia' });
  }

  resume(): this {
    return this.meet({ kind: 'resume', author: 'mia' });
  }

  configure(change: RespawnConfigChange): this {
    const config = changeConfig(this.known.config, change);
    return this.meet({ kind: 'configured', config, author: 'mia' });
  }

  agent(state: AgentState['state'], more: Partial<AgentState> = {}): this {
    const since = new Date(START_WALL + this.clockMs).toISOString();
    const agent = { state, cause: 'none', detail: null, witness: 'record', since, until: null };
    return this.see({ agent: { ...agent, ...more } as AgentState });
  }

  ready(witness: AgentState['witness'] = 'record'): this {
    return this.agent('ready', { witness });
  }

  working(): this {
    return this.agent('working', { detail: '✻ Cooking…' });
  }

  see(change: Partial<AgentInput>): this {
    this.#seen = { ...this.#seen, ...change };
    return this.meet(this.#seen);
  }

  output(signs: Partial<OutputSigns> = {}): this {
    return this.meet({ kind: 'output', signs: { ...NO_SIGNS, ...signs } });
  }

  /** New text. */
  text(): this {
    return this.output({ isSubstantial: true });
  }

  /** The line that ends a turn, as new text. */
  completes(): this {
    return this.output({ isSubstantial: true, completion: '✻ Worked for 2m 46s' });
  }

  hook(hook: Extract<UnstampedInput, { kind: 'hook' }>['hook']): this {
    return this.meet({ kind: 'hook', hook });
  }

  /** The last line of the agent's message says how the work stands. */
  reports(status: 'done' | 'blocked'): this {
    const line = `STATUS: ${status.toUpperCase()}`;
    return this.see({ reported: { status, line, witness: 'transcript' } });
  }

  /** Answers the check that was asked last. */
  answer(result: CheckResult): this {
    return this.meet({ kind: 'verdict', check: this.lastCheck, result });
  }

  get lastCheck(): string {
    return this.effects.findLast((effect) => effect.kind === 'ask')?.id ?? '';
  }

  get lastInput(): string {
    return this.effects.findLast((effect) => effect.kind === 'submit')?.input ?? '';
  }

  deliver(delivery: 'delivered' | 'typed' | 'failed' | 'unknown' = 'delivered'): this {
    return this.meet({ kind: 'delivery', input: this.lastInput, delivery, detail: null });
  }

  /** From `sending_…`: the text is sent, works, and is over. */
  step(): this {
    this.tick(1_000).deliver();
    if (this.name !== 'waiting_clear') return this.working().ready().tick(10_000);
    return this.output({ isPrompt: true });
  }
}

function eventWords({ type, data }: EventDraft): string {
  const short = type.replace('respawn.', '');
  if ('trigger' in data) return `${short} ${data.state}`;
  if ('outcome' in data && 'cycle' in data) return `${short} ${data.outcome}`;
  if ('check' in data) return `${short} ${data.check} ${data.verdict ?? data.status}`;
  if ('step' in data) return `${short} ${data.step}`;
  if ('via' in data) return `${short} ${data.via}`;
  return 'reason' in data ? `${short} ${String(data.reason)}` : short;
}

function effectWords(effect: RespawnEffect): string {
  switch (effect.kind) {
    case 'submit':
      return `submit ${effect.step}`;
    case 'ask':
      return `ask ${effect.check}`;
    case 'accept_plan':
      return effect.request === null ? 'press Enter' : `allow ${effect.request}`;
    default:
      return effect.kind;
  }
}
