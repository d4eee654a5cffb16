import { describeSettings } from '../server/lib/config/describe-settings.ts';
import { code, table } from './table.ts';

export function settingsPage(): string[] {
  const rows = describeSettings().map(({ name, standard, unset, meaning }) => [
    code(name),
    standard === null ? unset : code(standard),
    meaning,
  ]);
  return [
    '# Settings',
    '',
    'Settings are environment variables of the daemon, read once at its start. An empty variable counts as not set. A value that is not valid ends the start with exit code 78 and names the setting.',
    '',
    'Numbers are digits only, directories are absolute, durations are milliseconds unless the name says otherwise, lists of pauses are comma separated.',
    '',
    ...table(['variable', 'default', 'meaning'], rows),
  ];
}
