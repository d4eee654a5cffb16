/** Task modules for people. Nothing an agent wrote reaches the terminal raw. */
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import type { Module, ModuleDetail } from '../../../shared/schema/modules/modules.ts';
import { moduleStatusText, progressText } from '../../../shared/words/work/module-text.ts';
import { tableLines } from './table.ts';

const HEAD = ['module', 'status', 'progress', 'loop', 'title', 'directory'];
const MAX_CELL = 200;

export function moduleTable(modules: readonly Module[], cut: boolean): string[] {
  const rows = modules.map((module) => [
    module.id,
    moduleStatusText(module),
    progressText(module) || '-',
    module.loop?.session_name ?? '-',
    oneLine(module.title, MAX_CELL),
    oneLine(module.path, MAX_CELL),
  ]);
  const more = 'There is more below the roots; narrow LOOPWATCH_ROOTS to see all of it.';
  return [...tableLines(HEAD, rows), ...(cut ? ['', more] : [])];
}

export function moduleLines(module: ModuleDetail): string[] {
  const { target, files, signal, loop, more_files } = module;
  const facts: [string, string][] = [
    ['title', module.title],
    ['status', moduleStatusText(module)],
    ['problem', module.problem ?? ''],
    ['progress', progressText(module)],
    ['branch', module.branch],
    ['loop', loop === null ? 'none' : `${loop.session_name} (${loop.status})`],
    ['signal', signal === null ? '' : `${signal.step} ${signal.result}, next ${signal.next}`],
    ['stop', module.is_stop_requested ? 'requested' : ''],
    ['directory', module.path],
  ];
  const texts = [{ ...target, name: '.target.md', cut: false }, ...files];
  return [
    ...facts
      .filter(([, text]) => text !== '')
      .map(([name, text]) => `${name.padEnd(9)} ${oneLine(text, MAX_CELL)}`),
    ...texts.flatMap(({ name, text, problem, cut }) => [
      '',
      `== ${oneLine(name, MAX_CELL)}${cut ? ' (only the end)' : ''}`,
      text === null ? (problem ?? 'No such file.') : plainText(text).trimEnd(),
    ]),
    ...(more_files === 0 ? [] : ['', `${more_files} more files in .test and .analysis`]),
  ];
}
