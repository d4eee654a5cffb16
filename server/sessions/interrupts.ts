/**
 * A person stops an agent's turn with its interrupt key. Only an agent that is seen working gets
 * it, and not twice in a row: at its prompt a second press of the same key ends the client.
 */
import { agentText } from '../../shared/words/sessions/agent-text.ts';
import { mayInterrupt } from '../../shared/rules/work/may-interrupt.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { AgentMonitor } from './watching/agent-monitor.ts';
import type { ProbedForeground } from './typing/may-type.ts';
import type { Sessions } from './sessions.ts';

/** A client takes up to a second until it is seen to have stopped. */
const APART_MS = 2_000;

export interface InterruptsOptions {
  log: EventLog;
  sessions: Sessions;
  monitor: Pick<AgentMonitor, 'foreground' | 'probe'>;
  clock: Clock;
}

export class Interrupts {
  readonly #options: InterruptsOptions;
  readonly #pressedAt = new Map<string, number>();

  constructor(options: InterruptsOptions) {
    this.#options = options;
    options.sessions.onClosed((session) => this.#pressedAt.delete(session));
  }

  /**
   * Presses the key and logs who did. Throws `session_unknown`, `terminal_failed`, and `not_ready`
   * when nothing was pressed because there is nothing to interrupt.
   */
  async press(session: string, by: string): Promise<void> {
    const { log, sessions, monitor, clock } = this.#options;
    sessions.get(session);
    await sessions.exclusively(session, async () => {
      const since = clock.monotonic() - (this.#pressedAt.get(session) ?? -Infinity);
      if (since < APART_MS)
        throw refused(`${session} was interrupted a moment ago; check its screen first`);
      const obstacle = whyNot(await monitor.foreground(session));
      if (obstacle !== null) throw refused(`${obstacle}; no key was sent to ${session}`);
      this.#pressedAt.set(session, clock.monotonic());
      const outcome = await sessions.interrupt(session);
      if (outcome !== 'typed' && outcome !== 'unknown') {
        throw new AppError(
          'terminal_failed',
          `the interrupt did not reach ${session}; check its screen`,
        );
      }
      log.write((append) => append({ type: 'session.interrupted', session, data: { by } }));
    });
    // The effect will soon be visible; the caller does not wait for it.
    void monitor.probe(session).catch(() => undefined);
  }
}

/** Why it must not be interrupted, or null. */
function whyNot(front: ProbedForeground): string | null {
  if (front.kind !== 'agent')
    return 'no agent is in the foreground; use loopwatch session attach for other programs';
  if (mayInterrupt(front.state)) return null;
  return `the agent is not working (${agentText(front.state, 'none').toLowerCase()})`;
}

function refused(message: string): AppError {
  return new AppError('not_ready', message);
}
