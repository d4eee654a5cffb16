/**
 * Input from people and supervisors, one durable queue per session: people first, one at a time,
 * each at most once, and only into the program it was submitted to. It is stored before it is typed
 * and never typed again once typing started, even when that failed.
 */
import type { DeliveryReason } from '../../../shared/schema/attention/delivery.ts';
import type { Input } from '../../../shared/schema/model.ts';
import type { SessionInput } from '../../../shared/schema/requests.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Timer } from '../../lib/clock.ts';
import { leaveLimitDialog } from './leave-limit-dialog.ts';
import { mayType, type TypeVerdict } from './may-type.ts';
import { InputLedger } from './input-ledger.ts';
import type { StoredInput } from './input-store.ts';
import type { OutboxOptions } from './outbox-options.ts';
import type { Program } from './program.ts';
import type { Receiver } from './receipt.ts';
import { typeInput } from './type-input.ts';

/** A caller waits no longer; what is not settled by then is reported as an event. */
const ANSWER_WITHIN_MS = 4_000;
/** A program that just came to the foreground is soon known. */
const REFUSED_RETRY_MS = 100;
/** Retry interval for what does not report its changes. */
const RETRY_AFTER_MS = 2_000;
/** Changes of state trigger a retry; this only covers a lost notification. */
const SAFETY_MS = 30_000;
const UNSEEN: readonly DeliveryReason[] = [
  'person_typing',
  'draft_in_box',
  'agent_starting',
  'agent_unknown',
];

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pumping = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  readonly #timers = new Map<string, Timer>();
  /** Of answers being typed: whether the screen still asks for them. */
  readonly #asked = new Map<number, () => Promise<boolean>>();
  readonly #stopped = new AbortController();
  readonly #ledger: InputLedger;
  /** Outcomes of inputs since the daemon started. */
  readonly settled: InputLedger['settled'];
  readonly withdraw: InputLedger['withdraw'];
  readonly leaveLimitDialog: (session: string, program: Program) => Promise<void>;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#ledger = new InputLedger(options);
    this.settled = this.#ledger.settled;
    this.withdraw = (...input) => this.#ledger.withdraw(...input);
    this.leaveLimitDialog = async (...where) => leaveLimitDialog(...where, options);
  }

  /**
   * Stores an input for the current foreground program, and types it as soon as that program
   * accepts it. Returns its state at that time. `author` is the name of the person who wrote it.
   */
  async submit(session: string, input: SessionInput, author: string): Promise<Input> {
    const front = this.#options.witness.program(session);
    const { text, submit, to } = input;
    const program = front?.program ?? null;
    const id = this.#ledger.insert({ session, text, submit, source: 'person', author, program });
    const isMeant = to === undefined || front === null || front.kind === to;
    if (isMeant) await this.#withinAnswer(this.pump(session));
    else this.#ledger.settle(session, id, 'failed', 'program_changed');
    return this.#ledger.require(session, id);
  }

  /**
   * Types a supervisor's answer, and Enter, into its agent now or not at all. `asked` checks right
   * before whether the screen still asks for it; null: it answers nothing on the screen.
   */
  async answer(
    session: string,
    text: string,
    program: Program,
    asked: (() => Promise<boolean>) | null,
  ): Promise<Input> {
    const typed = { session, text, submit: true, author: null };
    const id = this.#ledger.insert({ ...typed, source: 'daemon', program });
    if (asked !== null) this.#asked.set(id, asked);
    const input = await this.#nowOrNever(session, id);
    this.#asked.delete(id);
    return input;
  }

  /**
   * Types a supervisor's prompt, and Enter, into `program` now or not at all, and at most once for
   * each `tag`.
   */
  async send(session: string, text: string, program: Program, tag: string): Promise<Input> {
    const typed = { session, text, submit: true, author: null, source: 'daemon' as const };
    const id = this.sent(session, tag)?.id ?? this.#ledger.insert({ ...typed, program, tag });
    return this.#nowOrNever(session, id);
  }

  /** What was sent under that tag; null when nothing was. */
  sent(session: string, tag: string): Input | null {
    return this.#options.store.tagged(session, tag);
  }

  list(session: string): Input[] {
    return this.#options.store.list(session);
  }

  countOpen(): Record<'held' | 'delivering', number> {
    return this.#options.store.count(['held', 'delivering']);
  }

  /** Cancels an input that is still held. Throws `input_unknown` or `input_not_held`. */
  cancel(session: string, id: number): Input {
    if (this.#ledger.require(session, id).delivery !== 'held')
      throw new AppError('input_not_held', `input ${id} is no longer waiting to be typed`);
    this.#ledger.settle(session, id, 'failed', 'cancelled');
    return this.#ledger.require(session, id);
  }

  /**
   * After a start: what was being typed may or may not be there, and is not typed again. On a
   * `restored` database that applies to all held input: it may have been typed since the backup.
   */
  recover(restored = false): void {
    for (const { session, id, delivery, source } of this.#options.store.open()) {
      if (restored) this.#ledger.settle(session, id, 'unknown', 'restored');
      else if (delivery === 'delivering')
        this.#ledger.settle(session, id, 'unknown', 'daemon_restarted');
      // A supervisor's input was only for that moment.
      else if (source === 'daemon') this.#ledger.settle(session, id, 'failed', 'daemon_restarted');
      this.#wake(session, RETRY_AFTER_MS);
    }
  }

  /** The session has ended: what was held in it fails. */
  closeSession(session: string): void {
    const { log, store } = this.#options;
    this.#timers.get(session)?.cancel();
    this.#timers.delete(session);
    for (const { id } of store.open(session))
      this.#ledger.settle(session, id, 'failed', 'terminal_gone');
    log.write(() => store.removeSession(session));
  }

  /** Something changed in the session: tries what is held. One round at a time. */
  async pump(session: string): Promise<void> {
    const running = this.#pumping.get(session);
    if (running !== undefined) {
      this.#again.add(session);
      return running;
    }
    const round = this.#rounds(session).finally(() => this.#pumping.delete(session));
    this.#pumping.set(session, round);
    return round;
  }

  dispose(): void {
    this.#stopped.abort();
    for (const timer of this.#timers.values()) timer.cancel();
  }

  /** Resolves when it is settled: what is held when a caller would wait no longer has failed. */
  async #nowOrNever(session: string, id: number): Promise<Input> {
    await this.#withinAnswer(this.pump(session));
    if (this.#ledger.require(session, id).delivery === 'delivering')
      await this.#pumping.get(session);
    const input = this.#ledger.require(session, id);
    if (input.delivery === 'held')
      this.#ledger.settle(session, id, 'failed', input.reason ?? 'cancelled');
    return this.#ledger.require(session, id);
  }

  async #withinAnswer(round: Promise<void>): Promise<void> {
    const enough = new AbortController();
    const late = this.#options.clock.sleep(ANSWER_WITHIN_MS, enough.signal).catch(() => undefined);
    await Promise.race([round, late]);
    enough.abort();
  }

  async #rounds(session: string): Promise<void> {
    try {
      do {
        this.#again.delete(session);
        while (await this.#next(session));
      } while (this.#again.has(session));
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      this.#options.logger.error({ err: error, session }, 'typing failed');
      this.#wake(session, SAFETY_MS);
    }
  }

  /** Tries the first in the queue; true when it is settled and the next one may follow. */
  async #next(session: string): Promise<boolean> {
    const { store, place, witness, sinceTyped } = this.#options;
    if (this.#stopped.signal.aborted || store.open(session).length === 0) return false;
    return place.exclusively(session, async () => {
      // A person's input may have arrived during the wait.
      const [input, ...others] = store.open(session);
      if (input === undefined) return false;
      const asked = await this.#asked.get(input.id)?.();
      if (asked === false)
        return this.#ledger.settle(session, input.id, 'failed', 'program_changed');
      const before = await witness.receiver(session);
      const { delivery } = this.#ledger.require(session, input.id);
      // Settled during the probe, by a person or a recovery; that settles what an earlier daemon typed.
      if (delivery !== 'held') return delivery !== 'delivering';
      const verdict = mayType(input, before.front, sinceTyped(session), asked);
      if (verdict.kind === 'fail')
        return this.#ledger.settle(session, input.id, 'failed', verdict.reason);
      if (verdict.kind === 'hold') {
        this.#hold(input, verdict.reason);
        for (const other of others) this.#hold(other, 'after_others');
        return false;
      }
      return this.#type(input, verdict, before);
    });
  }

  async #type(
    input: StoredInput,
    verdict: Extract<TypeVerdict, { kind: 'type' }>,
    before: Receiver,
  ): Promise<boolean> {
    const { session, id } = input;
    this.#ledger.settle(session, id, 'delivering', null);
    const { place, witness, clock } = this.#options;
    const tools = { place, witness, clock, signal: this.#stopped.signal };
    const prompt = { ...input, before, isWithdrawn: () => this.#ledger.isWithdrawn(id) };
    const typed = await typeInput(prompt, verdict, tools);
    if (typed !== 'refused') return this.#ledger.settle(session, id, ...typed);
    this.#ledger.settle(session, id, 'held', 'program_changed');
    this.#wake(session, REFUSED_RETRY_MS);
    return false;
  }

  #hold({ session, id, reason: before }: Input, reason: DeliveryReason): void {
    if (this.#ledger.require(session, id).delivery !== 'held') return;
    if (before !== reason) this.#ledger.settle(session, id, 'held', reason);
    if (reason !== 'after_others')
      this.#wake(session, UNSEEN.includes(reason) ? RETRY_AFTER_MS : SAFETY_MS);
  }

  #wake(session: string, delayMs: number): void {
    this.#timers.get(session)?.cancel();
    const timer = this.#options.clock.after(delayMs, () => void this.pump(session));
    this.#timers.set(session, timer);
  }
}
