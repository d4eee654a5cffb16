/** The branches of a typed directory. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import type { GitBranches } from '$shared/schema/tasks/project.ts';
import { trimSlashes } from './typed-path.ts';

/** Delay while typing, so that not every letter is a request. */
const TYPING_MS = 300;

export class BranchList {
  known = $state.raw<GitBranches | null>(null);
  /** Why they are unknown. */
  problem = $state<string | null>(null);

  readonly #rest: Rest;
  #path = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  readSoon(directory: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.read(directory), TYPING_MS);
  }

  async read(directory: string): Promise<void> {
    const path = trimSlashes(directory);
    this.#path = path;
    this.known = null;
    this.problem = null;
    if (!path.startsWith('/')) return;
    try {
      const branches = await this.#rest.call('listGitBranches', { query: { path } });
      if (path === this.#path) this.known = branches;
    } catch (thrown) {
      if (path === this.#path) this.problem = asRequestError(thrown).message;
    }
  }
}
