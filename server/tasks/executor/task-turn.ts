/**
 * One message to the agent and all that comes of it: sent, heard, recorded as it comes, and told to
 * the machine. What is recorded of a stream is the same however often it is read.
 */
import { rmSync } from 'node:fs';
import type { TurnOutcome } from '../../agents/headless/turn-outcome.ts';
import type { RunningTurn } from '../../agents/headless/conversations.ts';
import type { Ending } from '../../agents/headless/end-turn.ts';
import type { TurnWatcher } from '../../agents/headless/turn.ts';
import type { Append } from '../../events/event-log.ts';
import { toIso } from '../../lib/clock.ts';
import { taskReply } from '../../policy/task-reply.ts';
import { completionClaim } from '../criteria/completion-claim.ts';
import type { NewInteraction } from '../stores/interaction-store.ts';
import type { Said, Turn } from '../machine/task-state.ts';
import { summaryOf } from '../messages/summary.ts';
import { interactionEvent } from './record-interaction.ts';
import type { EffectOptions } from './task-effects.ts';
import { TurnRecorder } from './turn-recorder.ts';
import { turnMessage, type TurnMessage } from './turn-message.ts';
import { turnDirectory, workPlaces } from './work-places.ts';

export const NOTHING_RAN: Ending = 'none';

export class TaskTurn {
  readonly #options: EffectOptions;
  readonly #turn: Turn;
  readonly #message: TurnMessage;
  readonly #recorder: TurnRecorder;
  #running: RunningTurn | null = null;
  #isHeard: boolean;
  #isAdopted = false;

  constructor(options: EffectOptions) {
    const { turn } = options.record().state;
    if (turn === null) throw new Error('the task has no turn');
    this.#options = options;
    this.#turn = turn;
    this.#isHeard = turn.heard;
    this.#message = turnMessage(options, turn.message);
    this.#recorder = new TurnRecorder(turn.number);
  }

  /** Throws when nothing could be started; then nothing has run. */
  send(): void {
    const { conversations, record } = this.#options;
    const { plan, state } = record();
    const { cwd, others } = workPlaces(this.#options);
    this.#running = conversations.start(
      {
        ...{ id: this.#turn.id, directory: turnDirectory(this.#options, this.#turn.id), cwd },
        ...{ message: this.#message.text, images: this.#message.images },
        ...{ sessionId: state.sessionId, permissionMode: plan.permissionMode },
        ...{ tools: 'all', addDirectories: others },
      },
      this.#watcher(),
    );
  }

  /** The same turn, begun by an earlier daemon. */
  adopt(): void {
    const { id, process } = this.#turn;
    this.#isAdopted = true;
    const directory = turnDirectory(this.#options, id);
    const adopted = { id, directory, identity: process, offset: 0 };
    this.#running = this.#options.conversations.adopt(adopted, this.#watcher());
  }

  async interrupt(): Promise<void> {
    await this.#running?.interrupt();
  }

  async kill(): Promise<Ending> {
    return (await this.#running?.kill()) ?? NOTHING_RAN;
  }

  /** Reads no more; the agent goes on. */
  dispose(): void {
    this.#running = null;
  }

  #watcher(): TurnWatcher {
    const { log, apply } = this.#options;
    return {
      // Not stored is not started: the client waits for this.
      spawned: (process) => apply({ kind: 'spawned', process }),
      // What throws here comes again.
      events: (events, { line }) => {
        const begun = events.find(({ kind }) => kind === 'init');
        if (begun?.kind === 'init' && !this.#isHeard) this.#hear(begun.sessionId);
        const lines = this.#recorder.take(events, line);
        if (lines.length === 0) return;
        log.write((append) => {
          for (const each of lines) this.#record(append, each);
        });
      },
      ended: (outcome, leftovers) => {
        apply(this.#happening(outcome), (append) => {
          this.#finish(append, outcome);
          if (leftovers !== '') this.#recordLeftovers(append, leftovers);
        });
        this.#removeFiles();
      },
    };
  }

  /** It is stored that the turn is over: what throws now must not end it a second time. */
  #removeFiles(): void {
    const { logger } = this.#options;
    try {
      rmSync(turnDirectory(this.#options, this.#turn.id), { recursive: true, force: true });
    } catch (error) {
      logger.warn({ err: error, turn: this.#turn.id }, 'the files of a turn are left behind');
    }
  }

  #hear(sessionId: string): void {
    this.#options.apply({ kind: 'heard', sessionId }, (append) => this.#recordMessage(append));
    this.#isHeard = true;
  }

  /** What was sent, once it is known to be heard, or when nobody can know any more. */
  #recordMessage(append: Append): void {
    const { own, person, author } = this.#message;
    const source = (part: string) => `${this.#turn.number}:${part}`;
    if (own !== '') {
      this.#record(append, { source: source('own'), type: 'simulated_human', content: own });
    }
    if (person === '') return;
    const words = { source: source('person'), type: 'user_request', content: person } as const;
    this.#record(append, { ...words, author });
  }

  #finish(append: Append, outcome: TurnOutcome): void {
    const { interactions, record } = this.#options;
    const { id, name } = record();
    const { number } = this.#turn;
    const { usage, durationMs, costUsd } = outcome;
    if (!this.#isHeard && outcome.delivery !== 'not_heard') this.#recordMessage(append);
    if (usage !== null) {
      const taken = { ...usage, durationMs, costUsd: costUsd ?? 0 };
      const last = interactions.addUsage(id, number, taken);
      if (last !== null) append(interactionEvent(name, last));
    }
    if (outcome.ok || outcome.error === 'interrupted') return;
    const content = `The turn failed (${outcome.error.replaceAll('_', ' ')}): ${outcome.detail}`;
    const line = { source: `${number}:failed`, type: 'system_message', content } as const;
    this.#record(append, { ...line, isError: true });
  }

  #recordLeftovers(append: Append, content: string): void {
    const source = `${this.#turn.number}:left`;
    this.#record(append, { source, type: 'system_message', content, isError: true });
  }

  #happening(outcome: TurnOutcome) {
    const usage = {
      outputTokens: outcome.usage?.outputTokens ?? 0,
      costUsd: outcome.costUsd ?? 0,
    };
    if (!outcome.ok) {
      const { delivery: heard, detail, until } = outcome;
      const error = this.#isAdopted && outcome.error === 'crashed' ? 'lost' : outcome.error;
      return { kind: 'turn_failed', error, heard, detail, until, usage } as const;
    }
    return {
      kind: 'replied',
      said: this.#said(outcome.text),
      usage,
      summary: summaryOf(outcome.text),
    } as const;
  }

  #said(text: string): Said {
    const { interactions, record } = this.#options;
    const { id, state } = record();
    const previous = interactions.lastReplies(id, 3);
    const reply = taskReply(text, { iteration: state.iterations, previous });
    return { text, claim: completionClaim(text), reply };
  }

  #record(append: Append, line: Omit<NewInteraction, 'taskId' | 'turn' | 'at'>): void {
    const { interactions, record, clock } = this.#options;
    const { id, name } = record();
    const at = toIso(clock.now());
    const stored = interactions.insert({ ...line, taskId: id, turn: this.#turn.number, at });
    if (stored !== null) append(interactionEvent(name, stored));
  }
}
