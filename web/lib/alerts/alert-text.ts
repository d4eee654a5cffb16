/** Texts for rules and their deliveries. */
import type { AlertIncident } from '$shared/schema/alerts/alert-incidents.ts';
import { formatDuration } from '$shared/words/format-duration.ts';
import type { Mark, Tone } from '$lib/ui/tone.ts';
import type {
  AlertDelivery,
  AlertDeliveryState,
  AlertRule,
  QuietHours,
} from '$shared/schema/alerts/alerts.ts';
import { quietUntil } from '$shared/rules/quiet-until.ts';
import { ALERT_REASON_LABELS } from './alert-reason-labels.ts';
import { splitTypes, TOPICS } from './alert-topics.ts';

/** Label, shape and colour of each state of a delivery. */
export const DELIVERY_STYLE: Record<AlertDeliveryState, { label: string; tone: Tone; mark: Mark }> =
  {
    waiting: { label: 'Waiting', tone: 'wait', mark: 'clock' },
    sent: { label: 'Sent', tone: 'good', mark: 'tick' },
    dead: { label: 'Failed', tone: 'fail', mark: 'cross' },
  };

/** What the rule selects, as one sentence. */
export function aboutText({
  types,
  sessions,
  tasks,
  subjects,
  reasons,
}: Pick<AlertRule, 'types' | 'sessions' | 'tasks' | 'subjects' | 'reasons'>): string {
  const { topics, patterns } = splitTypes(types);
  const named = topics.map((type) => TOPICS.find((topic) => topic.type === type)?.label ?? type);
  const events = patterns.map((type) => (type === '*' ? 'Every event' : `Events ${type}`));
  const what = [...named, ...events].map((text, n) => (n === 0 ? text : lowerFirst(text)));
  const where = whereText(types, sessions, tasks, subjects);
  const why =
    reasons === null
      ? 'for any reason'
      : `because of ${listed(
          reasons.map((reason) => ALERT_REASON_LABELS[reason]),
          'or',
        )}`;
  return `${listed(what, 'or')}, ${where}, ${why}.`;
}

function whereText(
  types: AlertRule['types'],
  sessions: AlertRule['sessions'],
  tasks: AlertRule['tasks'],
  subjects: AlertRule['subjects'],
): string {
  if (sessions === null && tasks === null && subjects === null) {
    return types.every((type) => type.startsWith('task.')) ? 'in any task' : 'in any session';
  }
  const about = (subjects ?? []).map((ref) => ref.replace(':', ' '));
  const named = [...(sessions ?? []), ...(tasks ?? []).map((task) => `task ${task}`), ...about];
  return `in ${listed(named, 'or')}`;
}

export function quietText(
  quiet: QuietHours | null,
  nowMs: number,
): { text: string; isQuiet: boolean } {
  if (quiet === null) return { text: 'No quiet hours.', isQuiet: false };
  const { from, to, time_zone: zone, except_reasons: reasons = [] } = quiet;
  const isQuiet = quietUntil(quiet, nowMs) !== null;
  const hours = `Quiet from ${from} to ${to} in ${zone}`;
  const now = isQuiet ? `active: deliveries are held until ${to}` : 'not active';
  const labels = reasons.map((reason) => ALERT_REASON_LABELS[reason]);
  const except = labels.length === 0 ? '' : ` Sent anyway: ${listed(labels, 'and')}.`;
  return { text: `${hours}, ${now}.${except}`, isQuiet };
}

export function attemptText({ state, status, error }: NonNullable<AlertRule['last_attempt']>): {
  text: string;
  tone: Tone;
  mark: Mark;
} {
  if (state === 'sent') {
    return {
      text: `Delivered (${status === null ? 'no status' : statusText(status)})`,
      tone: 'good',
      mark: 'tick',
    };
  }
  const how = error ?? 'failed';
  if (state === 'dead') return { text: `Failed: ${how}`, tone: 'fail', mark: 'cross' };
  return { text: `Failed, will retry: ${how}`, tone: 'wait', mark: 'clock' };
}

