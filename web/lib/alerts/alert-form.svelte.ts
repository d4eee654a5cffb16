/** What is typed into the dialog of a rule, and the request that it becomes. */
import { asRequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import type { AlertRule, AlertTarget, CreateAlert, WrittenAlert } from '$shared/schema/alerts.ts';
import type { Reason } from '$shared/schema/reasons.ts';
import { type AlertErrors, alertErrors } from './alert-errors.ts';
import { type Preset, splitTypes } from './alert-topics.ts';

const SECRET_BYTES = 32;

export class AlertForm {
  name = $state('');
  topics = $state.raw<readonly string[]>([]);
  /** Patterns that are no topic, apart by blanks or commas. */
  patterns = $state('');
  /** Names, apart by blanks or commas; none is all. */
  sessions = $state('');
  tasks = $state('');
  reasons = $state.raw<readonly Reason[]>([]);
  isQuiet = $state(false);
  from = $state('22:00');
  to = $state('07:00');
  zone = $state(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  exceptReasons = $state.raw<readonly Reason[]>([]);
  kind = $state<AlertTarget['kind']>('webhook');
  url = $state('');
  /** Empty: the daemon makes one, or keeps the one it has. */
  secret = $state('');
  /** The program and its words, one a line. */
  command = $state('');
  errors = $state.raw<AlertErrors>({});
  isBusy = $state(false);

  readonly #rest: Rest;
  /** Null for a new rule. */
  readonly #id: string | null;
  readonly #isEnabled: boolean;
  /** Named in the shell or through the API; the form keeps them. */
  #subjects: AlertRule['subjects'] = null;

  constructor(rest: Rest, from: Preset | AlertRule) {
    this.#rest = rest;
    const { topics, patterns } = splitTypes(from.types);
    this.name = from.name;
    this.topics = topics;
    this.patterns = patterns.join(' ');
    this.reasons = from.reasons ?? [];
    this.#id = 'id' in from ? from.id : null;
    this.#isEnabled = !('id' in from) || from.enabled;
    if ('id' in from) this.#fill(from);
  }

  /** Sends the rule; gives it as it was written, or null with `errors` set. */
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

  /** Fills in a secret of this browser's making. */
  makeSecret(): void {
    const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    this.secret = `whsec_${btoa(String.fromCharCode(...bytes))}`;
  }

  #fill({ sessions, tasks, subjects, quiet_hours: quiet, target }: AlertRule): void {
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
    this.kind = target.kind;
    if (target.kind === 'webhook') this.url = target.url;
    else this.command = target.argv.join('\n');
  }

  #missing(): AlertErrors {
    const errors: AlertErrors = {};
    if (this.name.trim() === '') errors.name = 'Enter a name.';
    if (this.topics.length === 0 && wordsOf(this.patterns).length === 0) {
      errors.types = 'Choose at least one event.';
    }
    if (this.kind === 'webhook' && this.url.trim() === '') errors.url = 'Enter a URL.';
    if (this.kind === 'command' && this.#argv().length === 0) {
      errors.command = 'Enter a program.';
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
      target: this.#target(),
    };
  }

  #quietHours(): CreateAlert['quiet_hours'] {
    const hours = { from: this.from, to: this.to, time_zone: this.zone.trim() };
    return this.exceptReasons.length === 0
      ? hours
      : { ...hours, except_reasons: [...this.exceptReasons] };
  }

  #target(): AlertTarget {
    if (this.kind === 'command') return { kind: 'command', argv: this.#argv() };
    const secret = this.secret.trim();
    const webhook = { kind: 'webhook', url: this.url.trim() } as const;
    return secret === '' ? webhook : { ...webhook, secret };
  }

  #argv(): string[] {
    const lines = this.command.split('\n');
    return this.command.trim() === '' ? [] : lines.filter((line) => line !== '');
  }
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
