/** A task's directory, opened in an editor, and its pull request. */
import { expect, it } from 'vitest';
import { pullRequestCommand } from '../../../../shared/rules/work/pull-request-command.ts';
import { editorLinks } from '../../../../web/lib/ui/text/editor-links.ts';

it('TA20 a directory of this machine is opened as a file, with every character escaped', () => {
  expect(editorLinks('/home/ada/a b#1?', '127.0.0.1')).toEqual([
    { label: 'VS Code', href: 'vscode://file/home/ada/a%20b%231%3F' },
    { label: 'Cursor', href: 'cursor://file/home/ada/a%20b%231%3F' },
    { label: 'Zed', href: 'zed://file/home/ada/a%20b%231%3F' },
  ]);
});

it('TA20 a directory of another machine is opened over SSH', () => {
  expect(editorLinks('/srv/app', 'build.example.com').map(({ href }) => href)).toEqual([
    'vscode://vscode-remote/ssh-remote+build.example.com/srv/app',
    'cursor://vscode-remote/ssh-remote+build.example.com/srv/app',
    'zed://ssh/build.example.com/srv/app',
  ]);
});

it('TA20 the command of a pull request quotes each name', () => {
  expect(pullRequestCommand("/srv/it's", 'task/a b', 'main')).toBe(
    String.raw`cd '/srv/it'\''s' && git push -u origin 'task/a b' && gh pr create --fill --base 'main' --head 'task/a b'`,
  );
});
