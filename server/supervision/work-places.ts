import { AppError } from '../lib/app-error.ts';

/** What works in a directory without a worktree; `name` as in `task fix-login`. */
export interface WorkPlace {
  name: string;
  directory: string;
}

type Kind = 'task' | 'run';

/**
 * Where tasks and runs work without a worktree: two agents in one directory would undo each other's
 * work. Each kind compares its own; this knows those of the other one.
 */
export class WorkPlaces {
  readonly #sources: { kind: Kind; taken: () => WorkPlace[] }[] = [];

  add(kind: Kind, taken: () => WorkPlace[]): void {
    this.#sources.push({ kind, taken });
  }

  /** Throws `project_busy` when work of another kind than `kind` has that directory. */
  requireFree(directory: string, kind: Kind): void {
    const others = this.#sources.filter((source) => source.kind !== kind);
    const other = others
      .flatMap(({ taken }) => taken())
      .find((place) => place.directory === directory);
    if (other === undefined) return;
    const next = 'use a worktree, or wait until it ends';
    throw new AppError('project_busy', `${other.name} works in ${directory}; ${next}`);
  }
}
