/** `loopwatch completion`: commands, options and live names at the Tab key. */
import { Argument, type Command } from 'commander';
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { request } from '../client.ts';
import { choices } from '../command-parts.ts';
import { print, printRaw } from '../print/print.ts';
import { type Candidate, complete, type LiveKind } from './candidates.ts';
import { SCRIPTS, type Shell, SHELLS } from './shell-scripts.ts';

/** A daemon that does not answer must not hold up the person who pressed Tab. */
const LIVE_WITHIN_MS = 1_000;
const ALL = '1000';
const MAX_ABOUT = 80;

export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .addArgument(choices(new Argument('<shell>'), SHELLS))
    .action((shell: Shell) => printRaw(SCRIPTS[shell]));

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { candidates, live, paths } = complete(program, words);
      const typed = words.at(-1) ?? '';
      const names = live === null ? [] : await liveNames(live).catch(() => []);
      const fitting = names.filter(({ value }) => value.startsWith(typed));
      print([...candidates, ...fitting].map(({ value, about }) => `${value}\t${about}`));
      if (paths !== null) print(`:${paths}`);
    });
}

async function liveNames(kind: LiveKind): Promise<Candidate[]> {
  const signal = AbortSignal.timeout(LIVE_WITHIN_MS);
  switch (kind) {
    case 'session': {
      const { sessions } = await request('listSessions', {}, signal);
      return sessions.map(({ name, cwd }) => candidate(name, cwd));
    }
    case 'loop': {
      const { loops } = await request('listAuto', {}, signal);
      return loops.map(({ session_name, task_dir }) => candidate(session_name, task_dir ?? ''));
    }
    case 'task': {
      const tasks = await request('listTasks', { query: { limit: ALL } }, signal);
      return tasks.map(({ task_name, description }) => candidate(task_name, description));
    }
    case 'run': {
      const { openCheckpoints } = await import('../../checkpoints/library.ts');
      const { sessions } = await openCheckpoints().list();
      return sessions.map(({ session_id, prompt }) => candidate(session_id, prompt));
    }
    case 'item': {
      const { items } = await request('listAttention', { query: { limit: ALL } }, signal);
      return items.map(({ id, title }) => candidate(id, title));
    }
    case 'alert': {
      const { alerts } = await request('listAlerts', {}, signal);
      return byName(alerts);
    }
    case 'member': {
      const { people } = await request('listPeople', {}, signal);
      return people.map(({ name, role }) => candidate(name, role));
    }
    case 'prompt': {
      const prompts = await request('listPrompts', { query: { limit: ALL } }, signal);
      return byName(prompts.map(({ id, title }) => ({ id, name: title })));
    }
    case 'module': {
      const { modules } = await request('listModules', {}, signal);
      return modules.map(({ id, path }) => candidate(id, path));
    }
  }
}

/** By its name, unless another has the same. */
function byName(all: readonly { id: string; name: string }[]): Candidate[] {
  const isOnly = (wanted: string) => all.filter(({ name }) => name === wanted).length === 1;
  return all.map(({ id, name }) => (isOnly(name) ? candidate(name, id) : candidate(id, name)));
}

function candidate(value: string, about: string): Candidate {
  return { value, about: oneLine(about, MAX_ABOUT) };
}
