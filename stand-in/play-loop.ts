/**
 * Plays the scenario of one task directory, step by step.
 * Invariant: what a step promises is on disk before the step counts as completed, so a process that
 * dies in between repeats the step and never skips it.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { nowMs, pause } from './clock.ts';
import type { TokenCounts } from './plan/transcript-file.ts';
import type { Responsiveness } from './screen/responsiveness.ts';
import {
  completeStep,
  countCrash,
  crashIsDue,
  nextStep,
  resumeProgress,
  type Progress,
} from './progress.ts';
import type { AskStep } from './screen/ask-person.ts';
import type { LimitStep, PauseStep } from './interruptions.ts';
import type { Scenario, ScenarioStep } from './scenario.ts';
import { beginStep, draftIndex, finishStep, TaskIndex } from './files/task-index.ts';
import type { TaskFiles } from './files/task-files.ts';

/** How a loop ended, unless it was interrupted (the abort error of its signal). */
export type LoopEnd =
  | { kind: 'played' }
  | { kind: 'stopped'; reason: string }
  | { kind: 'exit'; code: number }
  | { kind: 'crash'; code: number; signal: NodeJS.Signals | null };

/** What a loop needs of the client that runs it. */
export interface Stage {
  files: TaskFiles;
  responsiveness: Responsiveness;
  /** Milliseconds a step works when it does not say how long. */
  stepMs: number;
  title: string;
  say: (line: string) => void;
  /** Shows what the agent is doing; null: nothing moves on the screen until the next call. */
  showWork: (verb: string | null) => void;
  /** All reject with the abort error when the turn ends first. */
  ask: (step: AskStep) => Promise<void>;
  waitOut: (step: LimitStep) => Promise<void>;
  pause: (step: PauseStep) => Promise<void>;
  /** Resolves once the plan of this home lets a request begin. */
  admitted: () => Promise<void>;
  /** `beganMs`: wall time. */
  spend: (tokens: TokenCounts, beganMs: number) => void;
}

const VERBS = {
  plan: 'Planning',
  check: 'Checking',
  exec: 'Executing',
  merge: 'Merging',
  report: 'Reporting',
  research: 'Researching',
  verify: 'Verifying',
  annotate: 'Annotating',
} as const;

/** A client lives longer than this before it can do anything; one that dies sooner may die unseen. */
const SHORTEST_LIFE_MS = 750;

type WorkStep = Extract<ScenarioStep, { do: 'step' }>;

/** Rejects with the abort error when `abort` fires. */
export async function playLoop(
  scenario: Scenario,
  stage: Stage,
  abort: AbortSignal,
): Promise<LoopEnd> {
  const fingerprint = createHash('sha256').update(JSON.stringify(scenario)).digest('hex');
  let progress = resumeProgress(stage.files.readProgress(), fingerprint, scenario);
  let index = openIndex(progress, stage);
  let workSteps = 0;
  for (;;) {
    const step = nextStep(progress, scenario);
    if (step === null) break;
    const stopReason = stage.responsiveness.deaf ? null : stage.files.stopReason();
    if (stopReason !== null) return { kind: 'stopped', reason: stopReason };
    switch (step.do) {
      case 'step':
        workSteps += 1;
        index = await work(step, workSteps, index, stage, abort);
        break;
      case 'raw_signal':
        stage.files.writeRawSignal(step.text);
        break;
      case 'silence':
        stage.showWork(null);
        await pause(step.ms, abort);
        break;
      case 'say':
        step.lines.forEach(stage.say);
        break;
      case 'deaf':
        stage.responsiveness.stopListening(step.ms ?? null);
        break;
      case 'ask':
        await stage.ask(step);
        break;
      case 'limit':
        await stage.waitOut(step);
        break;
      case 'pause':
        await stage.pause(step);
        break;
      case 'exit':
        await liveOn(abort);
        return { kind: 'exit', code: step.code };
      case 'crash':
        if (crashIsDue(progress, step.times)) {
          await liveOn(abort);
          stage.files.writeProgress(countCrash(progress));
          return { kind: 'crash', code: step.code ?? 1, signal: step.signal ?? null };
        }
    }
    progress = completeStep(progress);
    stage.files.writeProgress(progress);
  }
  if (scenario.remove_signal_at_end) stage.files.removeSignal();
  return { kind: 'played' };
}

/** Waits, unless this process is already old enough to have been seen. */
async function liveOn(signal: AbortSignal): Promise<void> {
  const ageMs = process.uptime() * 1_000;
  if (ageMs < SHORTEST_LIFE_MS) await delay(SHORTEST_LIFE_MS - ageMs, undefined, { signal });
}

function openIndex(progress: Progress, stage: Stage): TaskIndex {
  const saved = TaskIndex.safeParse(stage.files.readIndex());
  if (progress.completed > 0 && saved.success) return saved.data;
  const index = draftIndex(saved.data, stage.title, now());
  stage.files.writeIndex(index);
  return index;
}

async function work(
  step: WorkStep,
  iteration: number,
  before: TaskIndex,
  stage: Stage,
  abort: AbortSignal,
): Promise<TaskIndex> {
  await stage.admitted();
  const beganMs = nowMs();
  const begun = beginStep(before, step.signal, now());
  stage.files.writeIndex(begun);
  stage.showWork(VERBS[step.signal.step]);
  const share = (step.work_ms ?? stage.stepMs) / (step.say.length + 1);
  for (const line of step.say) {
    await pause(share, abort);
    stage.say(line);
  }
  await pause(share, abort);
  if (step.tokens !== undefined) stage.spend(step.tokens, beganMs);
  const finished = finishStep(begun, step.signal, now());
  stage.files.writeIndex(finished);
  stage.files.writeSignal({ iteration, ...step.signal, timestamp: now() });
  return finished;
}

function now(): string {
  return new Date(nowMs()).toISOString();
}
