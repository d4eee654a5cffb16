/**
 * Types one input into the foreground program. An agent gets it in two steps and must confirm it:
 * Enter follows in a separate call, once our text is in the box. Some versions lose an Enter in the
 * same call, and what came to the foreground in between (a dialog, another program) must not
 * get it.
 */
import type {
  Delivery,
  DeliveryReason,
  InputSource,
} from '../../../shared/schema/attention/delivery.ts';
import type { Clock } from '../../lib/clock.ts';
import type { TypeOutcome, TypeRequest } from '../../terminals/terminal.ts';
import { type ForegroundAgent, type ProbedForeground, whyHeld } from './may-type.ts';
import { type ForegroundProgram, isSameProgram } from './program.ts';
import { isAgentCommand, receipt, type Receiver, showsPaste } from './receipt.ts';

/** Measured: 2.1.197 loses an Enter that comes with the paste, and none that comes 50 ms later. */
const ENTER_AFTER_MS = 100;
const CHECK_EVERY_MS = 100;
/** For a client to draw what was pasted. */
const DRAWN_WITHIN_MS = 10_000;
/** An Enter without effect for this long was lost. */
const ENTER_AGAIN_MS = 2_000;
/** A client writes its transcript within this; one that has not by then will not. */
const SILENT_AFTER_MS = 1_000;
/** A hook starts a process, which takes seconds on a busy machine. */
const CONFIRM_WITHIN_MS = 10_000;
/** Few commands of a client are ever confirmed, and who sent one waits for the answer. */
const COMMAND_WITHIN_MS = 3_000;

export interface Prompt {
  session: string;
  text: string;
  /** False: the text stays in the box as a draft. */
  submit: boolean;
  source: InputSource;
  agent: ForegroundAgent;
  /** The probe that allowed it: nothing else happens between it and the paste. */
  before: Receiver;
  /** Left on the terminal with Enter, as proof that the prompt was sent. */
  tag?: string;
  /** It must not be sent any more: Enter does not follow. */
  isWithdrawn?: () => boolean;
}

/** What typing needs of the terminals. */
export interface TypingTarget {
  /** Nothing else types into the session while `act` runs. */
  exclusively<Result>(session: string, act: () => Promise<Result>): Promise<Result>;
  type(session: string, request: TypeRequest): Promise<TypeOutcome>;
  /** Presses Escape, which leaves a dialog. */
  escape(session: string): Promise<TypeOutcome>;
}

export interface TypingProbe {
  /**
   * The foreground program from the process table alone, at once; null when the terminal has ended.
   */
  program(session: string): ForegroundProgram | null;
  /** A fresh probe: the foreground, its prompt box, and what it has confirmed so far. */
  receiver(session: string): Promise<Receiver>;
}

