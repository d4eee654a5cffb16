/** Lines of a rollout as Codex 0.169.0 writes them, without what is not read. */

const iso = (ms: number) => new Date(ms).toISOString();

/** `differs`: other fields of its payload. */
export function rolloutHead(id: string, cwd: string, atMs: number, differs: object = {}): object {
  const payload = {
    account_scoped: true,
    session_id: id,
    id,
    timestamp: iso(atMs),
    cwd,
    originator: 'codex-tui',
    cli_version: '0.169.0',
    source: 'vscode',
    thread_source: 'user',
    model_provider: 'openai',
    base_instructions: { text: 'x'.repeat(20_000) },
    ...differs,
  };
  return { timestamp: iso(atMs), ordinal: 0, type: 'session_meta', payload };
}

export function turnEvent(type: string, atMs: number): object {
  const turn_id = '01a21402-37dd-7b71-854c-c50857635867';
  return { timestamp: iso(atMs), ordinal: 1, type: 'event_msg', payload: { type, turn_id } };
}

export function turnContext(approval_policy: string, atMs: number): object {
  const payload = { turn_id: 't', cwd: '/srv', approval_policy, model: 'gpt-5' };
  return { timestamp: iso(atMs), ordinal: 5, type: 'turn_context', payload };
}

export function toolCall(name: string, atMs: number): object {
  const payload = { type: 'function_call', id: 'f1', name, arguments: '{}', call_id: 'c1' };
  return { timestamp: iso(atMs), ordinal: 9, type: 'response_item', payload };
}

export function modelMessage(atMs: number): object {
  const payload = { type: 'message', role: 'assistant', content: [] };
  return { timestamp: iso(atMs), ordinal: 10, type: 'response_item', payload };
}

/** Where Codex keeps it, below its home. */
export function rolloutPath(id: string): string {
  return `sessions/2026/11/25/rollout-2026-11-25T18-40-18-${id}.jsonl`;
}
