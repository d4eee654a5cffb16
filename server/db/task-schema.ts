/** The data model of tasks on one page. Each table is written by exactly one file, named above it. */
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Directories that tasks belong to. Written by tasks/stores/project-session-store.ts. */
export const projectSessions = sqliteTable('project_sessions', {
  id: text('id').primaryKey(),
  projectPath: text('project_path').notNull().unique(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
});

/** Described work and its progress. Written by tasks/stores/task-store.ts. */
export const tasks = sqliteTable(
  'tasks',
  {
    id: text('id').primaryKey(),
    taskName: text('task_name').notNull(),
    /** The name in lower case: no two share a directory on any file system. */
    nameKey: text('name_key').notNull().unique(),
    sessionId: text('session_id')
      .notNull()
      .references(() => projectSessions.id),
    /** JSON of what people entered: description, directories, criteria, options. */
    plan: text('plan').notNull(),
    rootFolder: text('root_folder').notNull(),
    status: text('status').notNull(),
    /** JSON of the machine's state. */
    state: text('state').notNull(),
    createdBy: text('created_by'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  (table) => [index('tasks_status').on(table.status), index('tasks_session').on(table.sessionId)],
);

/** The conversations of tasks, in order of id. Written by tasks/stores/interaction-store.ts. */
export const interactions = sqliteTable(
  'interactions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    taskId: text('task_id').notNull(),
    /** Turn and line of its stream: read twice after a crash, it is still one row. */
    source: text('source').notNull(),
    type: text('type').notNull(),
    turn: integer('turn').notNull(),
    content: text('content').notNull(),
    length: integer('length').notNull(),
    tool: text('tool'),
    isError: integer('is_error', { mode: 'boolean' }).notNull().default(false),
    author: text('author'),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    cacheCreationTokens: integer('cache_creation_tokens'),
    cacheReadTokens: integer('cache_read_tokens'),
    durationMs: integer('duration_ms'),
    costUsd: real('cost_usd'),
    at: text('at').notNull(),
  },
  (table) => [
    uniqueIndex('interactions_source').on(table.taskId, table.source),
    index('interactions_task').on(table.taskId, table.id),
    // The agent's replies without its tools: counted for each row of a list.
    index('interactions_replies').on(table.taskId, table.type, table.tool),
  ],
);

/** Messages from people to tasks and runs, in order of number. Written by turns/turn-input-store.ts. */
export const taskInputs = sqliteTable(
  'task_inputs',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    taskId: text('task_id').notNull(),
    text: text('text').notNull(),
    /** JSON of images. */
    images: text('images').notNull().default('[]'),
    interrupt: integer('interrupt', { mode: 'boolean' }).notNull(),
    author: text('author'),
    state: text('state', {
      enum: ['queued', 'sending', 'delivered', 'unknown', 'cancelled'],
    }).notNull(),
    createdAt: text('created_at').notNull(),
    changedAt: text('changed_at').notNull(),
  },
  (table) => [index('task_inputs_task').on(table.taskId, table.state, table.number)],
);

/** What the host ran to check whether a task is done. Written by tasks/stores/test-case-store.ts. */
export const testCases = sqliteTable(
  'test_cases',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    taskId: text('task_id').notNull(),
    type: text('type', { enum: ['regression', 'gate'] }).notNull(),
    name: text('name').notNull(),
    command: text('command').notNull(),
    status: text('status', { enum: ['pending', 'passed', 'failed', 'skipped'] }).notNull(),
    exitCode: integer('exit_code'),
    output: text('output').notNull().default(''),
    durationMs: integer('duration_ms'),
    commit: text('commit'),
    at: text('at').notNull(),
  },
  (table) => [index('test_cases_task').on(table.taskId, table.id)],
);

/** Reusable prompts. Written by tasks/stores/prompt-store.ts. */
export const prompts = sqliteTable('prompts', {
  id: text('id').primaryKey(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  category: text('category'),
  tags: text('tags'),
  /** JSON. */
  criteriaConfig: text('criteria_config'),
  usageCount: integer('usage_count').notNull().default(0),
  lastUsedAt: text('last_used_at'),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
});

/** Every worktree the daemon created. Written by worktrees/worktree-store.ts. */
export const worktrees = sqliteTable(
  'worktrees',
  {
    id: text('id').primaryKey(),
    /** The id of a task or a run. */
    owner: text('owner').notNull(),
    /** Real path of the main worktree. */
    repository: text('repository').notNull(),
    path: text('path').notNull(),
    branch: text('branch').notNull(),
    /** What the branch started from: its name, and the commit. */
    base: text('base').notNull(),
    baseCommit: text('base_commit').notNull(),
    /** True when the branch was created with the worktree. */
    ownsBranch: integer('owns_branch', { mode: 'boolean' }).notNull(),
    state: text('state', { enum: ['creating', 'ready', 'removing'] }).notNull(),
    createdAt: text('created_at').notNull(),
    /** When it got what its project wants for it; null before, and without such a wish. */
    setUpAt: text('set_up_at'),
  },
  (table) => [
    uniqueIndex('worktrees_branch').on(table.repository, table.branch),
    uniqueIndex('worktrees_path').on(table.path),
    index('worktrees_owner').on(table.owner),
  ],
);

/** What new worktrees of a project get. Written by projects/project-setups.ts. */
export const projectSetups = sqliteTable('project_setups', {
  /** Real path of the main worktree. */
  project: text('project').primaryKey(),
  /** JSON. */
  setup: text('setup').notNull(),
  /** False after a restore: its commands are not run before a person has set it again. */
  isOn: integer('is_on', { mode: 'boolean' }).notNull(),
  author: text('author').notNull(),
  changedAt: text('changed_at').notNull(),
});

/** Requests for a task with an id, also of deleted tasks. Written by tasks/stores/task-request-store.ts. */
export const taskRequests = sqliteTable('task_requests', {
  id: text('id').primaryKey(),
  hash: text('hash').notNull(),
  isWhole: integer('is_whole', { mode: 'boolean' }).notNull(),
});

/** Which host each placed task was sent to. Written by fleet/placement-store.ts. */
export const placements = sqliteTable('placements', {
  id: text('id').primaryKey(),
  hash: text('hash').notNull(),
  /** Id of the host. */
  host: text('host').notNull(),
  /** JSON of what is sent with the request. */
  handover: text('handover').notNull(),
});
