/** The report of a run that has ended, next to its checkpoint. */
import { openSession, sessionDirectory } from '../../checkpoints/session-directory.ts';
import { join } from 'node:path';
import { AppError } from '../../lib/app-error.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { planItems } from '../../../shared/rules/work/plan-items.ts';
import { planHash, planPath, readPlan } from '../plan-file.ts';
import { runView } from '../run-view.ts';
import { planOf, type RunRecord } from '../stores/run-record.ts';
import type { EffectOptions } from './run-supervisor-options.ts';
import { ownWorktree } from './work-place.ts';
import type { RunPlan } from '../../../shared/schema/runs/run.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import { runReport } from '../report/run-report.ts';

const REPORT_FILE = 'report.md';
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

function reportPath(home: string, id: string): string {
  return join(sessionDirectory(home, id), REPORT_FILE);
}

/** Null where it is absent or no plain file of ours. */
export function readReport(home: string, id: string): string | null {
  const file = readHostileFile(reportPath(home, id), MAX_REPORT_BYTES);
  return file.kind === 'text' ? file.text : null;
}

/** Throws `no_report` where there is none. */
export function requireReport(home: string, id: string): { text: string; path: string } {
  const text = readReport(home, id);
  if (text !== null) return { text, path: reportPath(home, id) };
  throw new AppError('no_report', `run ${id} has no report yet; it is written when the run ends`);
}

/** From what the host knows; throws when git or the disk fails. */
export async function writeReport(
  options: Pick<EffectOptions, 'home' | 'record' | 'checks' | 'worktrees' | 'clock'>,
): Promise<void> {
  const { home, record, checks, worktrees, clock } = options;
  const run = record();
  const worktree = ownWorktree(options);
  const around = {
    worktree,
    place: null,
    hold: null,
    claim: null,
    activeMs: run.state.activeMs,
    hasPendingInput: false,
    isValid: realDirectory(run.request.directory) !== null,
    nowMs: clock.now(),
  };
  const text = runReport({
    run: runView(run, around),
    plan: runPlan(home, run),
    checks: checks.of(run.id),
    diff: worktree === null ? null : await worktrees.diff(worktree),
    denied: run.state.denied ?? [],
  });
  writeFileAtomic(openSession(home, run.id), REPORT_FILE, text, 0o600);
}

/** Throws `no_plan` before there is one. */
export function requirePlan(home: string, record: RunRecord): RunPlan {
  const plan = runPlan(home, record);
  if (plan !== null) return plan;
  throw new AppError('no_plan', `run ${record.id} has no plan yet`);
}

/** The plan with what was ticked or edited in its file; null before there is one. */
function runPlan(home: string, record: RunRecord): RunPlan | null {
  const { id, state, agentPlan } = record;
  const text = readPlan(home, id) ?? planOf(record);
  if (text === null) return null;
  const { now } = state;
  return {
    text,
    agent_text: agentPlan ?? text,
    hash: planHash(text),
    path: planPath(home, id),
    awaits_review: now.stage === 'waiting' && now.reason === 'plan_review',
    items: planItems(text),
  };
}
