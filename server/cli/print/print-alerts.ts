/** Alert rules and their deliveries as lines for a person. Names and errors never reach the terminal raw. */
import type { AlertIncident } from '../../../shared/schema/alerts/alert-incidents.ts';
import type { AlertPreview, AlertTargetView } from '../../../shared/schema/alerts/alert-targets.ts';
import type {
  AlertDelivery,
  AlertRule,
  AlertTestResult,
} from '../../../shared/schema/alerts/alerts.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import { targetText } from '../../../shared/words/alert-target-text.ts';
import { tableLines } from './table.ts';
import type { TimeText } from './time-text.ts';

const MAX_LINE = 200;

const HEAD = ['alert', 'name', 'on', 'events', 'target', 'waiting'];

export function alertTable(rules: readonly AlertRule[]): string[] {
  const cells = (rule: AlertRule) => [
    rule.id,
    oneLine(rule.name, MAX_LINE),
    rule.enabled ? 'yes' : 'no',
    rule.types.join(','),
    oneLine(lineOf(rule.target), MAX_LINE),
    String(rule.waiting),
  ];
  return tableLines(HEAD, rules.map(cells));
}

/** What triggers it, where it sends, and what waits. */
export function alertLines(rule: AlertRule): string[] {
  const { id, name, enabled, types, sessions, tasks, subjects, reasons, waiting } = rule;
  const { quiet_hours: quiet, digest_minutes: digest } = rule;
  const about = [
    types.join(', '),
    ...(sessions === null ? [] : [`session ${sessions.join(', ')}`]),
    ...(tasks === null ? [] : [`task ${tasks.join(', ')}`]),
    ...(subjects === null ? [] : [`subject ${subjects.join(', ')}`]),
    ...(reasons === null ? [] : [`reason ${reasons.join(', ')}`]),
  ];
  const except = quiet?.except_reasons ?? [];
  return [
    `${id}  ${oneLine(name, MAX_LINE)}${enabled ? '' : '  (disabled)'}`,
    `  ${about.join('; ')}`,
    `  ${oneLine(lineOf(rule.target), MAX_LINE)}`,
    ...rule.steps.map(
      ({ after_minutes: minutes, target }) =>
        `  after ${minutes} min: ${oneLine(lineOf(target), MAX_LINE)}`,
    ),
    ...(digest === null
      ? []
      : [`  at most one message every ${digest} min for each type and reason`]),
    ...(quiet === null ? [] : [`  quiet ${quiet.from}-${quiet.to} ${quiet.time_zone}`]),
    ...(except.length === 0 ? [] : [`  except ${except.join(', ')}`]),
    ...(waiting === 0 ? [] : [`  ${waiting} waiting: loopwatch alert log --rule ${id}`]),
  ];
}

/** What it is about, and who has it or is next. */
export function incidentLines(incident: AlertIncident, time: TimeText): string[] {
  const { id, name, title, opened_at, acknowledged_at: at, acknowledged_by: by } = incident;
  const { next_step_at: nextAt, next_target: next, step, steps } = incident;
  const state =
    at !== null
      ? `acknowledged by ${by ?? ''} at ${time(at)}`
      : nextAt === null
        ? `not acknowledged, no further step: loopwatch alert ack ${id}`
        : `step ${step + 1} of ${steps} (${next ?? ''}) at ${time(nextAt)}: loopwatch alert ack ${id}`;
  return [
    `${id}  ${time(opened_at)}  ${oneLine(title, MAX_LINE)}`,
    `  alert ${oneLine(name, MAX_LINE)}; ${oneLine(state, MAX_LINE)}`,
  ];
}

/** Its state and what happens next. */
export function deliveryLines(delivery: AlertDelivery, nowMs: number, time: TimeText): string[] {
  const { id, rule, seq, type, events, state, attempts, status, error, output } = delivery;
  const more = events === 1 ? '' : ` and ${events - 1} more`;
  const at = time(delivery.changed_at);
  const how = error ?? (status === null ? '' : statusText(status));
  return [
    `${id}  ${at}  ${state}  ${type} #${seq}${whomOf(delivery)}${more}`,
    `  alert ${rule}, ${countText(attempts, 'attempt')}${how === '' ? '' : `: ${oneLine(how, MAX_LINE)}`}`,
    ...(output === null || state === 'sent' ? [] : [`  ${oneLine(output, MAX_LINE)}`]),
    ...nextLines(delivery, nowMs),
  ];
}

function whomOf({ session, task }: AlertDelivery): string {
  if (session !== null) return ` of ${session}`;
  return task === null ? '' : ` of task ${oneLine(task, MAX_LINE)}`;
}

export function testText({ ok, status, error, output, duration_ms }: AlertTestResult): string {
  const said = output === null ? '' : `: ${oneLine(output, MAX_LINE)}`;
  if (ok) return `sent in ${duration_ms} ms (${statusText(status ?? 0)}); a test is not in the log`;
  return `not sent: ${oneLine(error ?? 'failed', MAX_LINE)}${said}`;
}

/** Of a success: no HTTP status is 0, and a command succeeds with nothing else. */
function statusText(status: number): string {
  return status === 0 ? 'exit code 0' : `HTTP ${status}`;
}

function nextLines({ id, state, next_try_at }: AlertDelivery, nowMs: number): string[] {
  if (state === 'dead') return [`  loopwatch alert retry ${id}`];
  if (state === 'sent') return [];
  if (next_try_at === null) return ['  alert is disabled'];
  const inMs = Date.parse(next_try_at) - nowMs;
  return [inMs <= 0 ? '  next' : `  retry in ${formatDuration(inMs / 1000)}`];
}

function lineOf(target: AlertTargetView): string {
  const { how, where } = targetText(target);
  if (target.kind === 'webhook') return `to ${where}`;
  if (target.kind === 'push') return `${how} to ${where}`;
  return `${how.charAt(0).toLowerCase()}${how.slice(1)} ${where}`;
}

/** As it will arrive. */
export function previewText({ address, type, title, text, body }: AlertPreview): string {
  const from = type === 'alert.test' ? 'a test, as no event matches yet' : `the newest ${type}`;
  const shown = title === null ? body : `${title}\n\n${text ?? ''}`;
  return `${plainText(address)}  (${from})\n\n${plainText(shown)}`;
}
