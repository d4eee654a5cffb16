/**
 * The model of an agent that runs our loop as its texts ask: which command comes next follows from what
 * the last one printed. Pure.
 */
import { run, type Reply, say } from '../model/reply.ts';

interface Block {
  type: string;
  id?: string;
  name?: string;
  input?: { command?: string; file_path?: string };
  tool_use_id?: string;
  content?: unknown;
}

/** One call of the agent, with what it printed. */
interface Call {
  command: string;
  output: string;
}

/** Of the loop: what `loopwatch step` printed last. */
interface Position {
  next: string;
  checkpoint: string;
  iteration: number;
}

/** The third and last part of the work is done in this iteration: twelve steps in all. */
const LAST_EXEC = 8;

/** `taskDir` is absolute, in a repository with the base `main`, and without spaces. */
export function nextReply(taskDir: string, messages: readonly unknown[]): Reply {
  const calls = callsOf(messages);
  const last = calls.at(-1);
  const program = calls.find(({ command }) => command.startsWith('printenv'))?.output.trim();
  if (last === undefined || program === undefined) return allowed('printenv LOOPWATCH_BIN');
  const step = (words: string) => allowed(`${program} step ${words}`);
  const position = positionOf(calls);
  const { command } = last;
  if (command.startsWith('printenv')) return step(`lock --dir ${taskDir}`);
  if (command.includes('--release')) return say('The loop has ended.');
  if (command.includes(' step lock')) return step(`entry --dir ${taskDir} --json`);
  if (position === null) return say(`The loop cannot start: ${last.output}`);
  if (position.next === '(stop)') return step(`lock --dir ${taskDir} --release`);
  if (/ step (entry|done)/.test(command)) return step(`stop-requested --dir ${taskDir}`);
  if (command.includes(' step stop-requested')) {
    const isStopped = !last.output.includes('no stop is requested');
    if (isStopped) return step(`lock --dir ${taskDir} --release`);
    return step(`guide --step ${position.next} --dir ${taskDir}`);
  }
  if (command.includes(' step guide')) return workOf(taskDir, position);
  if (command.startsWith('write ')) return allowed('git add -A');
  if (command === 'git add -A')
    return allowed(`git commit -m "${position.next}: do the next part"`);
  return step(doneWords(taskDir, position));
}

/** What the permissions of a loop cover by default. */
function allowed(command: string): Reply {
  return run(command, false);
}

/** What the step changes: one file, or the merge. */
function workOf(taskDir: string, { next, checkpoint, iteration }: Position): Reply {
  const project = taskDir.replace(/\/tasks\/.*/, '');
  if (next === 'merge')
    return allowed('git switch main && git merge --no-ff -m "merge: hello" task/hello');
  const files: Record<string, [string, string]> = {
    plan: [`${taskDir}/.plan.md`, '# Plan\n\n1. One\n2. Two\n3. Three\n4. Four\n'],
    check: [
      `${taskDir}/.analysis/${iteration}-${checkpoint}.md`,
      `Looked at iteration ${iteration}.\n`,
    ],
    exec: [`${project}/part-${iteration}.txt`, 'Hello.\n'],
    report: [`${taskDir}/.report.md`, '# Report\n\nIt greets.\n'],
  };
  const [path, content] = files[next] ?? [`${taskDir}/.notes/${next}.md`, 'Unknown step.\n'];
  return { kind: 'tool', tool: 'Write', input: { file_path: path, content }, asks: false };
}

function doneWords(taskDir: string, { next, checkpoint, iteration }: Position): string {
  const isDone = iteration >= LAST_EXEC;
  const results: Record<string, string> = {
    plan: '(generated)',
    check: { 'post-plan': 'PASS', 'mid-exec': 'CONTINUE' }[checkpoint] ?? 'ACCEPT',
    exec: isDone ? '(done)' : '(mid-exec)',
    merge: 'success',
    report: '(generated)',
  };
  const at = next === 'check' ? ` --checkpoint ${checkpoint}` : '';
  return `done --dir ${taskDir} --step ${next}${at} --result '${results[next] ?? ''}' --json`;
}

/** Calls since the last prompt that began the loop. */
function callsOf(messages: readonly unknown[]): Call[] {
  const blocks = messages.flatMap((message) => {
    const { content } = message as { content: unknown };
    return Array.isArray(content) ? (content as Block[]) : [{ type: 'text', text: content }];
  });
  const since = blocks.findLastIndex((block) => isStart(block));
  const results = new Map(
    blocks.flatMap(({ type, tool_use_id, content }) =>
      type === 'tool_result' ? [[tool_use_id, textOf(content)] as const] : [],
    ),
  );
  return blocks.slice(since + 1).flatMap(({ type, id, input }) => {
    const output = results.get(id);
    if (type !== 'tool_use' || output === undefined) return [];
    return [{ command: input?.command ?? `write ${input?.file_path ?? ''}`, output }];
  });
}

/** The prompt that the client makes of `/loopwatch:auto`. */
function isStart(block: Block): boolean {
  return block.type === 'text' && JSON.stringify(block).includes('/loopwatch:auto');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
}

function positionOf(calls: readonly Call[]): Position | null {
  const call = calls.findLast(({ command }) => / step (entry|done)/.test(command));
  const line = call?.output.split('\n').find((each) => each.startsWith('{'));
  return line === undefined ? null : (JSON.parse(line) as Position);
}
