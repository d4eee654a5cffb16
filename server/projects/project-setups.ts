/** What new worktrees of each project get: stored here, done in worktrees/set-up-worktree.ts. */
import { asc, eq } from 'drizzle-orm';
import { ProjectSetup, type SetProjectSetup } from '../../shared/schema/tasks/project-setup.ts';
import type { Database } from '../db/database.ts';
import { projectSetups } from '../db/task-schema.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';

export interface ProjectSetupsOptions {
  database: Database;
  log: Pick<EventLog, 'write'>;
  clock: Clock;
  /**
   * The main worktree of the repository a directory is in, null outside git. Throws
   * `outside_roots`, `project_missing` or `git_failed`.
   */
  rootOf: (path: string) => Promise<string | null>;
}

export class ProjectSetups {
  readonly #options: ProjectSetupsOptions;

  constructor(options: ProjectSetupsOptions) {
    this.#options = options;
  }

  /** By project. */
  list(): ProjectSetup[] {
    const { query } = this.#options.database;
    const rows = query.select().from(projectSetups).orderBy(asc(projectSetups.project)).all();
    return rows.map(view);
  }

  /** Null where none is set; `project` is the real path of a main worktree. */
  of(project: string): ProjectSetup | null {
    const { query } = this.#options.database;
    const row = query.select().from(projectSetups).where(eq(projectSetups.project, project)).get();
    return row === undefined ? null : view(row);
  }

  /**
   * Replaces that of the repository which `path` is in. Throws `outside_roots`, `project_missing`,
   * `not_a_repository` or `git_failed`.
   */
  async set({ path, ...setup }: SetProjectSetup, author: string): Promise<ProjectSetup> {
    const { database, log, clock } = this.#options;
    const project = await this.#require(path);
    const row = {
      project,
      setup: JSON.stringify(setup),
      isOn: true,
      author,
      changedAt: toIso(clock.now()),
    };
    log.write((append) => {
      const insert = database.query.insert(projectSetups).values(row);
      insert.onConflictDoUpdate({ target: projectSetups.project, set: row }).run();
      append({ type: 'project.setup_set', data: { project, ...setup, author } });
    });
    return view(row);
  }

  /** Throws as `set`, and `project_setup_unknown`. */
  async remove(path: string, author: string): Promise<string> {
    const { database, log } = this.#options;
    // One whose directory is gone can be removed by its stored path.
    const project = this.of(path) === null ? await this.#require(path) : path;
    if (this.of(project) === null) {
      const next = 'list them with: loopwatch project ls';
      throw new AppError('project_setup_unknown', `${project} has no setup; ${next}`);
    }
    log.write((append) => {
      database.query.delete(projectSetups).where(eq(projectSetups.project, project)).run();
      append({ type: 'project.setup_removed', data: { project, author } });
    });
    return project;
  }

  async #require(path: string): Promise<string> {
    const root = await this.#options.rootOf(path);
    if (root !== null) return root;
    const next = 'worktrees need one; choose a directory of a repository';
    throw new AppError('not_a_repository', `${path} is in no git repository; ${next}`);
  }
}

function view({ project, setup, isOn, author, changedAt }: typeof projectSetups.$inferSelect) {
  const stored = JSON.parse(setup) as object;
  return ProjectSetup.parse({ project, ...stored, is_on: isOn, author, changed_at: changedAt });
}
