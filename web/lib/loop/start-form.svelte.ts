/** What is typed into the start dialog, and the two requests that it becomes. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { StartWish } from '$lib/state/start-request.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type {
  DEFAULT_MAX_ITERATIONS as MaxIterations,
  DEFAULT_TIMEOUT_MINUTES as TimeoutMinutes,
} from '$shared/requests.ts';
import { loopErrors, sessionErrors, type StartErrors } from './start-errors.ts';

const DEFAULT_MAX_ITERATIONS: typeof MaxIterations = 20;
const DEFAULT_TIMEOUT_MINUTES: typeof TimeoutMinutes = 30;

/** Judged here too, because a session is opened before the loop is asked for. */
const MAX_ITERATIONS = 1000;
const MAX_TIMEOUT_MINUTES = 10_080;

/** The choice that opens a session of its own. */
export const NEW_SESSION = '';

export class StartForm {
  session = $state(NEW_SESSION);
  typedName = $state<string | null>(null);
  cwd = $state('');
  taskDir = $state('');
  maxIterations = $state<number | null>(DEFAULT_MAX_ITERATIONS);
  timeoutMinutes = $state<number | null>(DEFAULT_TIMEOUT_MINUTES);
  errors = $state.raw<StartErrors>({});
  isBusy = $state(false);

  /** Until somebody types a name, it is taken from the task directory. */
  name = $derived(this.typedName ?? suggestName(this.taskDir));

  readonly #feed: Feed;

  constructor(feed: Feed, { session, taskDir }: StartWish) {
    this.#feed = feed;
    this.session = session ?? NEW_SESSION;
    this.taskDir = taskDir ?? '';
  }

  /** Starts the loop; gives the name of its session, or null with `errors` set. */
  async submit(): Promise<string | null> {
    if (this.isBusy) return null;
    this.errors = this.#missing();
    if (Object.keys(this.errors).length > 0) return null;
    this.isBusy = true;
    try {
      if (this.session === NEW_SESSION && !(await this.#openSession())) return null;
      return (await this.#startLoop()) ? this.session : null;
    } finally {
      this.isBusy = false;
    }
  }

  #missing(): StartErrors {
    const errors: StartErrors = {};
    if (this.session === NEW_SESSION && this.name === '') errors.name = 'Give the session a name.';
    const taskDir = this.taskDir.trim();
    if (taskDir === '') errors.taskDir = 'Name the task directory.';
    else if (!taskDir.startsWith('/')) errors.taskDir = 'The path must start with a slash.';
    if (!isWithin(this.maxIterations, MAX_ITERATIONS)) {
      errors.maxIterations = `A whole number from 1 to ${MAX_ITERATIONS}.`;
    }
    if (!isWithin(this.timeoutMinutes, MAX_TIMEOUT_MINUTES)) {
      errors.timeoutMinutes = `A whole number from 1 to ${MAX_TIMEOUT_MINUTES}.`;
    }
    return errors;
  }

  async #openSession(): Promise<boolean> {
    const own = this.cwd.trim();
    try {
      const session = await this.#feed.rest.call('createSession', {
        body: { name: this.name, cwd: own === '' ? this.taskDir.trim() : own },
      });
      // The session exists from here on: another try starts the loop in it.
      this.#feed.addSession(session);
      this.session = session.name;
      return true;
    } catch (thrown) {
      this.errors = sessionErrors(asRequestError(thrown), own !== '');
      return false;
    }
  }

  async #startLoop(): Promise<boolean> {
    try {
      await this.#feed.rest.call('startAuto', {
        session: this.session,
        body: {
          taskDir: this.taskDir.trim(),
          maxIterations: this.maxIterations ?? DEFAULT_MAX_ITERATIONS,
          timeoutMinutes: this.timeoutMinutes ?? DEFAULT_TIMEOUT_MINUTES,
        },
      });
      return true;
    } catch (thrown) {
      this.errors = loopErrors(asRequestError(thrown));
      return false;
    }
  }
}

function isWithin(value: number | null, maximum: number): boolean {
  return Number.isInteger(value) && value !== null && value >= 1 && value <= maximum;
}

function suggestName(directory: string): string {
  const last = directory.trim().split('/').filter(Boolean).at(-1) ?? '';
  return last
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32);
}
