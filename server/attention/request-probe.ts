/**
 * Whether an agent still waits for what a hook asks. A hook outlives an answer at the keyboard, and
 * asks again when a new daemon has started: by then the agent does something else.
 */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { LiveRequest } from './session-watch.ts';

/** A dialog is in the client's record well within this, on a slow machine too. */
const PROOF_MS = 2_000;

export interface RequestProbeOptions {
  clock: Clock;
  /** The current state of a session's agent. */
  probe: (session: string) => Promise<AgentState | null>;
  /** Called for a request whose agent does not wait for it. */
  over: (session: string, id: string) => void;
}

interface Proof {
  session: string;
  request: LiveRequest;
  /** Null once its agent was seen waiting. */
  timer: Timer | null;
  first: Promise<void>;
  /** Resolves `first`. */
  done: () => void;
}

export class RequestProbe {
  readonly #options: RequestProbeOptions;
  readonly #proofs = new Map<string, Proof>();

  constructor(options: RequestProbeOptions) {
    this.#options = options;
  }

  /**
   * Watches a request until its agent is seen waiting or doing something else, or `end` is called.
   */
  begin(session: string, id: string, request: LiveRequest): void {
    let done: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (done = resolve));
    const check = () => {
      void this.#isElsewhere(session).then((elsewhere) => {
        if (this.#proofs.get(id) === proof) {
          if (!request.seen && elsewhere) this.#options.over(session, id);
          else proof.timer = request.seen ? null : this.#arm(check);
        }
        done();
      });
    };
    const proof: Proof = { session, request, timer: this.#arm(check), first, done };
    this.#proofs.set(id, proof);
  }

  /** Before an answer: resolves once it is known whether `request` is still open. */
  async settle(session: string, id: string, request: LiveRequest): Promise<void> {
    await this.#isElsewhere(session);
    if (!request.seen) await this.#proofs.get(id)?.first;
  }

  end(id: string): void {
    const ended = this.#proofs.get(id);
    if (ended === undefined) return;
    this.#proofs.delete(id);
    ended.timer?.cancel();
    ended.done();
    // One that is no longer seen has its dialog after this one: it is watched from now on.
    for (const [other, { session, request, timer }] of this.#proofs) {
      if (session === ended.session && timer === null && !request.seen) {
        this.begin(session, other, request);
      }
    }
  }

  #arm(check: () => void): Timer {
    return this.#options.clock.after(PROOF_MS, check);
  }

  /** An agent in an unknown state may be at its dialog. */
  async #isElsewhere(session: string): Promise<boolean> {
    const agent = await this.#options.probe(session).catch(() => null);
    return agent !== null && !['waiting', 'unknown', 'starting'].includes(agent.state);
  }
}
