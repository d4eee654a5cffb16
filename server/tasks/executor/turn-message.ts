/**
 * The text of one message: a person's part first, then the daemon's own. The first message of a
 * task consists of what people wrote and what the host finds on disk.
 */
import { basename } from 'node:path';
import type { Project } from '../../../shared/schema/tasks/project.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import { projectMarkers } from '../../projects/project-markers.ts';
import type { TurnMessage } from '../../turns/recorded-turn.ts';
import type { Message } from '../machine/task-state.ts';
import { blockQuote } from '../../turns/block-quote.ts';
import { digest } from '../../turns/digest.ts';
import { type StartMessage, startMessage, type StartProject } from '../messages/start-message.ts';
import type { EffectOptions } from './task-supervisor-options.ts';

const CONTINUE = 'Please continue the task where it was left off.';
const COMPACT = '/compact';
/** Interactions of the old conversation that seed a new one. */
const DIGEST_ENTRIES = 40;

export function turnMessage(options: EffectOptions, message: Message): TurnMessage {
  const input = message.inputId === null ? null : options.inputs.get(message.inputId);
  const own = ownText(options, message);
  const person = input?.text ?? '';
  // A slash at the beginning is a command of the client, and would swallow what follows.
  const isCommand = person.trimStart().startsWith('/') && own !== '';
  const first = isCommand ? `The user says:\n\n${person}` : person;
  const text = [first, own].filter((part) => part !== '').join('\n\n');
  return { text, images: input?.images ?? [], own, person, author: input?.author ?? null };
}

function ownText(options: EffectOptions, message: Message): string {
  const { kind, text } = message;
  switch (kind) {
    case 'input':
      return '';
    case 'start':
      return startMessage(startFacts(options));
    case 'digest':
      return handOver(options, message);
    case 'compact':
      return COMPACT;
    case 'reply':
    case 'continue':
      return text ?? CONTINUE;
  }
}

/** What a new conversation needs to continue an earlier one. */
function handOver(options: EffectOptions, { text, done = '' }: Message): string {
  const { interactions, record } = options;
  const { id, state } = record();
  return [
    startMessage(startFacts(options)),
    digest(interactions.page(id, { limit: DIGEST_ENTRIES })),
    done === '' ? '' : `## The work so far\n\n${done}`,
    state.unmet === null ? '' : `## What is missing, as last judged\n\n${blockQuote(state.unmet)}`,
    text === null ? '' : `## The answer to your last message\n\n${text}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Facts about a task whose worktrees are prepared. */
function startFacts({ worktrees, environment, record }: EffectOptions): StartMessage {
  const { id, plan } = record();
  const ownWorktrees = worktrees.of(id);
  const describe = (path: string, project: Partial<Project>): StartProject => {
    const access = project.access ?? 'write';
    const real = realDirectory(path)?.path ?? path;
    const own =
      access === 'write' ? ownWorktrees.find(({ repository }) => repository === real) : undefined;
    return {
      name: basename(path),
      access,
      context: project.context ?? '',
      branch: own?.branch ?? null,
      base: own?.base ?? null,
      markers: projectMarkers(own?.path ?? path),
      type: project.project_type ?? null,
      paths: [...names(path), ...names(own?.path)],
    };
  };
  const root = plan.projects.find(({ path }) => path === plan.rootFolder) ?? {};
  const others = plan.projects.filter(({ path }) => path !== plan.rootFolder);
  return {
    description: plan.description,
    context: plan.projectContext,
    criteria: plan.criteria,
    projects: [
      describe(plan.rootFolder, root),
      ...others.map((project) => describe(project.path, project)),
    ],
    homes: names(environment['HOME']),
  };
}

/** A directory as named, and without links. */
function names(path: string | undefined): string[] {
  if (path === undefined || path === '') return [];
  const real = realDirectory(path)?.path ?? path;
  return real === path ? [path] : [path, real];
}
