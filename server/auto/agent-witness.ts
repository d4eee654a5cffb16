/** What the agent of one loop is seen to be doing: by its process, its own record, its screen. */
import { agentGroup } from '../../shared/agent-state.ts';
import type { Agents } from '../agents/agents.ts';
import { readScreen } from '../agents/read-screen.ts';
import { isAlive, type ProcessIdentity } from '../lib/process-identity.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { plainLines } from '../terminals/screen-lines.ts';
import type { AgentSight, LoopState } from './loop-state.ts';

export class AgentWitness {
  readonly #sessionName: string;
  readonly #sessions: Sessions;
  readonly #agents: Agents;
  #lastPicture: string | null = null;

  constructor(sessionName: string, { sessions, agents }: { sessions: Sessions; agents: Agents }) {
    this.#sessionName = sessionName;
    this.#sessions = sessions;
    this.#agents = agents;
  }

  /** Gives the sight, or the process of an agent that had not been seen before. */
  async sight(state: LoopState): Promise<AgentSight | { seen: ProcessIdentity }> {
    const { status, agentProcess } = state;
    if (status === 'starting' || status === 'restart_wait') return 'working';
    if (agentProcess !== null && isAlive(agentProcess)) {
      return status === 'stopping' && (await this.#isIdle(state, agentProcess))
        ? 'idle'
        : 'working';
    }
    const look = this.#sessions.look(this.#sessionName);
    if (look.kind === 'shell') return 'gone';
    // A terminal that is gone is the sessions' to report.
    if (look.kind !== 'program' || look.forked) return 'working';
    const { pid, startedAt } = look.program;
    return agentProcess === null ? { seen: { pid, startedAt } } : 'gone';
  }

  /** By the client's own record; without one, by a screen that has settled since the last look. */
  async #isIdle(state: LoopState, agent: ProcessIdentity): Promise<boolean> {
    const recorded = this.#agents.recordedStatus(agent);
    if (recorded !== null) return recorded === 'idle';
    const { lines, cursor } = await this.#sessions.screen(this.#sessionName);
    const picture = lines.join('\n');
    const settled = picture === this.#lastPicture;
    this.#lastPicture = picture;
    // An agent that announced its end needs no further witness; one that was asked to stop does.
    if (!settled || state.stop?.by === 'agent') return settled;
    // The caller has seen that the agent lives; nothing else needs to be known of the program.
    const rows = plainLines(lines);
    const reading = readScreen({ rows, cursor, program: 'claude' });
    return ['idle', 'limited'].includes(agentGroup(reading.state));
  }
}
