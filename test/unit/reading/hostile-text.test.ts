/** Arguments that a program cannot be given unchanged, and names that git writes differently. */
import { expect, it } from 'vitest';
import { turnCommand } from '../../../server/agents/headless/turn-command.ts';
import { CreateTask } from '../../../shared/schema/tasks/task.ts';
import { parsePatch } from '../../../web/lib/diff/parse-patch.ts';

it('TF12 a NUL is left out of text for an agent, and refused in a command', () => {
  const say = { permissionMode: 'acceptEdits', conversationId: null, tools: 'all' } as const;
  const { args } = turnCommand({ ...say, addDirectories: [], message: '\0--a\0b' });
  expect(args.slice(0, 2)).toEqual(['-p', '\n--ab']);
  const task = { task_name: 'a', description: 'b\0' };
  expect(CreateTask.safeParse(task).success).toBe(true);
  const gates = [{ name: 'g', command: 'true\0' }];
  expect(CreateTask.safeParse({ ...task, gates }).success).toBe(false);
  expect(CreateTask.safeParse({ ...task, test_commands: ['true\0'] }).success).toBe(false);
});

it('TA9 a file whose name git quotes is shown with its lines', () => {
  const quoted: Record<string, string> = {
    'über.txt': '"b/\\303\\274ber.txt"',
    'a "b" \\c\td': '"b/a \\"b\\" \\\\c\\td"',
    'gpj\u202eexe': '"b/gpj\\342\\200\\256exe"',
  };
  for (const [path, name] of Object.entries(quoted)) {
    const patch = `diff --git x ${name}\n--- /dev/null\n+++ ${name}\t\n@@ -0,0 +1 @@\n+new\n`;
    expect(parsePatch(patch).map((file) => [file.path, file.lines.length])).toEqual([[path, 2]]);
  }
});
