/** The first message of a task. Pure: facts from the disk are passed in. */
import type { EndCriteria } from '../../../shared/schema/tasks/end-criteria.ts';
import type { ProjectMarkers } from '../../projects/project-markers.ts';
import { projectKinds } from '../../projects/project-type.ts';
import { type KnownPath, withoutAbsolutePaths } from './without-absolute-paths.ts';

export interface StartProject {
  /** Its name among the others: the last part of its path. */
  name: string;
  access: 'write' | 'read';
  context: string;
  /** Null without its own branch. */
  branch: string | null;
  base: string | null;
  markers: ProjectMarkers | null;
  /** As stated by the person; the host's own finding is listed too. */
  type: string | null;
  /** Every absolute path of it: the directory and its worktree, each also without links. */
  paths: readonly string[];
}

export interface StartMessage {
  description: string;
  context: string;
  criteria: EndCriteria;
  /** The first one is the current directory. */
  projects: readonly [StartProject, ...StartProject[]];
  /** The home of the user, under each of its names. */
  homes: readonly string[];
}

const CLOSING =
  'Start now and work autonomously; no one may be available to answer. When everything is done and ' +
  'you have verified that it works, say so in one line, “The task is complete.”, below a short summary under the heading “Summary”.';

/** Contains no known absolute path. */
export function startMessage(task: StartMessage): string {
  const [current, ...others] = task.projects;
  const parts = [
    task.description.trim(),
    section('Context', task.context),
    section('Where you work', here(current)),
    ...(others.length === 0
      ? []
      : [section('Other projects', others.map((one) => other(one)).join('\n\n'))]),
    section('Done when', doneWhen(task.criteria)),
    CLOSING,
  ];
  const text = withoutAbsolutePaths(parts.filter(Boolean).join('\n\n'), knownPaths(task));
  // The client would take it for one of its own commands.
  return text.startsWith('/') ? section('The task', text) : text;
}

function section(title: string, text: string): string {
  return text.trim() === '' ? '' : `## ${title}\n\n${text.trim()}`;
}

function here(project: StartProject): string {
  const is = project.access === 'read' ? 'It is read-only: do not change anything in it.' : '';
  return lines(
    `You are in the current directory (${project.name}); refer to files by paths relative to it. ${is}`.trim(),
    branchOf(project),
    kindOf(project),
    project.context,
  );
}

function other(project: StartProject): string {
  const access =
    project.access === 'read'
      ? 'read-only: read what you need, do not change anything in it'
      : 'you may change it, in its own worktree';
  return lines(
    `### ${project.name}`,
    `Access: ${access}.`,
    branchOf(project),
    kindOf(project),
    project.context,
  );
}

function branchOf({ branch, base, access }: StartProject): string {
  if (branch === null || access === 'read') return '';
  const from = base === null ? '' : `, based on \`${base}\``;
  return `Branch: \`${branch}\`${from}. Stay on it.`;
}

function kindOf({ markers, type }: StartProject): string {
  const kinds = markers === null ? [] : projectKinds(markers);
  const found =
    markers === null || kinds.length === 0
      ? ''
      : `${kinds.join(', ')} (${markers.files.join(', ')})`;
  const tests =
    markers === null || markers.tests.length === 0
      ? ''
      : `Tests are in: ${markers.tests.join(', ')}.`;
  const kind = [type ?? '', found].filter(Boolean).join('; ');
  return lines(kind === '' ? '' : `Project type: ${kind}.`, tests);
}

function doneWhen({ criteria, gates, ...limits }: EndCriteria): string {
  const most = [
    `${limits.max_iterations} turns`,
    limits.max_tokens === null ? '' : `${limits.max_tokens} output tokens`,
    limits.max_cost_usd === null ? '' : `${limits.max_cost_usd} USD`,
    limits.max_minutes === null ? '' : `${limits.max_minutes} minutes of work`,
  ].filter(Boolean);
  const checks = gates.map(({ name, command }) => `- ${name}: \`${command}\``);
  return lines(
    criteria ?? 'Every point of the description above is fulfilled.',
    checks.length === 0
      ? ''
      : `These commands run in a clean checkout of your last commit and must succeed:\n${checks.join('\n')}`,
    `You have at most ${most.join(', ')}.`,
  );
}

function lines(...texts: string[]): string {
  return texts
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n');
}

function knownPaths({ projects, homes }: StartMessage): KnownPath[] {
  const [current, ...others] = projects;
  return [
    ...current.paths.map((path) => ({ path, name: 'the current directory', prefix: './' })),
    ...others.flatMap(({ name, paths }) =>
      paths.map((path) => ({ path, name: `the project ${name}`, prefix: `${name}/` })),
    ),
    ...homes.map((path) => ({ path, name: '~', prefix: '~/' })),
  ];
}
