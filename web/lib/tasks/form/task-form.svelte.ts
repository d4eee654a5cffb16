/** The form of a new task: what a person types in an empty one is kept for this tab until the task is created. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { storageKey } from '$lib/state/page-host.ts';
import type { Prompt } from '$shared/schema/tasks/prompt.ts';
import type { Task } from '$shared/schema/tasks/task.ts';
import { BranchList } from '$lib/directory/branch-list.svelte.ts';
import { keepDraft, readDraft } from '$lib/ui/forms/form-draft.ts';
import { suggestTaskName } from '$shared/rules/work/suggest-name.ts';
import { missingIn, taskErrors, type TaskErrors } from './task-errors.ts';
import { emptyValues, type TaskBody, taskBody, type TaskValues } from './task-values.ts';

const KEY = storageKey('loopwatch-task-draft');
/** The worktree of a large repository takes a while. */
const CREATE_TIMEOUT_MS = 180_000;

export class TaskForm {
  values = $state<TaskValues>(emptyValues());
  errors = $state.raw<TaskErrors>({});
  isBusy = $state(false);
  readonly branches: BranchList;

  readonly name = $derived.by(
    () => this.values.typedName ?? suggestTaskName(this.values.description, this.#taken),
  );

  readonly #feed: Feed;
  readonly #taken: readonly string[];
  /** Whether the input is the draft of this tab; what others filled in leaves that as it is. */
  readonly #isDraft: boolean;
  #isCreated = false;
  /** Of an attempt whose outcome is unknown: the same input is sent with the same id. */
  #unknown: { input: string; id: string } | null = null;

  constructor(feed: Feed, taken: readonly string[], filled: TaskValues | null) {
    this.#feed = feed;
    this.#taken = taken;
    this.#isDraft = filled === null;
    this.values = filled ?? readDraft(KEY, emptyValues());
    this.branches = new BranchList(feed.rest);
  }

  /** Saves a draft for this tab, even if the dialog is closed. */
  keep(): void {
    if (this.#isDraft && !this.#isCreated) keepDraft(KEY, this.values);
  }

  /** Marks what is wrong in kept input, except for fields that are only not filled in yet. */
  showKeptErrors(): boolean {
    const { description: _, root_folder: __, ...hidden } = missingIn(this.#body());
    if (this.values.typedName === null) delete hidden.task_name;
    this.errors = hidden;
    return Object.keys(hidden).length > 0;
  }

  setFolder(path: string): void {
    this.values.rootFolder = path;
    this.keep();
    this.branches.readSoon(path);
  }

  /** Appends a prompt of the library to the description, or replaces it. Counts its use. */
  usePrompt({ id, content }: Prompt, isAlone: boolean): void {
    const typed = isAlone ? '' : this.values.description.trim();
    this.values.description = typed === '' ? content : `${typed}\n\n${content}`;
    this.keep();
    void this.#feed.rest.call('usePrompt', { item: id }).catch(() => undefined);
  }

  /** Returns the created task, or null with `errors` set. Once at a time. */
  async submit(): Promise<Task | null> {
    if (this.isBusy) return null;
    const body = this.#body();
    this.errors = missingIn(body);
    if (Object.keys(this.errors).length > 0) return null;
    this.isBusy = true;
    try {
      const task = await this.#feed.rest.call('createTask', {
        body: { ...body, ...this.#sameId(body) },
        timeoutMs: CREATE_TIMEOUT_MS,
      });
      this.#isCreated = true;
      if (this.#isDraft) sessionStorage.removeItem(KEY);
      return task;
    } catch (thrown) {
      const error = asRequestError(thrown);
      const { id } = error.details;
      if (error.code === 'outcome_unknown' && typeof id === 'string') {
        this.#unknown = { input: JSON.stringify(body), id };
      }
      this.errors = taskErrors(error);
      return null;
    } finally {
      this.isBusy = false;
    }
  }

  #sameId(body: TaskBody): Pick<TaskBody, 'id'> {
    return this.#unknown?.input === JSON.stringify(body) ? { id: this.#unknown.id } : {};
  }

  #body(): TaskBody {
    return taskBody($state.snapshot(this.values), this.name);
  }
}