export interface TypingTools {
  place: TypingTarget;
  witness: TypingProbe;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * `command`: a command of the agent left its box with our Enter; nothing else was to be seen.
 * `doubt`: it was typed, perhaps without Enter, and nothing confirmed it.
 */
export type PromptOutcome = TypeOutcome | 'delivered' | 'command' | { doubt: DeliveryReason };

/** `refused`: another program came to the foreground after the probe, and nothing was typed. */
export type Typed = [delivery: Delivery, reason: DeliveryReason | null] | 'refused';

const TYPED_AS: Record<Exclude<TypeOutcome, 'refused'> | 'delivered' | 'command', Typed> = {
  delivered: ['delivered', null],
  typed: ['typed', null],
  command: ['typed', 'agent_command'],
  too_long: ['failed', 'line_too_long'],
  failed: ['failed', 'terminal_gone'],
  unknown: ['unknown', 'no_answer'],
};

/** Types an input as `mayType` allowed it. Rejects when the daemon stops before the end. */
export async function typeInput(
  { session, text, submit, source, before, isWithdrawn }: Omit<Prompt, 'agent' | 'tag'>,
  { foreground, agent }: { foreground: string; agent: ForegroundAgent | null },
  tools: TypingTools,
): Promise<Typed> {
  const outcome =
    agent === null
      ? await tools.place.type(session, { text, submit, foreground })
      : await typePrompt({ session, text, submit, source, agent, before, isWithdrawn }, tools);
  if (outcome === 'refused') return outcome;
  return typeof outcome === 'object' ? ['unknown', outcome.doubt] : TYPED_AS[outcome];
}

/** Rejects when the daemon stops before the end. */
export async function typePrompt(prompt: Prompt, tools: TypingTools): Promise<PromptOutcome> {
  const { session, text, agent, before } = prompt;
  const { place, witness, clock, signal } = tools;
  // A program without a box asks in a line, and reads the answer as a line.
  const isLine = agent.box === 'none';
  const submit = isLine && prompt.submit;
  const pasted = await place.type(session, { text, submit, foreground: agent.name });
  if (pasted !== 'typed' || !prompt.submit) return pasted;
  if (isLine) return awaitReceipt();
  await clock.sleep(ENTER_AFTER_MS, signal);
  const obstacle = await awaitDraft(prompt, tools);
  if (obstacle !== null) return { doubt: obstacle };
  if (prompt.isWithdrawn?.() === true) return { doubt: 'withdrawn' };
  const entered = await pressEnter();
  if (entered === 'unknown') return entered;
  if (entered !== 'typed') return { doubt: 'enter_withheld' };
  return awaitReceipt();

  async function pressEnter(): Promise<TypeOutcome> {
    const enter: TypeRequest = { text: '', submit: true, foreground: agent.name };
    if (prompt.tag !== undefined) enter.tag = prompt.tag;
    return place.type(session, enter);
  }

  async function awaitReceipt(): Promise<PromptOutcome> {
    const began = clock.monotonic();
    const isCommand = isAgentCommand(text);
    let enteredAgain = false;
    for (;;) {
      await clock.sleep(CHECK_EVERY_MS, signal);
      const waited = clock.monotonic() - began;
      const after = await witness.receiver(session);
      const found = receipt(before, after, text);
      if (found === 'delivered') return 'delivered';
      if (found === 'silent' && waited >= SILENT_AFTER_MS) return isCommand ? 'command' : 'typed';
      // `/exit` ends the program it was typed into.
      if (found === 'other_program') return isCommand ? 'command' : { doubt: 'program_changed' };
      if (found === 'open' && isCommand && waited >= COMMAND_WITHIN_MS) return 'command';
      if (found === 'in_box' && waited >= ENTER_AGAIN_MS && !enteredAgain) {
        enteredAgain = true;
        const isWanted = prompt.isWithdrawn?.() !== true;
        if (isWanted && mayEnter(prompt, after.front)) await pressEnter();
      } else if (waited >= CONFIRM_WITHIN_MS) {
        return { doubt: found === 'open' ? 'not_confirmed' : 'no_change_seen' };
      }
    }
  }
}

/** Waits until the box shows what was pasted. Returns why Enter must not follow, or null. */
async function awaitDraft(prompt: Prompt, tools: TypingTools): Promise<DeliveryReason | null> {
  const { witness, clock, signal } = tools;
  const deadline = clock.monotonic() + DRAWN_WITHIN_MS;
  for (;;) {
    const { front } = await witness.receiver(prompt.session);
    if (front.kind === 'gone' || !isSameProgram(front.program, prompt.agent.program)) {
      return 'program_changed';
    }
    if (mayEnter(prompt, front) && showsPaste(front, prompt.text)) return null;
    if (clock.monotonic() >= deadline) return 'enter_withheld';
    await clock.sleep(CHECK_EVERY_MS, signal);
  }
}

function mayEnter({ agent, source }: Prompt, front: ProbedForeground): front is ForegroundAgent {
  if (front.kind !== 'agent' || !isSameProgram(front.program, agent.program)) return false;
  return whyHeld(source, front) === null;
}
