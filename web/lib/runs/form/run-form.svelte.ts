/** The form of a new run: the input is kept for this tab until the run is started. */
import { asRequestError } from '$lib/client/request-error.ts';
import { BranchList } from '$lib/directory/branch-list.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { storageKey } from '$lib/state/page-host.ts';
import { keepDraft, readDraft } from '$lib/ui/forms/form-draft.ts';
import type { Run } from '$shared/schema/runs/run.ts';
import type { Prompt } from '$shared/schema/tasks/prompt.ts';
import { missingIn, runErrors, type RunErrors } from './run-errors.ts';
import { emptyValues, runBody, type RunValues } from './run-values.ts';

const KEY = storageKey('loopwatch-run-draft');
/** The worktree of a large repository takes a while. */
const START_TIMEOUT_MS = 180_000;

export class RunForm {
  values = $state<RunValues>(emptyValues());
  errors = $state.raw<RunErrors>({});
  isBusy = $state(false);
  readonly branches: BranchList;

  readonly #feed: Feed;
  #isStarted = false;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.values = readDraft(KEY, emptyValues());
    this.branches = new BranchList(feed.rest);
  }

  /** Saves the input for this tab, even if the dialog is closed. */
  keep(): void {
    if (!this.#isStarted) keepDraft(KEY, this.values);
  }

  setDirectory(path: string): void {
    this.values.cwd = path;
    this.keep();
    this.branches.readSoon(path);
  }

  /** Appends a prompt of the library. Counts its use. */
  usePrompt({ id, content }: Prompt): void {
    const typed = this.values.prompt.trim();
    this.values.prompt = typed === '' ? content : `${typed}\n\n${content}`;
    this.keep();
    void this.#feed.rest.call('usePrompt', { item: id }).catch(() => undefined);
  }

  /** Returns the started run, or null with `errors` set. Once at a time. */
  async submit(): Promise<Run | null> {
    if (this.isBusy) return null;
    const body = runBody($state.snapshot(this.values));
    this.errors = missingIn(body);
    if (Object.keys(this.errors).length > 0) return null;
    this.isBusy = true;
    try {
      const run = await this.#feed.rest.call('startRun', { body, timeoutMs: START_TIMEOUT_MS });
      this.#isStarted = true;
      sessionStorage.removeItem(KEY);
      return run;
    } catch (thrown) {
      this.errors = runErrors(asRequestError(thrown));
      return null;
    } finally {
      this.isBusy = false;
    }
  }
}
