/**
 * A terminal as the outbox sees it, with programs a test plays: what is in the foreground, what
 * reaches it, and what it confirms. Every key that reaches a program it was not meant for is an
 * offence.
 */
import { pino } from 'pino';
import type { InputSource } from '../../../shared/schema/attention/delivery.ts';
import type { Input } from '../../../shared/schema/model.ts';
import { Serial } from '../../../server/lib/serial.ts';
import { InputStore } from '../../../server/sessions/typing/input-store.ts';
import type {
  ForegroundAgent,
  ProbedForeground,
} from '../../../server/sessions/typing/may-type.ts';
import { Outbox } from '../../../server/sessions/typing/outbox.ts';
import {
  type ForegroundProgram,
  isSameProgram,
  type Program,
} from '../../../server/sessions/typing/program.ts';
import type { Receiver } from '../../../server/sessions/typing/receipt.ts';
import type { TypeOutcome, TypeRequest } from '../../../server/terminals/terminal.ts';
import { EventHome } from '../events/event-home.ts';

/** `confirms`: by hook and record. `mute`: takes prompts and reports nothing. `swallows`: loses them. */
export type AgentBehaviour = 'confirms' | 'mute' | 'swallows' | 'loses_enter';

export interface Played {
  kind: ForegroundProgram['kind'];
  program: Program;
  state: ForegroundAgent['state'];
  box: ForegroundAgent['box'];
  draft: string | null;
  showsLimitDialog?: boolean;
  manner: AgentBehaviour;
  /** Prompts this agent has taken, or lines this shell has run. */
  taken: string[];
}

const NAMES = { agent: 'claude', shell: 'bash', program: 'vim' };
const TAKES_TEXT = ['ready', 'working', 'limited'];

export class TypingStage {
  readonly home = new EventHome();
  /** Every text in the order it reached a program. */
  readonly typed: string[] = [];
  readonly offences: string[] = [];
  /** Texts that an agent confirmed. */
  readonly confirmed: string[] = [];
  front: Played | null;
  sinceTypedMs: number | null = null;
  /** The host's answer instead of typing. */
  outcome: TypeOutcome = 'typed';
  /** kill -9 of the daemon at the next key: whether that key still arrives. */
  dies: 'before' | 'after' | null = null;
  /**
   * Happens right before the probe or key with that count. Between a probe and the key after it
   * only what the host itself refuses: a program of another name.
   */
  readonly planned: { calls: number; act: () => void; comes?: Played['kind'] }[] = [];
  readonly #owners = new Map<string, Program>();
  #pids = 100;
  #heard: { number: number; text: string | null }[] = [];
  #generation = 0;
  outbox: Outbox;
  /** How often the key that leaves a dialog was pressed. */
  escapes = 0;

  constructor() {
    this.front = this.play('agent');
    this.outbox = this.open();
  }

