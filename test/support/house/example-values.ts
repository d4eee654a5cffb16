/** What the example calls name: ids of a world that has it all, or of nothing. */

export interface ExampleValues {
  session?: string;
  taskDir?: string;
  /** A session whose loop has failed. */
  failed?: string;
  /** A login code. */
  code?: string;
  /** Ids of items that need a person: one to be answered, one to be dismissed. */
  asked?: string;
  noted?: string;
  /** An alert rule, and a dead delivery of it. */
  alert?: { rule: string; dead: string };
  /** An open incident, and the token of a link to another. */
  incident?: { id: string; token: string };
  /** A browser of the caller, and a ticket of a notification in it. */
  push?: { browser: string; ticket: string };
  /** An invited person. */
  person?: string;
  /** A session with stored snapshots, and one whose agent is at work. */
  withSnapshots?: string;
  working?: string;
  /** An input that waits to be typed. */
  held?: { session: string; id: number };
  tasks?: ExampleTasks;
  runs?: ExampleRuns;
  /** A session that Loopwatch did not start. */
  found?: string;
  /** A found session that has ended. */
  ended?: string;
  /** A task module with the version of its target, and a path for another. */
  module?: { id: string; version: string | null; other: string };
}

/** Runs by what the calls about runs need. */
export interface ExampleRuns {
  /** A repository to start more runs in, and a branch of it. */
  repository: string;
  branch: string;
  /** Complete, with work on its branch. */
  done: string;
  /** To be removed. */
  removed: string;
  working: string;
  stopped: string;
  /** Two whose plans wait for review, with the hash of each. */
  reviewed: { id: string; hash: string };
  accepted: { id: string; hash: string };
}

/** Tasks by status, and what else the calls about tasks need. */
export interface ExampleTasks {
  /** A repository to create more tasks in, and the branch it is on. */
  repository: string;
  branch: string;
  pending: string;
  pendingId: string;
  working: string;
  stopped: string;
  exhausted: string;
  failed: string;
  /** To be removed, one per call. */
  removed: string;
  emptied: string;
  /** Input that waits, and its task. */
  waiting: { task: string; input: string };
  /** What a person sent to a task that is not at work. */
  interaction: number;
  prompt: string;
  project: string;
}

export const NO_ID = '0'.repeat(20);
const NO_UUID = '00000000-0000-4000-8000-000000000000';

export const NO_TASKS: ExampleTasks = {
  repository: '/nowhere',
  branch: 'main',
  pending: 'none',
  pendingId: NO_UUID,
  working: 'none',
  stopped: 'none',
  exhausted: 'none',
  failed: 'none',
  removed: 'none',
  emptied: 'none',
  waiting: { task: 'none', input: NO_UUID },
  interaction: 0,
  prompt: NO_UUID,
  project: NO_UUID,
};

export const NO_RUNS: ExampleRuns = {
  repository: '/nowhere',
  branch: 'main',
  done: 'none',
  removed: 'none',
  working: 'none',
  stopped: 'none',
  reviewed: { id: 'none', hash: '' },
  accepted: { id: 'none', hash: '' },
};
