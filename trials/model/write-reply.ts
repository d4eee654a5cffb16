/** Writes one reply as the Messages API streams it: server-sent events, one content block. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from './reply.ts';

const ERROR_TYPES: Record<number, string> = {
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

let count = 0;

/** Resolves with whether all was written before the client left. A reply that hangs is never whole. */
export async function writeReply(
  response: ServerResponse,
  model: string,
  reply: Reply,
): Promise<boolean> {
  if (reply.kind === 'error') {
    writeError(response, reply);
    return true;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_trial' });
  const usage = { input_tokens: 1_500, output_tokens: 1 };
  const message = { id: nextId('msg'), type: 'message', role: 'assistant', model };
  send(response, 'message_start', {
    message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
  });
  if (reply.kind === 'tool') writeTool(response, reply);
  else await writeText(response, reply.text, reply.kind === 'text' ? (reply.overMs ?? 0) : 0);
  if (reply.kind === 'hang' && !response.destroyed) await once(response, 'close');
  if (response.destroyed) return false;
  send(response, 'content_block_stop', { index: 0 });
  const reason = reply.kind === 'tool' ? 'tool_use' : 'end_turn';
  send(response, 'message_delta', {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 20 },
  });
  send(response, 'message_stop', {});
  response.end();
  return true;
}

function writeError(
  response: ServerResponse,
  { status, message, headers }: Extract<Reply, { kind: 'error' }>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const type = ERROR_TYPES[status] ?? 'api_error';
  const body = { type: 'error', error: { type, message }, request_id: 'req_trial' };
  response.end(JSON.stringify(body));
}

function writeTool(
  response: ServerResponse,
  { tool, input }: Extract<Reply, { kind: 'tool' }>,
): void {
  const block = { type: 'tool_use', id: nextId('toolu'), name: tool, input: {} };
  send(response, 'content_block_start', { index: 0, content_block: block });
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
  send(response, 'content_block_delta', { index: 0, delta });
}

/** Word by word over that time. */
async function writeText(response: ServerResponse, text: string, overMs: number): Promise<void> {
  send(response, 'content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  const words = text.split(/(?<= )/);
  for (const word of words) {
    if (response.destroyed) return;
    send(response, 'content_block_delta', { index: 0, delta: { type: 'text_delta', text: word } });
    if (overMs > 0) await pause(overMs / words.length);
  }
}

function send(response: ServerResponse, type: string, data: object): void {
  if (response.destroyed) return;
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

function nextId(kind: string): string {
  count += 1;
  return `${kind}_trial${count}`;
}
