/** The projects that tasks belong to: one per directory, by any path that names it. */
import { randomUUID } from 'node:crypto';
import type { ProjectSession } from '../../shared/schema/tasks/project.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { requireProject } from './require-project.ts';
import type { ProjectStore } from './project-store.ts';

export interface ProjectsOptions {
  log: Pick<EventLog, 'write'>;
  store: ProjectStore;
  clock: Clock;
  /** Directories below which projects may be. */
  roots: readonly string[];
}

export class Projects {
  readonly #options: ProjectsOptions;

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /**
   * Creates the project of a directory at the first call. Within a transaction of the caller use
   * `openWithin`. Throws `outside_roots` and `project_missing`.
   */
  open(path: string): ProjectSession {
    const real = requireProject(path, this.#options.roots);
    const known = this.#options.store.ofPath(real);
    return known ?? this.#options.log.write(() => this.openWithin(real));
  }

  /** The same for a real path, within a transaction of the caller. */
  openWithin(realPath: string): ProjectSession {
    const { store, clock } = this.#options;
    const known = store.ofPath(realPath);
    if (known !== null) return known;
    const now = toIso(clock.now());
    const session = {
      id: randomUUID(),
      project_path: realPath,
      created_at: now,
      updated_at: now,
    };
    store.insert(session);
    return session;
  }

  /** Throws `project_session_unknown`. */
  get(id: string): ProjectSession {
    const session = this.#options.store.get(id);
    if (session === null) {
      throw new AppError('project_session_unknown', 'no project with that id');
    }
    return session;
  }
}
