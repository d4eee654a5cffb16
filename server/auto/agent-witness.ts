/** What the agent of one loop is seen to be doing: by its process, and by what is known of it. */
import { agentGroup, type AgentState } from '../../shared/agent-state.ts';
import type { Evidence } from '../../shared/evidence.ts';
import { isAlive, isSameProcess, type ProcessIdentity } from '../lib/process-identity.ts';
import type { AgentMonitor } from '../sessions/agent-monitor.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { agentWait } from './agent-wait.ts';
import { evidenceOf } from './machine/evidence-of.ts';
import type { AgentSight, LookInput, LoopState } from './machine/loop-state.ts';

export type AgentLook = Pick<LookInput, 'agent' | 'known' | 'wait' | 'witnesses'>;

export class AgentWitness {
  readonly #sessionName: string;
  readonly #sessions: Sessions;
  readonly #monitor: AgentMonitor;
  #lastPicture: string | null = null;

  constructor(
    sessionName: string,
    { sessions, monitor }: { sessions: Sessions; monitor: AgentMonitor },
  ) {
    this.#sessionName = sessionName;
    this.#sessions = sessions;
    this.#monitor = monitor;
  }

  /** Gives the look, or the process of an agent that had not been seen before. */
  async look(state: LoopState, wallMs: number): Promise<AgentLook | { seen: ProcessIdentity }> {
    const agent = await this.#sight(state);
    if (typeof agent !== 'string') return agent;
    const known = this.#monitor.agent(this.#sessionName);
    const witnesses = state.status === 'stopping' ? this.#witnesses(state, known, wallMs) : [];
    return { agent, known, wait: agentWait(known), witnesses };
  }

  async #sight(state: LoopState): Promise<AgentSight | { seen: ProcessIdentity }> {
    const { status, agentProcess } = state;
    if (status === 'starting' || status === 'restart_wait') return 'working';
    if (agentProcess !== null && isAlive(agentProcess)) {
      return status === 'stopping' && (await this.#isIdle(state)) ? 'idle' : 'working';
    }
    const look = this.#sessions.look(this.#sessionName);
    if (look.kind === 'shell') return this.#wayOut();
    // A terminal that is gone is the sessions' to report.
    if (look.kind !== 'program' || look.forked) return 'working';
    const { pid, startedAt } = look.program;
    const isOurs = agentProcess === null || (await this.#isLaterLaunch(state));
    return isOurs ? { seen: { pid, startedAt } } : 'gone';
  }

  /** The row came with a backup, and the loop was started again since: the terminal tells. */
  async #isLaterLaunch({ runId, launchCount }: LoopState): Promise<boolean> {
    const [run, launch] = (await this.#sessions.tagOf(this.#sessionName))?.split('.') ?? [];
    return run === runId && Number(launch) > launchCount;
  }

  /** Tells whether the very agent that was stored is in front and has something to do. */
  async isAtWork({ agentProcess }: LoopState): Promise<boolean> {
    const look = this.#sessions.look(this.#sessionName);
    if (agentProcess === null || look.kind !== 'program') return false;
    if (!isSameProcess(look.program, agentProcess)) return false;
    const agent = await this.#monitor.look(this.#sessionName);
    return agent === null || agentGroup(agent.state) !== 'idle';
  }

  /** Who sees, each in its own way, that the agent of this loop goes on. */
  #witnesses({ agentProcess }: LoopState, known: AgentState | null, wallMs: number): Evidence[] {
    if (agentProcess === null || !isAlive(agentProcess)) return [];
    const { pid } = agentProcess;
    const seen = [evidenceOf('process', wallMs, [`process ${pid} runs`])];
    const look = this.#sessions.look(this.#sessionName);
    if (look.kind === 'program' && look.program.pid === pid) {
      const words = `${look.program.name} is in front of the terminal`;
      seen.push(evidenceOf('terminal', wallMs, [words]));
    }
    if (known?.witness === 'record') {
      seen.push(evidenceOf('record', wallMs, [`the client says that it is ${known.state}`]));
    }
    return seen;
  }

  /** The client said that a person had it leave; all else is a crash until the loop knows better. */
  async #wayOut(): Promise<AgentSight> {
    const agent = await this.#monitor.look(this.#sessionName);
    return agent?.state === 'exited' && agent.cause === 'by_person' ? 'left' : 'gone';
  }

  async #isIdle(state: LoopState): Promise<boolean> {
    const agent = await this.#monitor.look(this.#sessionName);
    if (agent !== null && agent.state !== 'unknown' && agent.state !== 'starting') {
      // One at its limit would go on by itself; one that has announced its end has nothing to do.
      const isAtEnd = agent.state === 'limited' && state.stop?.by === 'agent';
      return agentGroup(agent.state) === 'idle' || isAtEnd;
    }
    // An agent that announced its end and then stands still needs no further witness, even when
    // nothing it shows is understood; one that was asked to stop does.
    const { lines } = await this.#sessions.screen(this.#sessionName);
    const picture = lines.join('\n');
    const settled = picture === this.#lastPicture;
    this.#lastPicture = picture;
    return settled && state.stop?.by === 'agent';
  }
}
