/**
 * A port for clients of other agents: how a process of theirs is recognized, which sessions it has
 * open, and what its own session file proves. An implementation only reads.
 */
import type { AgentStateName } from '../../../shared/schema/agents/agent-state.ts';
import type { FoundClient } from '../../../shared/schema/agents/found.ts';
import type { ListedProcess } from '../../lib/processes/processes.ts';

/** What the kernel says of the program in a process. */
export interface Program {
  /** The path of the executable, links resolved. */
  exe: string;
  argv: readonly string[];
  /** When it was found. */
  cwd: string;
}

/** Of this user. */
export interface ClientProcess extends ListedProcess {
  program: Program;
  /** Milliseconds since 1970. */
  startMs: number;
}

/** A session that a process has open now. */
export interface OpenSession {
  process: ClientProcess;
  /** Of its file. */
  path: string;
  /** Null when it is not certain which one it is. */
  conversation: string | null;
  /** Where one process has several sessions open. */
  isOneOfSeveral: boolean;
  cwd: string;
  /** `interactive`: where its process runs. */
  place: 'interactive' | 'background' | 'print';
  /** Of its client; null when its file does not say. */
  version: string | null;
  sinceMs: number;
}

export interface ProvenState {
  state: Extract<AgentStateName, 'ready' | 'working' | 'interrupted' | 'running'>;
  sinceMs: number;
}

/**
 * Reads what is new in its file, `on_notice` of the system only. Null: nothing is proven, except that
 * it runs.
 */
export type StateReader = (when: 'always' | 'on_notice') => ProvenState | null;

export interface OtherClient {
  readonly name: Exclude<FoundClient, 'claude'>;
  /** Cheap, by the name of the executable's file: whether the rest of the process must be read. */
  mayBe(executable: string): boolean;
  isIts(program: Program): boolean;
  /** `processes`: all of this client. Throws when the system cannot say. */
  open(processes: readonly ClientProcess[]): OpenSession[];
  /** Opens no file before its first call. */
  follow(session: OpenSession): StateReader;
  dispose(): void;
}