  /** A program that is not in the foreground yet. */
  play(kind: Played['kind'], manner: AgentBehaviour = 'confirms'): Played {
    this.#pids += 1;
    const conversation = kind === 'agent' ? `conversation ${this.#pids}` : null;
    const program = { pid: this.#pids, startedAt: '1', conversation };
    return { kind, program, state: 'ready', box: 'empty', draft: null, manner, taken: [] };
  }

  /** Starts a daemon on the same home; the one before it receives and types nothing more. */
  open(): Outbox {
    if (this.#generation > 0) this.outbox.dispose();
    this.#generation += 1;
    const generation = this.#generation;
    const alive = <Answer>(answer: Answer): Promise<Answer> =>
      generation === this.#generation ? Promise.resolve(answer) : new Promise(() => undefined);
    const { log, database } = this.home.open();
    const serial = new Serial();
    this.outbox = new Outbox({
      log,
      store: new InputStore(database),
      clock: this.home.clock,
      logger: pino({ enabled: false }),
      sinceTyped: () => this.sinceTypedMs,
      place: {
        exclusively: async (session, act) => serial.run(session, act),
        type: async (_, request) => {
          this.#count('key');
          return alive(this.#type(request));
        },
        escape: async () => {
          this.#count('key');
          this.escapes += 1;
          return alive(Promise.resolve<TypeOutcome>('typed'));
        },
      },
      witness: {
        program: () => this.front,
        receiver: async () => {
          this.#count('look');
          return alive(this.#receiver());
        },
      },
    });
    this.outbox.recover();
    return this.outbox;
  }

  async submit(text: string, source: InputSource = 'person'): Promise<Input> {
    const { front } = this;
    if (front !== null) this.#owners.set(text, front.program);
    if (source === 'person') {
      return this.settled(this.outbox.submit('web', { text, submit: true }, 'mia'));
    }
    const program = front?.program ?? { pid: 1, startedAt: '0', conversation: null };
    return this.settled(this.outbox.answer('web', text, program, null));
  }

  /** Lets the clock run until the promise settles. */
  async settled<Result>(promise: Promise<Result>): Promise<Result> {
    const wait = { over: false };
    const end = promise.finally(() => (wait.over = true));
    while (!wait.over) await this.#pass();
    return end;
  }

  /** Tries what is held, and lets what is being typed finish unless the daemon dies. */
  async pump(): Promise<void> {
    const generation = this.#generation;
    const wait = { over: false };
    void this.outbox.pump('web').finally(() => (wait.over = true));
    while (!wait.over && generation === this.#generation) await this.#pass();
  }

  async #pass(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    this.home.clock.advance(50);
  }

  deliveries(): string[] {
    const all = this.outbox.list('web').reverse();
    return all.map(({ text, delivery, reason }) => `${text} ${delivery} ${reason ?? ''}`.trim());
  }

  [Symbol.dispose](): void {
    this.outbox.dispose();
    this.home[Symbol.dispose]();
  }

  #count(what: 'look' | 'key'): void {
    for (const plan of [...this.planned]) {
      plan.calls -= 1;
      const isSeen = plan.comes !== undefined && plan.comes !== this.front?.kind;
      if (plan.calls > 0 || (what === 'key' && !isSeen)) continue;
      this.planned.splice(this.planned.indexOf(plan), 1);
      plan.act();
    }
  }

  #foreground(): ProbedForeground {
    const { front } = this;
    if (front === null) return { kind: 'gone' };
    const { kind, program, state, box, draft, showsLimitDialog = false } = front;
    const name = NAMES[kind];
    if (kind !== 'agent') return { kind, name, program };
    return { kind, name, program, state, box, draft, showsLimitDialog };
  }

  #receiver(): Receiver {
    const { front } = this;
    const speaks = front?.kind === 'agent' && front.manner !== 'mute';
    const status = front?.state === 'working' ? ('busy' as const) : ('idle' as const);
    const record = { status, waitingFor: null, sessionId: null, version: null, changedAtMs: 0 };
    return {
      atMs: this.home.clock.now(),
      front: this.#foreground(),
      prompts: this.#heard,
      hasHooks: speaks,
      record: speaks ? record : null,
      written: [],
      turnEndAtMs: null,
      screen: JSON.stringify([front?.draft, front?.taken.length]),
    };
  }

  #type({ text, submit, foreground }: TypeRequest): TypeOutcome {
    const { dies, front } = this;
    if (dies !== null) {
      this.dies = null;
      this.#generation += 1;
      if (dies === 'before') return 'unknown';
    }
    if (this.outcome !== 'typed') return this.outcome;
    if (front === null || (foreground !== undefined && NAMES[front.kind] !== foreground))
      return 'refused';
    if (text !== '') this.#receive(front, text);
    if (submit) this.#enter(front, text);
    return 'typed';
  }

  #receive(front: Played, text: string): void {
    this.typed.push(text);
    const owner = this.#owners.get(text);
    const isOwn = owner !== undefined && isSameProgram(owner, front.program);
    if (!isOwn) this.offences.push(`${text} reached process ${front.program.pid}`);
    if (front.kind !== 'agent') return;
    if (!TAKES_TEXT.includes(front.state)) this.offences.push(`${text} typed while ${front.state}`);
    front.draft = (front.draft ?? '') + text;
    front.box = 'draft';
  }

  #enter(front: Played, text: string): void {
    if (front.kind !== 'agent') return void front.taken.push(text);
    const { draft } = front;
    if (!TAKES_TEXT.includes(front.state))
      return void this.offences.push(`Enter while ${front.state}`);
    if (draft === null || !this.#owners.has(draft)) {
      return void this.offences.push(`Enter sent "${draft ?? ''}"`);
    }
    if (front.manner === 'loses_enter') {
      front.manner = 'confirms';
      return;
    }
    front.draft = null;
    front.box = 'empty';
    if (front.manner === 'swallows') return;
    front.taken.push(draft);
    front.state = 'working';
    if (front.manner !== 'confirms') return;
    this.confirmed.push(draft);
    this.#heard = [...this.#heard, { number: this.#heard.length + 1, text: draft }];
  }
}
