/** What the hooks of the agent in one terminal have reported since it came to the foreground. */
import type { HookEvent } from '../../agents/hooks/hook-event.ts';
import { foldHookEvent, type HookFacts, NO_HOOK_FACTS } from '../../agents/hooks/hook-facts.ts';
import { setBackHooks } from '../../agents/reading/set-back-evidence.ts';
import type { Receiver } from '../typing/receipt.ts';

/** More than arrive while one input waits for its confirmation. */
const PROMPTS_KEPT = 20;

export class HookMemory {
  #facts: HookFacts | null = null;
  #conversation: string | null = null;
  #prompts: Receiver['prompts'] = [];

  /** Null until the first report. */
  get facts(): HookFacts | null {
    return this.#facts;
  }

  /** The conversation named in the newest report. */
  get conversation(): string | null {
    return this.#conversation;
  }

  get prompts(): Receiver['prompts'] {
    return this.#prompts;
  }

  add(event: HookEvent, atMs: number): void {
    this.#facts = foldHookEvent(this.#facts ?? NO_HOOK_FACTS, event, atMs);
    this.#conversation = event.sessionId ?? this.#conversation;
    if (event.kind !== 'prompt') return;
    const number = (this.#prompts.at(-1)?.number ?? 0) + 1;
    this.#prompts = [...this.#prompts, { number, text: event.text }].slice(-PROMPTS_KEPT);
  }

  /** The wall clock was set back. */
  setBack(byMs: number): void {
    if (this.#facts !== null) this.#facts = setBackHooks(this.#facts, byMs);
  }

  /** Another agent came to the foreground. */
  forget(): void {
    this.#facts = null;
    this.#conversation = null;
  }
}
