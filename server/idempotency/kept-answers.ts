/**
 * Does what came with an idempotency key once, and gives its answer to each repeat. That something
 * was stored for a key is committed together with it, so a killed daemon repeats nothing that it
 * has stored.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { REPLAYED_HEADER } from '../../shared/rules/idempotency.ts';
import type { EncodedEvent, EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { parseJson } from '../lib/parse-json.ts';
import type { KeyRow, KeyStore } from './key-store.ts';

const KEPT_MS = 24 * 60 * 60_000;
/** Of one actor; the oldest answered ones go first. */
export const MAX_KEYS = 1_000;
/** Of one answer: what an actor can fill is this times `MAX_KEYS`. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Of one request: enough to find what it did. */
const MAX_EVENTS = 20;

/** A fact that a request stored. */
export type Written = Pick<EncodedEvent, 'seq' | 'type' | 'subject'>;

interface KeyedRequest {
  /** The id of a person; `home` for the token of the home. */
  actor: string;
  key: string;
  /** Hash of method, target and body. */
  request: string;
  /** The answer holds a secret. */
  isSecret: boolean;
}

export interface Act {
  perform: () => Promise<Response>;
  /** The answer to what `perform` throws. */
  refuse: (error: unknown) => Response;
  /** The answer of a request that was done by a daemon that ended before it gave one; else null. */
  recall: (written: readonly Written[]) => Response | null;
}

/** A request that is being done. */
interface Doing {
  actor: string;
  key: string;
  isOpen: boolean;
}

export class KeptAnswers {
  readonly #store: KeyStore;
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #current = new AsyncLocalStorage<Doing>();
  readonly #doing = new Set<string>();

  constructor(options: { store: KeyStore; log: EventLog; clock: Clock; logger: Log }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    options.log.joinWrites((written) => this.#wrote(written));
  }

  /**
   * Throws `idempotency_key_reused`, `in_progress`, `answer_not_kept`, `too_many_attempts`, and what
   * `perform` throws when it has stored nothing: such a request may be tried again.
   */
  async once(asked: KeyedRequest, act: Act): Promise<Response> {
    const { actor, key } = asked;
    const id = `${actor} ${key}`;
    this.#store.removeBefore(this.#clock.now() - KEPT_MS);
    const known = this.#store.find(actor, key);
    if (known !== null && known.request !== asked.request) throw reused();
    if (this.#doing.has(id)) throw inProgress();
    if (known?.state === 'answered') return replay(known);
    if (known?.state === 'changed') return await this.#recall(asked, known, act);
    if (known === null) this.#begin(asked);
    this.#doing.add(id);
    const doing = { actor, key, isOpen: true };
    try {
      return await this.#current.run(doing, async () => this.#perform(asked, act));
    } finally {
      doing.isOpen = false;
      this.#doing.delete(id);
    }
  }

  async #perform(asked: KeyedRequest, act: Act): Promise<Response> {
    let answer: Response;
    try {
      answer = await act.perform();
    } catch (error) {
      if (this.#forgetUnchanged(asked)) throw error;
      answer = act.refuse(error);
    }
    return this.#keep(asked, answer);
  }

  /** Whether nothing was stored for the key. By its row: a transaction may have been undone. */
  #forgetUnchanged({ actor, key }: KeyedRequest): boolean {
    try {
      if (this.#store.find(actor, key)?.state === 'changed') return false;
      this.#store.remove(actor, key);
    } catch (error) {
      this.#logger.error({ err: error }, 'cannot forget an idempotency key');
    }
    return true;
  }

  /** An answer that cannot be stored is given all the same: what was asked is done. */
  async #keep({ actor, key, isSecret }: KeyedRequest, answer: Response): Promise<Response> {
    const { status, headers } = answer;
    const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '');
    const text = isJson ? await answer.text() : null;
    const isKept = !isSecret && text !== null && Buffer.byteLength(text) <= MAX_ANSWER_BYTES;
    try {
      this.#store.patch(actor, key, { state: 'answered', status, answer: isKept ? text : null });
    } catch (error) {
      this.#logger.error({ err: error }, 'cannot keep the answer of an idempotency key');
    }
    return text === null ? answer : new Response(text, { status, headers });
  }

  async #recall(asked: KeyedRequest, known: KeyRow, act: Act): Promise<Response> {
    const answer = act.recall(writtenOf(known));
    if (answer === null) throw notKept(known);
    const kept = await this.#keep(asked, answer);
    kept.headers.set(REPLAYED_HEADER, 'true');
    return kept;
  }

  #begin({ actor, key, request }: KeyedRequest): void {
    if (this.#store.countOf(actor) >= MAX_KEYS) {
      const oldest = this.#store.oldestAnswered(actor);
      if (oldest === null) {
        const message = `${MAX_KEYS} requests with an idempotency key are open; wait for their answers`;
        throw new AppError('too_many_attempts', message);
      }
      this.#store.remove(actor, oldest);
    }
    this.#store.insert({ actor, key, request, begunAtMs: this.#clock.now(), state: 'begun' });
  }

  /** Within the transaction of a change. */
  #wrote(events: readonly EncodedEvent[]): void {
    const doing = this.#current.getStore();
    // What a request began and left running does not belong to it any more.
    if (doing?.isOpen !== true) return;
    const { actor, key } = doing;
    const known = this.#store.find(actor, key);
    if (known === null) return;
    const more = events.map(({ seq, type, subject }) => ({ seq, type, subject }));
    const all = [...writtenOf(known), ...more].slice(0, MAX_EVENTS);
    this.#store.patch(actor, key, { state: 'changed', events: JSON.stringify(all) });
  }
}

function replay(known: KeyRow): Response {
  const { status, answer } = known;
  if (status === null || answer === null) throw notKept(known);
  const headers = { 'content-type': 'application/json', [REPLAYED_HEADER]: 'true' };
  return new Response(answer, { status, headers });
}

function writtenOf({ events }: KeyRow): Written[] {
  return (parseJson(events) as Written[] | undefined) ?? [];
}

function reused(): AppError {
  const message = 'this idempotency key belongs to another request; use a new one';
  return new AppError('idempotency_key_reused', message);
}

function inProgress(): AppError {
  return new AppError('in_progress', 'the first request with this key is still being done; wait');
}

function notKept(known: KeyRow): AppError {
  const { status, begunAtMs } = known;
  const at = toIso(begunAtMs);
  const why =
    status === null
      ? 'the daemon ended before it answered'
      : 'its answer is a secret, is large or is not JSON';
  const message = `done at ${at} and not repeated, but ${why}; read what it changed`;
  return new AppError('answer_not_kept', message, { at, status, events: writtenOf(known) });
}
