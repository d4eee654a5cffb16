/** The hooks in a user's settings, run as the client runs them: by a shell, with the payload on input. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundClient } from '../found/found-client.ts';
import type { FoundWorld } from '../found/found-world.ts';

interface Hooks {
  hooks?: { PermissionRequest?: { hooks: { command: string }[] }[] };
}

export interface HookRun {
  /** As the client ends it. */
  end: () => void;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

export function settingsFile({ config }: FoundWorld): string {
  return join(config, 'settings.json');
}

/** The commands that a permission request of any session runs. */
export function commandsIn(stage: FoundWorld): string[] {
  const { hooks } = JSON.parse(readFileSync(settingsFile(stage), 'utf8')) as Hooks;
  return (hooks?.PermissionRequest ?? []).flatMap((entry) =>
    entry.hooks.map(({ command }) => command),
  );
}

/** A session asks for permission to use a tool: runs that command. */
export function runHook(
  command: string,
  { pid }: FoundClient,
  request: { tool: string; input: object },
  environment: NodeJS.ProcessEnv = {},
): HookRun {
  const payload = {
    hook_event_name: 'PermissionRequest',
    session_id: `conversation-${pid}`,
    tool_name: request.tool,
    tool_input: request.input,
  };
  const PATH = process.env['PATH'];
  // A group of its own: the shell's child has the pipes too.
  const child = spawn('/bin/sh', ['-c', command], {
    env: { PATH, ...environment },
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(payload));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { end: () => process.kill(-(child.pid ?? 0), 'SIGKILL'), ended };
}
