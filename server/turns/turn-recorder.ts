/**
 * The messages of an agent in a turn, as interactions. Pure, so that reading a stream twice gives
 * the same.
 */
import { toolCallText } from '../../shared/rules/tool-call.ts';
import type { StreamEvent } from '../agents/headless/stream-event.ts';
import type { NewInteraction } from './interaction-store.ts';

type Line = Pick<NewInteraction, 'source' | 'type' | 'content'> &
  Partial<Pick<NewInteraction, 'tool' | 'isError'>>;

export class TurnRecorder {
  readonly #turn: number;
  /** Tool names by the id of their call. */
  readonly #tools = new Map<string, string>();
  #lastText = '';

  constructor(turn: number) {
    this.#turn = turn;
  }

  /** The interactions to store from one line of the stream. */
  take(events: readonly StreamEvent[], line: number): Line[] {
    return events
      .map((event, index) => this.#keep(event, `${this.#turn}:${line}:${index}`))
      .filter((kept) => kept !== null);
  }

  #keep(event: StreamEvent, source: string): Line | null {
    switch (event.kind) {
      case 'text':
        if (event.text.trim() === '') return null;
        this.#lastText = event.text;
        return { source, type: 'claude_response', content: event.text };
      case 'tool_use': {
        this.#tools.set(event.id, event.name);
        const content = toolCallText(event.name, event.input);
        return { source, type: 'claude_response', content, tool: event.name };
      }
      case 'tool_result': {
        const tool = this.#tools.get(event.toolUseId) ?? 'tool';
        const { text, isError } = event;
        return { source, type: 'tool_result', content: text, tool, isError };
      }
      case 'denied':
        return note(source, `${event.tool} was not allowed: ${event.message}`);
      case 'retry': {
        const { attempt, max, delayMs, error } = event;
        const pause = Math.round(delayMs / 1000);
        return note(source, `Request failed (${error}): retry ${attempt} of ${max} in ${pause} s`);
      }
      case 'result': {
        // The client's final text, which usually was sent before.
        const { text, isError } = event.result;
        if (isError || text.trim() === '' || text === this.#lastText) return null;
        return { source, type: 'claude_response', content: text };
      }
      default:
        return null;
    }
  }
}

function note(source: string, content: string): Line {
  return { source, type: 'system_message', content, isError: true };
}
