/** From the options of `alert add` to the body of the request. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { TARGET_FORMS } from '../../../../shared/rules/alert-target-forms.ts';
import { AlertSteps } from '../../../../shared/schema/alerts/alert-incidents.ts';
import type { AlertTarget, ServiceKind } from '../../../../shared/schema/alerts/alert-targets.ts';
import {
  type AlertReason,
  type CreateAlert,
  TimeZone,
} from '../../../../shared/schema/alerts/alerts.ts';
import { textArgument, usage } from '../../command-parts.ts';

export interface AlertOptions {
  type: string[];
  session: string[];
  task: string[];
  subject: string[];
  reason: AlertReason[];
  webhook?: string;
  command?: boolean;
  to?: ServiceKind;
  /** As `key=value`. */
  set: string[];
  secretFile?: string;
  /** JSON, or `@FILE` with it. */
  step: string[];
  /** Minutes. */
  digest?: number;
  quiet?: string;
  zone?: string;
  quietExcept: AlertReason[];
}

/** Checks only what the daemon could not; it validates the rest. */
export function alertBody(name: string, argv: string[], options: AlertOptions): CreateAlert {
  const { type, session, task, subject, reason, step, digest = null } = options;
  if (type.length === 0) throw usage('name the events with --type, e.g. --type auto.failed');
  return {
    name,
    enabled: true,
    types: type,
    sessions: session.length === 0 ? null : session,
    tasks: task.length === 0 ? null : task,
    subjects: subject.length === 0 ? null : subject,
    reasons: reason.length === 0 ? null : reason,
    quiet_hours: quietOf(options),
    digest_minutes: digest,
    target: targetOf(argv, options),
    steps: step.map(stepOf),
  };
}

function targetOf(argv: string[], options: AlertOptions): AlertTarget {
  const { webhook, command, to, set, secretFile } = options;
  if ([webhook !== undefined, command === true, to !== undefined].filter(Boolean).length !== 1) {
    throw usage('pass one of --webhook URL, --to SERVICE, or --command -- PROGRAM [ARG...]');
  }
  if (to === undefined && (set.length > 0 || secretFile !== undefined)) {
    throw usage('--set and --secret-file require --to');
  }
  if (argv.length > 0 && command !== true) throw usage('arguments after -- require --command');
  if (to !== undefined) return serviceOf(to, set, secretFile);
  if (webhook !== undefined) return { kind: 'webhook', url: webhook };
  const [program, ...words] = argv;
  if (program === undefined) throw usage('--command requires a program after --');
  // The daemon runs it elsewhere.
  return { kind: 'command', argv: [program.includes('/') ? resolve(program) : program, ...words] };
}

function stepOf(given: string): AlertSteps[number] {
  const example = '{"after_minutes": 10, "target": {"kind": "ntfy", "topic": "night"}}';
  try {
    return AlertSteps.element.parse(JSON.parse(textArgument(given)));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const why = issue === undefined ? '' : `: ${issue.path.join('.')} ${issue.message}`;
    throw usage(`--step must be JSON such as ${example}, or @FILE${why}`);
  }
}

/** The daemon checks the values. */
function serviceOf(kind: ServiceKind, set: string[], secretFile: string | undefined): AlertTarget {
  const { fields, secret: needed } = TARGET_FORMS[kind];
  if (needed === null && secretFile !== undefined) throw usage(`${kind} has no secret`);
  const known = fields.map(({ key }) => key);
  const given = new Map(
    set.map((text) => {
      const [, key = '', value = ''] = /^([a-z]+)=(.*)$/s.exec(text) ?? [];
      if (known.includes(key)) return [key, value];
      const keys = known.length === 0 ? 'no fields' : known.join(', ');
      throw usage(`--set: "${text}" must be KEY=VALUE; ${kind} has ${keys}`);
    }),
  );
  const values = fields.map(({ key, initial, isOptional }) => {
    const value = given.get(key) ?? initial;
    if (value === '' && !isOptional) throw usage(`${kind} requires --set ${key}=…`);
    return [key, value];
  });
  // Not an argument, which every user of the machine can see.
  const from = secretFile === '-' ? '-' : `@${secretFile ?? ''}`;
  const secret = secretFile === undefined ? {} : { secret: textArgument(from) };
  return { kind, ...Object.fromEntries(values), ...secret } as AlertTarget;
}

function quietOf({ quiet, zone, quietExcept }: AlertOptions): CreateAlert['quiet_hours'] {
  if (quiet === undefined) {
    if (zone !== undefined || quietExcept.length > 0) {
      throw usage('--zone and --quiet-except require --quiet');
    }
    return null;
  }
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(quiet) ?? [];
  if (from === undefined || to === undefined)
    throw usage(`--quiet: "${quiet}" must look like 22:00-07:00`);
  if (zone !== undefined && !TimeZone.safeParse(zone).success) {
    throw usage(`--zone: "${zone}" is not a time zone, e.g. Europe/Berlin or UTC`);
  }
  const time_zone = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    from,
    to,
    time_zone,
    ...(quietExcept.length === 0 ? {} : { except_reasons: quietExcept }),
  };
}
