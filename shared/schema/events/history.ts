/** The history of work: every unit that was open in a time range, filtered, in pages. */
import { z } from 'zod';
import { HISTORY_STATES } from '../../rules/events/history-state.ts';
import { AgentKind } from '../agents/agent-kind.ts';
import { REPORT_KINDS, ReportSeconds, ReportShare, WorkUnit } from '../usage/report.ts';
import { wholeNumberText } from '../tasks/query-number.ts';

export const MAX_HISTORY_UNITS = 200;
const MAX_PATH = 4096;
const MAX_TEXT = 200;

/** One or more of them, separated by commas. */
function someOf<const Names extends readonly string[]>(names: Names) {
  return z
    .string()
    .max(MAX_TEXT)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(names)));
}

export const HistoryUnit = WorkUnit.extend({
  /** Of a loop: what started it; null for other work, and when that is no longer in the log. */
  agent: AgentKind.nullable(),
  /** The repository around the directory of its work, else that directory. */
  root: z.string().nullable(),
  /** Where its time went, in order; short ones in a row are one, of what took most of them. */
  spans: z.array(z.object({ share: ReportShare, from: z.iso.datetime(), to: z.iso.datetime() })),
});
export type HistoryUnit = z.infer<typeof HistoryUnit>;

export const UnitHistoryQuery = z.strictObject({
  /** Default: seven days before `until`. */
  since: z.iso.datetime({ offset: true }).optional(),
  /** Default: now. */
  until: z.iso.datetime({ offset: true }).optional(),
  kind: someOf(REPORT_KINDS).optional(),
  /** What it is now, or how it ended. */
  state: someOf(HISTORY_STATES).optional(),
  /** The root of its repository, or a directory around its own. */
  project: z.string().min(1).max(MAX_PATH).optional(),
  /** Who started it. */
  person: z.string().min(1).max(MAX_TEXT).optional(),
  /** Part of its name, of what was asked or of its directory, ignoring case. */
  text: z.string().max(MAX_TEXT).optional(),
  limit: wholeNumberText(1, MAX_HISTORY_UNITS).default(50),
  /** `next` of the page before. */
  before: z
    .string()
    .max(MAX_TEXT)
    .regex(/^\d{1,15}\..+$/, { message: 'must be the `next` of a page' })
    .optional(),
});
export type UnitHistoryQuery = z.output<typeof UnitHistoryQuery>;

const counted = <Value extends z.ZodType>(value: Value) =>
  z.array(z.object({ value, count: z.int().min(0) }));

export const UnitHistory = z.object({
  as_of: z.iso.datetime(),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** The oldest event of the log; null for an empty one. Work that ended before is not known. */
  log_begins: z.iso.datetime().nullable(),
  /** That match, on all pages. */
  total: z.int().min(0),
  /** The newest first. */
  units: z.array(HistoryUnit),
  /** `before` of the next page; null after the last. */
  next: z.string().nullable(),
  /** Where the time of all matching units went. */
  seconds: ReportSeconds,
  /** How many matching units were in each state on average, over the range in equal steps. */
  activity: z.object({
    step_ms: z.number(),
    counts: z.record(ReportShare, z.array(z.number())),
  }),
  /** What can be chosen; each counts what matches all other choices. At most 100 of one sort. */
  choices: z.object({
    kinds: counted(z.enum(REPORT_KINDS)),
    states: counted(z.enum(HISTORY_STATES)),
    projects: counted(z.string()),
    people: counted(z.string()),
  }),
});
export type UnitHistory = z.infer<typeof UnitHistory>;
