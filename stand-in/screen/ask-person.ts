/** What a turn asks a person: on the screen and through the hook, whichever is answered first. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DialogAnswer, DialogHost, DialogView } from './dialog.ts';
import { permissionDialog, planDialog, questionDialog } from './dialog-views.ts';
import type { HookDecision, Hooks } from '../run-hooks.ts';
import type { ScenarioStep, TalkStep } from '../scenario.ts';
import type { StatusRecord } from '../files/status-record.ts';

export type AskStep = Extract<ScenarioStep, { do: 'ask' }>;
type PlanStep = Extract<TalkStep, { do: 'plan' }>;
type QuestionStep = Extract<TalkStep, { do: 'question' }>;

/** Steps that need a person. */
export type PersonStep = AskStep | PlanStep | QuestionStep;

interface Around {
  record: StatusRecord;
  hooks: Hooks;
  dialogs: DialogHost;
  say: (line: string) => void;
}

interface Asked {
  dialog: DialogView;
  /** As the status record words it. */
  waitingFor: string;
  mode: string;
  tool: string;
  input: object;
  defaultMs?: number;
}

/** False when a person refused or left it at the keyboard. */
export async function askPerson(
  step: PersonStep,
  around: Around,
  abort: AbortSignal,
): Promise<boolean> {
  switch (step.do) {
    case 'ask':
      return askPermission(step, around, abort);
    case 'plan':
      return askApproval(step, around, abort);
    case 'question':
      return askQuestion(step, around, abort);
  }
}

async function askPermission(
  { command, description, default_ms: defaultMs }: AskStep,
  around: Around,
  abort: AbortSignal,
): Promise<boolean> {
  const { say } = around;
  say(`Bash(${command})`);
  const dialog = permissionDialog(command, description);
  const input = { command, description };
  const asked = { dialog, waitingFor: 'permission prompt', mode: 'default', tool: 'Bash', input };
  const answer = await request({ ...asked, defaultMs }, around, abort);
  if (answer === 'left' || answer === 2) return false;
  if (typeof answer === 'number') say('⎿  Done');
  else say(`⎿  ${answer.behavior === 'allow' ? 'Allowed' : 'Denied'} by PermissionRequest hook`);
  return true;
}

async function askApproval(
  { lines }: PlanStep,
  around: Around,
  abort: AbortSignal,
): Promise<boolean> {
  const { say } = around;
  const dialog = planDialog(lines);
  const input = { allowedPrompts: [] };
  const asked = { dialog, waitingFor: 'permission prompt', mode: 'plan', tool: 'ExitPlanMode' };
  const answer = await request({ ...asked, input }, around, abort);
  if (answer === 'left' || answer === 3) return false;
  const isApproved = typeof answer === 'number' || answer.behavior === 'allow';
  say(`${isApproved ? 'Approved' : 'Rejected'} Claude's plan\n⎿  ${lines.join(' ')}`);
  return true;
}

async function askQuestion(
  { question, header, options }: QuestionStep,
  around: Around,
  abort: AbortSignal,
): Promise<boolean> {
  const described = options.map((label) => ({ label, description: `It is ${label}` }));
  const dialog = questionDialog(question, header, described);
  const input = { questions: [{ question, header, options: described, multiSelect: false }] };
  const asked = { dialog, waitingFor: 'input needed', mode: 'default', tool: 'AskUserQuestion' };
  const answer = await request({ ...asked, input }, around, abort);
  const chosen =
    typeof answer === 'object' ? answered(answer, question) : optionOf(answer, options);
  if (chosen === null) return false;
  around.say(`Answered Claude's questions:\n⎿  · ${question} → ${chosen}`);
  return true;
}

function optionOf(answer: DialogAnswer, options: readonly string[]): string | null {
  return typeof answer === 'number' ? (options[answer - 1] ?? null) : null;
}

function answered({ updatedInput }: HookDecision, question: string): string | null {
  return updatedInput?.answers?.[question] ?? null;
}

async function request(
  { dialog, waitingFor, mode, tool, input, defaultMs }: Asked,
  { record, hooks, dialogs }: Around,
  abort: AbortSignal,
): Promise<DialogAnswer | HookDecision> {
  record.set('waiting', waitingFor);
  const payload = { permission_mode: mode, tool_name: tool, permission_suggestions: [] };
  const settled = new AbortController();
  try {
    return await Promise.race([
      dialogs.ask(dialog),
      hooks.decide({ ...payload, tool_input: input }, abort),
      assent(defaultMs, settled.signal),
      aborted(abort),
    ]);
  } finally {
    settled.abort();
    dialogs.close();
    record.set('busy');
  }
}

/** The first option after that time; never without one, or once the question is settled. */
async function assent(afterMs: number | undefined, settled: AbortSignal): Promise<1> {
  return new Promise((resolve) => {
    if (afterMs === undefined) return;
    void delay(afterMs, undefined, { signal: settled }).then(
      () => resolve(1),
      () => undefined,
    );
  });
}

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