export function deliveryText(
  { state, attempts, error, status }: AlertDelivery,
  isEnabled: boolean,
): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const how = state === 'sent' ? (status === null ? '' : statusText(status)) : (error ?? '');
  const summary = attempts === 0 ? 'no attempts yet' : `${tries}${how === '' ? '' : `: ${how}`}`;
  return state === 'waiting' && !isEnabled ? `${summary}; the alert is off` : summary;
}

/** Who has it, or who is next and when. */
export function incidentText(
  incident: AlertIncident,
  nowMs: number,
): { label: string; text: string; tone: Tone; mark: Mark } {
  const { acknowledged_by: by, acknowledged_via: via, acknowledged_at: at } = incident;
  const { next_step_at: nextAt, next_target: next, step, steps } = incident;
  if (at !== null) {
    const how = via === 'inbox' ? ' in the inbox' : '';
    const when = formatDuration((Date.parse(at) - Date.parse(incident.opened_at)) / 1000);
    const text = `By ${by ?? ''}${how}, after ${when}.`;
    return { label: 'Acknowledged', text, tone: 'good', mark: 'tick' };
  }
  if (nextAt === null) {
    const text = steps === 0 ? 'No further step.' : `All ${steps} steps began.`;
    return { label: 'Not acknowledged', text, tone: 'fail', mark: 'cross' };
  }
  const inSeconds = Math.max(0, (Date.parse(nextAt) - nowMs) / 1000);
  const text = `Step ${step + 1} of ${steps} (${next ?? ''}) in ${formatDuration(inSeconds)}.`;
  return { label: 'Waiting', text, tone: 'wait', mark: 'clock' };
}

/** No HTTP status is 0, so that is the exit code of a command. */
function statusText(status: number): string {
  return status === 0 ? 'exit code 0' : String(status);
}

/** What a person can do, by the error of an attempt; the first match. */
const NEXT_STEPS: readonly (readonly [pattern: RegExp, next: string])[] = [
  [/ECONNREFUSED/, 'Nothing listens on that host and port: start the receiver or fix the URL.'],
  [/ENOTFOUND|EAI_AGAIN/, 'The host name cannot be resolved: fix the URL.'],
  [
    /CERT|SELF_SIGNED|ALTNAME|TLS|SSL/,
    'The receiver’s certificate is not trusted: fix it or the URL.',
  ],
  [/no answer within/, 'The receiver timed out: make it respond first and work afterwards.'],
  [/no connection/, 'The daemon could not reach the receiver: check the network and the URL.'],
  [
    /no browser of/,
    'Each person turns on “Notify this browser” here, in every browser they want to be reached in.',
  ],
  [/redirect/, 'Use the URL the redirect points to.'],
  [/HTTP 40[13]/, 'The receiver refused it: check that it has this alert’s secret.'],
  [/HTTP 404/, 'The receiver has no such path: fix the URL.'],
  [/HTTP 410/, 'The receiver returned 410 Gone, so the alert was turned off: fix the URL.'],
  [/HTTP 4/, 'The receiver rejected this body: check its response.'],
  [/HTTP 5/, 'The receiver failed: check its log.'],
  [/ENOENT/, 'No such program on the daemon’s PATH: use its absolute path.'],
  [/EACCES/, 'The file is not executable: chmod +x.'],
  [/killed after/, 'The command timed out: make it hand off its work and exit.'],
  [/exit code|ended by/, 'Run the command yourself with this payload on standard input.'],
];

export function failureStep(error: string): string {
  const found = NEXT_STEPS.find(([pattern]) => pattern.test(error));
  return found?.[1] ?? 'Check the alert’s target, then test again.';
}

function listed(items: readonly string[], last: 'and' | 'or'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1) ?? ''}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
