/** The input of the start dialog, and the two requests built from it. */
import { asRequestError } from '$lib/client/request-error.ts';
import { trimSlashes } from '$lib/directory/typed-path.ts';
import type { StartPrefill } from '$lib/state/start-request.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { storageKey } from '$lib/state/page-host.ts';
import { loopErrors, sessionErrors, type StartErrors } from './start-errors.ts';
import { suggestName } from '$shared/rules/work/suggest-name.ts';
import type { LoopPermissions } from '$shared/schema/loops/loop-permissions.ts';
import { PERMISSIONS_TEXT } from '$shared/words/work/permissions-text.ts';
import {
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_TIMEOUT_MINUTES,
} from '$shared/rules/loops/loop-limits.ts';
import { limitErrors, type Preset, PRESETS } from './start-limits.ts';

/** The choice that opens a new session. */
export const NEW_SESSION = '';

/** The input is kept for this tab until a loop is started with it. */
const DRAFT_KEY = storageKey('loopwatch-start-draft');

/** The current wait and its start, in milliseconds since 1970. */
interface StartPhase {
  what: 'session' | 'agent';
  since: number;
}

export class StartForm {
  session = $state(NEW_SESSION);
  typedName = $state<string | null>(null);
  cwd = $state('');
  taskDir = $state('');
  maxIterations = $state<number | null>(DEFAULT_MAX_ITERATIONS);
  timeoutMinutes = $state<number | null>(DEFAULT_TIMEOUT_MINUTES);
  /** Null until a person chooses. */
  permissions = $state<LoopPermissions | null>(null);
  errors = $state.raw<StartErrors>({});
  phase = $state.raw<StartPhase | null>(null);

  /** Until a name is typed, a free one derived from the task directory. */
  readonly name = $derived.by(
    () => this.typedName ?? suggestName(this.taskDir, Object.keys(this.#sessions)),
  );

  readonly #feed: Feed;
  /** After the start, a field that loses focus with the dialog must not save the draft again. */
  #isStarted = false;

  /** The prefill overrides the stored draft. */
  constructor(feed: Feed, { session, taskDir }: StartPrefill) {
    this.#feed = feed;
    Object.assign(this, readDraft());
    if (session !== null || this.#sessions[this.session] === undefined) {
      this.session = session ?? NEW_SESSION;
    }
    this.taskDir = taskDir ?? this.taskDir;
  }

  /** Only its prompt is typed then. */
  get isAgentOpen(): boolean {
    return (this.#sessions[this.session]?.agent?.state ?? 'exited') !== 'exited';
  }

  /** Of the settings; null where the agent takes none, undefined until the daemon has answered. */
  get usualPermissions(): LoopPermissions | null | undefined {
    return this.#feed.daemon?.loop_permissions;
  }

  /** Those the loop will have; null where none can be chosen. */
  get chosenPermissions(): LoopPermissions | null {
    const usual = this.usualPermissions ?? null;
    return this.isAgentOpen || usual === null ? null : (this.permissions ?? usual);
  }

  get #sessions() {
    return this.#feed.work.sessions;
  }

  /** Saves the input for this tab, even if the dialog is closed. */
  keep(): void {
    if (this.#isStarted) return;
    const { session, typedName, cwd, taskDir, maxIterations, timeoutMinutes, permissions } = this;
    const limits = { maxIterations, timeoutMinutes };
    const draft = { session, typedName, cwd, taskDir, permissions, ...limits };
    sessionStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
  }

  setTaskDir(path: string): void {
    this.taskDir = path;
    this.keep();
  }

  usePreset(preset: Preset): void {
    this.maxIterations = PRESETS[preset].maxIterations;
    this.timeoutMinutes = PRESETS[preset].timeoutMinutes;
    this.keep();
  }

  /** Returns the name of the loop's session, or null with `errors` set. Once at a time. */
  async submit(): Promise<string | null> {
    if (this.phase !== null) return null;
    this.errors = this.#missing();
    if (Object.keys(this.errors).length > 0) return null;
    try {
      if (this.session === NEW_SESSION && !(await this.#openSession())) return null;
      if (!(await this.#startLoop())) return null;
      this.#isStarted = true;
      sessionStorage.removeItem(DRAFT_KEY);
      return this.session;
    } finally {
      this.phase = null;
    }
  }

  #missing(): StartErrors {
    const errors: StartErrors = {};
    if (this.session === NEW_SESSION && this.name === '') errors.name = 'Enter a session name.';
    const taskDir = this.taskDir.trim();
    if (taskDir === '') errors.taskDir = 'Enter a task directory.';
    else if (!taskDir.startsWith('/')) errors.taskDir = 'The path must start with /.';
    return { ...errors, ...limitErrors(this) };
  }

  async #openSession(): Promise<boolean> {
    this.phase = { what: 'session', since: Date.now() };
    const own = this.cwd.trim();
    try {
      const session = await this.#feed.rest.call('createSession', {
        body: { name: this.name, cwd: own === '' ? trimSlashes(this.taskDir) : own },
      });
      // The session exists from here on: a retry starts the loop in it.
      this.#feed.addSession(session);
      this.session = session.name;
      this.keep();
      return true;
    } catch (thrown) {
      this.errors = sessionErrors(asRequestError(thrown), own !== '');
      return false;
    }
  }

  async #startLoop(): Promise<boolean> {
    this.phase = { what: 'agent', since: Date.now() };
    try {
      await this.#feed.rest.call('startAuto', {
        session: this.session,
        body: {
          taskDir: trimSlashes(this.taskDir),
          maxIterations: this.maxIterations ?? DEFAULT_MAX_ITERATIONS,
          timeoutMinutes: this.timeoutMinutes ?? DEFAULT_TIMEOUT_MINUTES,
          permissions:
            this.permissions === null ? undefined : (this.chosenPermissions ?? undefined),
        },
      });
      return true;
    } catch (thrown) {
      this.errors = loopErrors(asRequestError(thrown));
      return false;
    }
  }
}

/** Omits missing and malformed values. */
function readDraft(): object {
  try {
    const kept = JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? '{}') as Record<string, unknown>;
    const texts = ['session', 'typedName', 'cwd', 'taskDir'].filter(
      (name) => typeof kept[name] === 'string',
    );
    const numbers = ['maxIterations', 'timeoutMinutes'].filter((name) =>
      Number.isInteger(kept[name]),
    );
    const choices = ['permissions'].filter((name) => String(kept[name]) in PERMISSIONS_TEXT);
    const names = [...texts, ...numbers, ...choices];
    return Object.fromEntries(names.map((name) => [name, kept[name]]));
  } catch {
    return {};
  }
}
