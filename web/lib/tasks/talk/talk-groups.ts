/** A conversation as it is read: words one by one, tools folded, the sums of each turn once. Pure. */
import { oneLine } from '$shared/plain-text.ts';
import type { Interaction } from '$shared/tasks/interaction.ts';
import { count } from '../amounts.ts';

export interface ToolRun {
  kind: 'tools';
  /** Of its first call: it stays while the run grows. */
  id: number;
  tools: readonly Interaction[];
  summary: string;
  failed: number;
}

export interface Word {
  kind: 'word';
  id: number;
  entry: Interaction;
}

const MAX_NAMED = 4;
const PREVIEW_LENGTH = 90;

/** Takes interactions, oldest first; gives what is shown: calls of tools one after another are one. */
export function groupTalk(entries: readonly Interaction[]): (Word | ToolRun)[] {
  const shown: (Word | ToolRun)[] = [];
  let run: Interaction[] = [];
  const close = (): void => {
    if (run.length > 0) shown.push(toolRun(run));
    run = [];
  };
  for (const entry of entries) {
    if (isTool(entry)) {
      run.push(entry);
    } else {
      close();
      shown.push({ kind: 'word', id: entry.id, entry });
    }
  }
  close();
  return shown;
}

function isTool({ type, tool }: Interaction): boolean {
  return type === 'tool_result' || (type === 'claude_response' && tool !== null);
}

function toolRun(tools: Interaction[]): ToolRun {
  const calls = new Map<string, number>();
  for (const { tool } of tools) calls.set(tool ?? 'tool', (calls.get(tool ?? 'tool') ?? 0) + 1);
  const named = [...calls]
    .slice(0, MAX_NAMED)
    .map(([name, n]) => (n === 1 ? name : `${name} × ${n}`));
  const more = calls.size > MAX_NAMED ? ` and ${calls.size - MAX_NAMED} more` : '';
  const failed = tools.filter(({ is_error }) => is_error).length;
  return {
    ...{ kind: 'tools', id: tools[0]?.id ?? 0, tools, failed },
    summary: `${named.join(', ')}${more}`,
  };
}

/** Takes a tool call; gives the beginning of what it says, in one line. */
export function toolPreview({ content }: Interaction): string {
  return oneLine(content, PREVIEW_LENGTH);
}

/** Takes how many calls a run has and how many of them failed; gives it in words. */
export function runCount({ tools, failed }: Pick<ToolRun, 'tools' | 'failed'>): string {
  const all = count(tools.length, 'step');
  return failed === 0 ? all : `${all}, ${failed} failed`;
}
