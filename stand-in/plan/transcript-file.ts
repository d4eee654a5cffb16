/** The transcript of one conversation, as the real client keeps it: what a message used. */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';

export interface TokenCounts {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
}

export interface TranscriptMessage {
  conversation: string;
  /** `cli` in a terminal, `sdk-cli` with `-p`. */
  entrypoint: 'cli' | 'sdk-cli';
  /** Wall time in milliseconds. */
  atMs: number;
  tokens: TokenCounts;
}

/** Two lines of one message, as it grows: the first one has a part of its figures. */
export function appendMessage(
  clientHome: string,
  { conversation, entrypoint, atMs, tokens }: TranscriptMessage,
): void {
  const directory = path.join(clientHome, 'projects', process.cwd().replaceAll(/[/.]/g, '-'));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const [message, request] = [`msg_${randomUUID()}`, `req_${randomUUID()}`];
  const lines = [Math.floor(tokens.output / 2), tokens.output].map((output) => ({
    type: 'assistant',
    uuid: randomUUID(),
    sessionId: conversation,
    requestId: request,
    timestamp: new Date(atMs).toISOString(),
    entrypoint,
    message: {
      id: message,
      role: 'assistant',
      model: 'stand-in',
      content: [],
      usage: {
        input_tokens: tokens.input,
        output_tokens: output,
        cache_read_input_tokens: tokens.cacheRead,
        cache_creation_input_tokens: tokens.cacheCreation,
      },
    },
  }));
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  appendFileSync(path.join(directory, `${conversation}.jsonl`), text);
}
