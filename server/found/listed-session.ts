import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type {
  FoundClient,
  FoundFacts,
  FoundScreen,
  FoundSession as Wire,
} from '../../shared/schema/agents/found.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';

/** A live session that Loopwatch did not start, of any client. */
export interface ListedSession {
  readonly id: string;
  readonly client: FoundClient;
  readonly identity: ProcessIdentity;
  readonly cwd: string;
  readonly conversation: string | null;
  /** Of its client; null when it is not known. */
  readonly version: string | null;
  /** Its id among the client's background sessions. */
  readonly job: string | null;
  readonly startedAtMs: number;
  /** It works, or something it started does: what it says of itself changes without its record. */
  readonly isAtWork: boolean;
  /** A step of its own list is open. */
  readonly hasWorkLeft: boolean;
  readonly state: AgentState;
  /** What is published of it now. */
  facts(): FoundFacts;
  view(): Omit<Wire, 'usage'>;
  /** What its pane shows now. Throws `screen_unavailable`. */
  screen(): Promise<FoundScreen>;
}
