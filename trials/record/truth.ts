/** What was true of the client, as it was caused: by what its model answered and what was done to it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentGroup } from '../../shared/schema/agents/agent-state.ts';
import type { ModelEdge } from '../model/model.ts';
import type { Change } from './confusion.ts';

export class Truth {
  /** Oldest first. */
  readonly changes: Change[] = [];
  readonly #ended: AbortSignal;
  #workingSubagents = 0;
  #isJudged = true;

  /** `ended`: the trial is over. */
  constructor(ended: AbortSignal) {
    this.#ended = ended;
  }

  /** What is true from now on. */
  isTrue(group: AgentGroup): void {
    if (!this.#isJudged || this.changes.at(-1)?.group === group) return;
    this.changes.push({ atMs: performance.now(), group });
  }

  /** The client does not run in the session, or each part judges what is shown on its own. */
  judgesNothing(): void {
    this.#isJudged = false;
  }

  /** Until the next change nothing is judged. */
  isUnknown(): void {
    this.changes.push({ atMs: performance.now(), group: null });
  }

  /**
   * A tool that asks waits for a person. A text is the end of the turn, unless a subagent still works:
   * its end brings another request.
   */
  onEdge(edge: ModelEdge): void {
    if (edge.isSubagent) this.#workingSubagents += edge.edge === 'asked' ? 1 : -1;
    if (edge.edge === 'asked') return this.isTrue('working');
    if (edge.isSubagent) return;
    if (edge.edge === 'left') {
      // A person stopped it; one that was killed leaves too.
      if (this.changes.at(-1)?.group === 'working') this.isTrue('idle');
      return;
    }
    const { reply } = edge;
    if (reply.kind === 'text' && this.#workingSubagents === 0) this.isTrue('idle');
    if (reply.kind === 'tool' && reply.asks) this.isTrue('waiting');
    if (reply.kind === 'error') this.isTrue(reply.leaves);
    if (reply.kind === 'error' && reply.untilMs !== undefined)
      this.#endsAt(reply.untilMs).catch(() => undefined);
  }

  /** From a reset on, the client continues when it likes. */
  async #endsAt(atMs: number): Promise<void> {
    await pause(Math.max(0, atMs - Date.now()), undefined, { signal: this.#ended });
    if (this.changes.at(-1)?.group === 'limited') this.isUnknown();
  }
}
