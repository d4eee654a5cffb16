/** The input of the alert dialog, and the request built from it. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import type {
  AlertReason,
  AlertRule,
  CreateAlert,
  WrittenAlert,
} from '$shared/schema/alerts/alerts.ts';
import { type AlertErrors, alertErrors } from './alert-errors.ts';
import { type Preset, splitTypes } from './alert-topics.ts';
import { TargetDraft } from './target-draft.svelte.ts';

export class AlertForm {
  name = $state('');
  topics = $state.raw<readonly string[]>([]);
  /** Patterns that are not topics, separated by spaces or commas. */
  patterns = $state('');
  /** Names, separated by spaces or commas; none: all. */
  sessions = $state('');
  tasks = $state('');
  reasons = $state.raw<readonly AlertReason[]>([]);
  isQuiet = $state(false);
  from = $state('22:00');
  to = $state('07:00');
  zone = $state(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  isDigest = $state(false);
  digestMinutes = $state(10);
  exceptReasons = $state.raw<readonly AlertReason[]>([]);
  target: TargetDraft;
  /** Who is next without an acknowledgement. */
  readonly steps: { minutes: number; target: TargetDraft }[] = $state([]);
  errors = $state.raw<AlertErrors>({});
  isBusy = $state(false);

  readonly #rest: Rest;
  /** Null for a new rule. */
  readonly #id: string | null;
  readonly #isEnabled: boolean;
  /** Set in the shell or through the API; the form keeps them. */
  #subjects: AlertRule['subjects'] = null;

  constructor(rest: Rest, from: Preset | AlertRule) {
    this.#rest = rest;
    const { topics, patterns } = splitTypes(from.types);
    this.name = from.name;
    this.topics = topics;
    this.patterns = patterns.join(' ');
    this.reasons = from.reasons ?? [];
    this.target = new TargetDraft(from.target);
    this.#id = 'id' in from ? from.id : null;
    this.#isEnabled = !('id' in from) || from.enabled;
    if ('id' in from) this.#fill(from);
  }

  /** Returns the stored rule, or null with `errors` set. */
  async submit(): Promise<WrittenAlert | null> {
    if (this.isBusy) return null;
    this.errors = this.#missing();
    if (Object.keys(this.errors).length > 0) return null;
    this.isBusy = true;
    try {
      const body = this.#body();
      if (this.#id === null) return await this.#rest.call('createAlert', { body });
      return await this.#rest.call('changeAlert', { item: this.#id, body });
    } catch (thrown) {
      this.errors = alertErrors(asRequestError(thrown));
      return null;
    } finally {
      this.isBusy = false;
    }
  }

  addStep(): void {
    this.steps.push({ minutes: 10, target: new TargetDraft() });
  }

  removeStep(index: number): void {
    this.steps.splice(index, 1);
  }

  /** Those of one step, as a target reports them. */
  stepErrors(index: number): AlertErrors {
    const prefix = `steps.${index}.`;
    const own = Object.entries(this.errors).filter(([path]) => path.startsWith(prefix));
    return Object.fromEntries(own.map(([path, text]) => [path.slice(prefix.length), text]));
  }

  #fill({ sessions, tasks, subjects, quiet_hours: quiet, digest_minutes, steps }: AlertRule): void {
    if (digest_minutes !== null) {
      this.isDigest = true;
      this.digestMinutes = digest_minutes;
    }
    this.#subjects = subjects;
    this.sessions = sessions?.join(' ') ?? '';
    this.tasks = tasks?.join(' ') ?? '';
    if (quiet !== null) {
      this.isQuiet = true;
      this.from = quiet.from;
      this.to = quiet.to;
      this.zone = quiet.time_zone;
      this.exceptReasons = quiet.except_reasons ?? [];
    }
    for (const { after_minutes: minutes, target } of steps) {
      this.steps.push({ minutes, target: new TargetDraft(target) });
    }
  }

  #missing(): AlertErrors {
    const errors: AlertErrors = {};
    if (this.name.trim() === '') errors.name = 'Enter a name.';
    if (this.topics.length === 0 && wordsOf(this.patterns).length === 0) {
      errors.types = 'Choose at least one event.';
    }
    Object.assign(errors, this.target.missing());
    for (const [index, { minutes, target }] of this.steps.entries()) {
      if (!Number.isInteger(minutes)) errors[`steps.${index}.after_minutes`] = 'Enter minutes.';
      for (const [path, text] of Object.entries(target.missing())) {
        errors[`steps.${index}.${path}`] = text;
      }
    }
    if (this.isDigest && !Number.isInteger(this.digestMinutes)) {
      errors.digest_minutes = 'Enter minutes.';
    }
    if (this.isQuiet && this.from === this.to) {
      errors.to = 'Quiet hours must end at a different time than they start.';
    }
    return errors;
  }

  #body(): CreateAlert {
    const sessions = wordsOf(this.sessions);
    const tasks = wordsOf(this.tasks);
    return {
      name: this.name.trim(),
      enabled: this.#isEnabled,
      types: [...this.topics, ...wordsOf(this.patterns)],
      sessions: sessions.length === 0 ? null : sessions,
      tasks: tasks.length === 0 ? null : tasks,
      subjects: this.#subjects,
      reasons: this.reasons.length === 0 ? null : [...this.reasons],
      quiet_hours: this.isQuiet ? this.#quietHours() : null,
      digest_minutes: this.isDigest ? this.digestMinutes : null,
      target: this.target.toTarget(),
      steps: this.steps.map(({ minutes, target }) => ({
        after_minutes: minutes,
        target: target.toTarget(),
      })),
    };
  }

  #quietHours(): CreateAlert['quiet_hours'] {
    const hours = { from: this.from, to: this.to, time_zone: this.zone.trim() };
    return this.exceptReasons.length === 0
      ? hours
      : { ...hours, except_reasons: [...this.exceptReasons] };
  }
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
