/** Lines as a client writes them to a transcript. */

export function callLine(id: string, name: string, input: object, more: object = {}): string {
  return JSON.stringify({
    type: 'assistant',
    isSidechain: false,
    timestamp: '2026-11-20T12:05:06.359Z',
    message: {
      model: 'claude-x',
      role: 'assistant',
      content: [{ type: 'tool_use', id, name, input }],
    },
    ...more,
  });
}

export function resultLine(id: string, content: string, is_error = false): string {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error };
  return JSON.stringify({ type: 'user', message: { role: 'user', content: [block] } });
}
