/** From the options of `alert add` to the body of the request. */
import { resolve } from 'node:path';
import {
  type AlertReason,
  type AlertTarget,
  type CreateAlert,
  TimeZone,
} from '../../../shared/schema/alerts.ts';
import { usage } from '../command-parts.ts';

export interface AlertOptions {
  type: string[];
  session: string[];
  task: string[];
  subject: string[];
  reason: AlertReason[];
  webhook?: string;
  command?: boolean;
  quiet?: string;
  zone?: string;
  quietExcept: AlertReason[];
}

/** Checks only what the daemon could not; it validates the rest. */
export function alertBody(name: string, argv: string[], options: AlertOptions): CreateAlert {
  const { type, session, task, subject, reason } = options;
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
    target: targetOf(argv, options),
  };
}

function targetOf(argv: string[], { webhook, command }: AlertOptions): AlertTarget {
  if ((webhook !== undefined) === (command === true)) {
    throw usage('pass either --webhook URL, or --command -- PROGRAM [ARG...]');
  }
  if (webhook !== undefined) {
    if (argv.length > 0) throw usage('arguments after -- require --command');
    return { kind: 'webhook', url: webhook };
  }
  const [program, ...words] = argv;
  if (program === undefined) throw usage('--command requires a program after --');
  // The daemon runs it elsewhere.
  return { kind: 'command', argv: [program.includes('/') ? resolve(program) : program, ...words] };
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
