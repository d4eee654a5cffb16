/** The stand-in's stream: one JSON line per event, as the real client writes it. */
import { randomBytes, randomUUID } from 'node:crypto';

export interface StreamUsage {
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
}

export const NO_USAGE: StreamUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** How a turn ends: the agent's own claim and what the process reports. */
export interface End {
  text: string | null;
  isError: boolean;
  subtype: 'success' | 'error_during_execution';
  terminalReason: 'completed' | 'api_error' | 'aborted_streaming' | null;
  status: number | null;
  errors: string[];
}

const MODEL = 'stand-in';
/** Tokens that fit into its context. */
const CONTEXT_WINDOW = 200_000;

export class Stream {
  readonly #sessionId: string;
  readonly #write: (text: string) => void;
  readonly #startedAt = Date.now();
  readonly #denials: object[] = [];
  #turns = 0;
  /** Tokens in its context; null as long as it does not say so. */
  #context: number | null = null;

  /** `write` takes whole lines; for a reader of plain text it writes nothing. */
  constructor(sessionId: string, write: (text: string) => void) {
    this.#sessionId = sessionId;
    this.#write = write;
  }

  init(permissionMode: string, tools: readonly string[]): void {
    const [cwd, model] = [process.cwd(), MODEL];
    this.#system('init', { cwd, tools, mcp_servers: [], model, permissionMode });
  }

  say(text: string): void {
    this.#assistant({ type: 'text', text });
  }

  /** A tool call and its result. */
  tool(name: string, input: unknown, result: string, isError = false): void {
    const id = this.#call(name, input);
    this.#result(id, result, isError);
  }

  deny(name: string): void {
    const message = `${name} needs approval.`;
    const input = { input: 'something' };
    const id = this.#call(name, input);
    this.#system('permission_denied', { tool_name: name, tool_use_id: id, message });
    this.#result(id, message, true);
    this.#denials.push({ tool_name: name, tool_use_id: id, tool_input: input });
  }

  retry(status: number, error: string): void {
    const delay = { attempt: 1, max_retries: 10, retry_delay_ms: 516 };
    this.#system('api_retry', { ...delay, error_status: status, error });
  }

  background(tasks: number): void {
    const list = Array.from({ length: tasks }, (_, index) => ({ task_id: `b${index}` }));
    this.#system('background_tasks_changed', { tasks: list });
  }

  /** From now on it says how full its context is, in percent. */
  fill(percent: number): void {
    this.#context = Math.ceil((percent * CONTEXT_WINDOW) / 100);
  }

  /** The conversation was compacted, to so many percent of the context. */
  compacted(percent: number): void {
    this.fill(percent);
    const compact_metadata = { trigger: 'manual', post_tokens: this.#context };
    this.#system('compact_boundary', { compact_metadata });
  }

  /** `resetsAt` in seconds since 1970. */
  limit(resetsAt: number, rateLimitType: 'five_hour' | 'seven_day'): void {
    const info = { status: 'rejected', resetsAt, rateLimitType };
    this.#line({ type: 'rate_limit_event', rate_limit_info: info });
  }

  interrupted(): void {
    const content = [{ type: 'text', text: '[Request interrupted by user]' }];
    this.#line({ type: 'user', message: { role: 'user', content } });
  }

  /** The beginning of a line that never ends. */
  cut(): void {
    this.#write('{"type":"assistant","message":{"role":"assistant","content":[{"type":"te');
  }

  /** `totalCostUsd` covers the whole conversation. */
  end(end: End, used: StreamUsage, totalCostUsd: number): void {
    const usage = {
      input_tokens: used.inputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: used.outputTokens,
    };
    const { inputTokens, outputTokens, costUsd: costUSD } = used;
    const window = this.#context === null ? {} : { contextWindow: CONTEXT_WINDOW };
    this.#line({
      type: 'result',
      subtype: end.subtype,
      is_error: end.isError,
      api_error_status: end.status,
      duration_ms: Date.now() - this.#startedAt,
      num_turns: this.#turns,
      ...(end.text === null ? {} : { result: end.text }),
      ...(end.errors.length === 0 ? {} : { errors: end.errors }),
      ...(end.terminalReason === null ? {} : { terminal_reason: end.terminalReason }),
      total_cost_usd: totalCostUsd,
      usage,
      model_usage_since_last_result: {
        [MODEL]: { inputTokens, outputTokens, costUSD, ...window },
      },
      permission_denials: this.#denials,
    });
  }

  #call(name: string, input: unknown): string {
    const id = `toolu_${randomBytes(6).toString('hex')}`;
    this.#assistant({ type: 'tool_use', id, name, input });
    return id;
  }

  #result(id: string, content: string, isError: boolean): void {
    const block = { tool_use_id: id, type: 'tool_result', content, is_error: isError };
    this.#line({ type: 'user', message: { role: 'user', content: [block] } });
  }

  #assistant(block: object): void {
    this.#turns += 1;
    const said = { type: 'message', role: 'assistant', model: MODEL, content: [block] };
    const usage = { input_tokens: 1, cache_read_input_tokens: (this.#context ?? 1) - 1 };
    const message = this.#context === null ? said : { ...said, usage };
    this.#line({ type: 'assistant', message, parent_tool_use_id: null });
  }

  #system(subtype: string, more: object): void {
    this.#line({ type: 'system', subtype, ...more });
  }

  #line(content: object): void {
    const line = { ...content, session_id: this.#sessionId, uuid: randomUUID() };
    this.#write(`${JSON.stringify(line)}\n`);
  }
}
