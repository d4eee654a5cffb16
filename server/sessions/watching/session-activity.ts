/**
 * What the agents in terminals do, from their clients' transcripts. Reads only when asked; until then
 * it only knows which conversation each session has.
 */
import type {
  ActivityQuery,
  SessionActivity,
} from '../../../shared/schema/agents/session-activity.ts';
import { NO_STEPS, type TranscriptSteps } from '../../agents/records/transcript-steps.ts';
import { isSameProcess, type ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { Sessions } from '../sessions.ts';
import type { AgentMonitor } from './agent-monitor.ts';

interface Known {
  process: ProcessIdentity;
  /** Null where no record and no hook named it yet. */
  conversation: string | null;
}

export class SessionActivities {
  readonly #steps: TranscriptSteps;
  /** Of the newest agent of each session, also after its end. */
  readonly #known = new Map<string, Known>();

  constructor({
    monitor,
    sessions,
    steps,
  }: {
    monitor: Pick<AgentMonitor, 'onProbe'>;
    sessions: Pick<Sessions, 'onClosed'>;
    steps: TranscriptSteps;
  }) {
    this.#steps = steps;
    sessions.onClosed((session) => this.#known.delete(session));
    monitor.onProbe((session, { process, conversation }) => {
      const known = this.#known.get(session);
      const isSame = known !== undefined && isSameProcess(known.process, process);
      const kept = isSame ? known.conversation : null;
      this.#known.set(session, { process, conversation: conversation ?? kept });
    });
  }

  read(session: string, query: ActivityQuery): SessionActivity {
    const known = this.#known.get(session);
    if (known === undefined) return { ...NO_STEPS, conversation: null, status: 'no_agent' };
    return this.#steps.activity(known.conversation, query);
  }
}
