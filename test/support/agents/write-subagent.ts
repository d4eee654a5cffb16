import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that clients since 2.1.197 write for a subagent, next to the transcript of its agent. */
export function writeSubagent(
  transcript: string,
  agent: string,
  call: string,
  lines: readonly string[],
) {
  const folder = join(transcript.replace(/\.jsonl$/, ''), 'subagents');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `agent-${agent}.jsonl`);
  const meta = join(folder, `agent-${agent}.meta.json`);
  const described = { agentType: 'general-purpose', description: 'Look around', toolUseId: call };
  writeFileSync(meta, JSON.stringify({ ...described, spawnDepth: 1 }));
  const write = (...more: string[]) => {
    appendFileSync(path, more.map((line) => `${line}\n`).join(''));
  };
  write(...lines);
  return { path, meta, write };
}
