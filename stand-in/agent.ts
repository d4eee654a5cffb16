/**
 * What the client does with one submitted text. Plays at most one turn at a time.
 * Invariant: a turn is under way exactly while the status record says busy.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentContext, Outcome } from './agent-context.ts';
import { askPerson, type PersonStep } from './screen/ask-person.ts';
import {
  type LimitStep,
  type PauseStep,
  pauseUntilPrompted,
  waitOutLimit,
} from './interruptions.ts';
import { nowMs } from './clock.ts';
import { loadScenario } from './load-scenario.ts';
import { parseSubmission } from './parse-submission.ts';
import { spendInTerminal, untilAdmitted } from './plan/shared-plan.ts';
import type { TokenCounts } from './plan/transcript-file.ts';
import { playLoop, type LoopEnd } from './play-loop.ts';
import { playTalk } from './play-talk.ts';
import type { Scenario } from './scenario.ts';
import { TaskFiles } from './files/task-files.ts';
import { promptRows, messageRows, turnEndRows } from './files/transcript.ts';

const REPLY = 'I only play auto loops. Type /loopwatch:auto and a task directory.';
const REPLY_MS = 400;
const INTERRUPTED = '⎿  Interrupted · What should Claude do instead?';

const DONE: Outcome = { after: 'idle', code: 0 };

export class Agent {
  readonly #around: AgentContext;
  #turn: AbortController | null = null;
  #turns = 0;
  /** Of the current turn, as a hook reports it. */
  #lastMessage = '';
  #talks = 0;
  #listening: ((text: string) => void) | null = null;

  constructor(around: AgentContext) {
    this.#around = around;
  }

  /** Resolves when the agent is idle again. */
  async run(text: string): Promise<Outcome> {
    this.#around.screen.print((columns) => promptRows(text, columns));
    const submission = parseSubmission(text);
    switch (submission.kind) {
      case 'exit':
        return { after: 'exit', code: 0 };
      case 'unknown_command':
        return this.#rejectCommand(text);
      case 'clear':
        if (this.#around.talk.length === 0) return this.#rejectCommand(text);
        this.#around.renew();
        this.#around.screen.print((columns) => promptRows(text, columns));
        return DONE;
      case 'init':
        if (this.#around.talk.length === 0) return this.#rejectCommand(text);
        this.#around.hooks.fire('UserPromptExpansion', expansionOf(text));
        await this.#takeTurn((abort) => this.#reply(abort));
        return DONE;
      case 'talk':
        this.#around.hooks.fire('UserPromptSubmit', { prompt: text });
        await this.#takeTurn((abort) => this.#reply(abort));
        return DONE;
      case 'auto':
        return this.#runLoop(text, path.resolve(submission.directory));
    }
  }

  /** Hands over a text that a paused turn waits for; false when none does. */
  hear(text: string): boolean {
    if (this.#listening === null) return false;
    this.#around.screen.print((columns) => promptRows(text, columns));
    this.#listening(text);
    this.#listening = null;
    return true;
  }

  /** Ends the turn; false when there is none or it does not listen. */
  interrupt(): boolean {
    if (this.#around.responsiveness.deaf || !this.#turn) return false;
    this.#turn.abort();
    return true;
  }

  async #reply(abort: AbortSignal): Promise<void> {
    const { talk, stepMs } = this.#around;
    const steps = talk[this.#talks % talk.length];
    this.#talks += 1;
    if (steps !== undefined) return playTalk(steps, this.#stage(abort), abort);
    await delay(Math.min(REPLY_MS, stepMs), undefined, { signal: abort });
    this.#say(REPLY);
  }

  async #runLoop(text: string, directory: string): Promise<Outcome> {
    if (!isDirectory(directory)) {
      this.#say(`⎿  Error: ${directory} is not a directory`);
      return { after: 'idle', code: 1 };
    }
    const scenario = this.#loadScenario(directory);
    if (scenario.status_record) this.#around.record.turnOn();
    if (!scenario.knows_command) return this.#rejectCommand(text);
    this.#around.hooks.fire('UserPromptExpansion', expansionOf(text));
    const ended = await this.#takeTurn((abort) => this.#play(scenario, directory, abort));
    return ended ? { after: scenario.after, code: scenario.exit_code } : { after: 'idle', code: 1 };
  }

  /** No turn begins, and no hook runs. */
  #rejectCommand(text: string): Outcome {
    const [command = '', ...words] = text.split(' ');
    this.#say(`Unknown command: ${command}`);
    if (words.length > 0) this.#say(`Args from unknown skill: ${words.join(' ')}`);
    return DONE;
  }

  async #play(scenario: Scenario, directory: string, abort: AbortSignal): Promise<void> {
    const { spinner, responsiveness } = this.#around;
    const stage = {
      ...this.#stage(abort),
      files: new TaskFiles(directory),
      responsiveness,
      title: scenario.title ?? path.basename(directory),
      showWork: (verb: string | null) => (verb === null ? spinner.freeze() : spinner.show(verb)),
      pause: async (step: PauseStep) => pauseUntilPrompted(step, this.#interruptible, abort),
      spend: (tokens: TokenCounts, beganMs: number) =>
        spendInTerminal(tokens, beganMs, this.#around),
    };
    const admitted = async () => untilAdmitted(this.#around, stage);
    this.#close(await playLoop(scenario, { ...stage, admitted }, abort));
  }

  /** What every turn needs. */
  #stage(abort: AbortSignal) {
    return {
      stepMs: this.#around.stepMs,
      say: (line: string) => {
        this.#lastMessage = line;
        this.#say(line);
      },
      ask: async (step: PersonStep) => this.#ask(step, abort),
      waitOut: async (step: LimitStep) => waitOutLimit(step, this.#interruptible, abort),
    };
  }

  /** A "no" at the keyboard ends the turn, as Escape does. */
  async #ask(step: PersonStep, abort: AbortSignal): Promise<void> {
    if (await askPerson(step, this.#interruptible, abort)) return;
    this.#turn?.abort();
    abort.throwIfAborted();
  }

  get #interruptible() {
    const say = (line: string) => this.#say(line);
    return { ...this.#around, say, hear: async (abort: AbortSignal) => this.#hear(abort) };
  }

  async #hear(abort: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#listening = resolve;
      abort.addEventListener('abort', () => reject(abort.reason as Error), { once: true });
    });
  }

  #close(end: LoopEnd): void {
    switch (end.kind) {
      case 'played':
        return;
      case 'stopped':
        this.#say(`Stopping here: .auto-stop is present (${end.reason}).`);
        return;
      case 'exit':
        return this.#around.leave({ code: end.code });
      case 'crash':
        return this.#around.leave({ code: end.code, crash: end.signal ?? 'exit' });
    }
  }

  /** False when the turn was interrupted or failed; the screen shows it then. */
  async #takeTurn(act: (abort: AbortSignal) => Promise<void>): Promise<boolean> {
    const { record, screen, spinner, hooks, inputLog } = this.#around;
    const turn = new AbortController();
    this.#turn = turn;
    this.#lastMessage = '';
    inputLog.note({ event: 'turn_began' });
    record.set('busy');
    spinner.show('Thinking');
    try {
      await act(turn.signal);
      const elapsedMs = spinner.end();
      screen.print(() => turnEndRows(this.#turns, elapsedMs, new Date(nowMs())));
      hooks.fire('Stop', {
        stop_hook_active: false,
        background_tasks: [],
        last_assistant_message: this.#lastMessage,
      });
      return true;
    } catch (error) {
      spinner.end();
      this.#say(turn.signal.aborted ? INTERRUPTED : `⎿  Error: ${(error as Error).message}`);
      return false;
    } finally {
      this.#turns += 1;
      this.#turn = null;
      this.#listening = null;
      inputLog.note({ event: 'turn_ended' });
      record.set('idle');
    }
  }

  #loadScenario(directory: string): Scenario {
    try {
      return loadScenario(directory, this.#around.environment);
    } catch (error) {
      return this.#around.leave({ code: 2, message: (error as Error).message });
    }
  }

  #say(line: string): void {
    this.#around.screen.print((columns) => messageRows(line, columns));
  }
}

function expansionOf(text: string): Record<string, string> {
  const [command = '', ...words] = text.slice(1).split(' ');
  return { command_name: command, command_args: words.join(' '), prompt: text };
}

function isDirectory(directory: string): boolean {
  try {
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}
