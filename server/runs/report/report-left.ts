/** The part of a report about what is left: open items, failed checks, work to merge. Pure. */
import { quoted } from '../../../shared/rules/text/quoted.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { codeBlock, codeSpan, inlineText } from '../../lib/markdown-text.ts';
import { lastChecks, type RunFacts } from './run-facts.ts';

/** Of each kind; the rest are counted. */
const MAX_LISTED = 20;

export function whatIsLeft(facts: RunFacts): string {
  const { plan, checks } = facts;
  const open = (plan?.items ?? []).filter(({ done }) => !done);
  const failed = lastChecks(checks).filter(({ status }) => status === 'failed');
  const dirty = (facts.diff?.files ?? []).filter((file) => file.dirty);
  const parts = [
    unproven(facts),
    listed(
      'Open in the plan',
      open.map(({ text }) => inlineText(text)),
    ),
    listed(
      'Failed checks',
      failed.map(({ name }) => codeSpan(name)),
    ),
    listed(
      'Not committed',
      dirty.map(({ path }) => codeSpan(path, 4_096)),
    ),
    listed(
      'Refused by the permissions',
      facts.denied.map((call) => codeSpan(call, 300)),
    ),
    toMerge(facts),
  ].filter(Boolean);
  return parts.length === 0 ? 'Nothing.' : parts.join('\n\n');
}

/** What no list below can name: the work of a run that did not come to its end. */
function unproven({ run, plan }: RunFacts): string {
  if (run.status === 'done') return '';
  return plan === null
    ? 'All of it: the run ended before it had a plan.'
    : 'The run ended before its work was verified.';
}

function listed(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const more = items.length - MAX_LISTED;
  const lines = items.slice(0, MAX_LISTED).map((item) => `- ${item}`);
  const rest = more > 0 ? [`- and ${countText(more, 'more', 'more')}`] : [];
  return `${title}:\n\n${[...lines, ...rest].join('\n')}`;
}

function toMerge({ run, diff }: RunFacts): string {
  const { id, branch, base, merged_into, options } = run;
  if (branch === null || merged_into !== null || diff?.files.length === 0) return '';
  const into = options.merge_into ?? base ?? diff?.base ?? 'BRANCH';
  const command = `loopwatch run merge ${id} --into ${word(into)}`;
  const why = `Branch ${codeSpan(branch)} is not merged. This merges it once its checks pass on the result:`;
  return `${why}\n\n${codeBlock(command, 'sh')}`;
}

function word(text: string): string {
  return /^[\w./][\w./-]*$/.test(text) ? text : quoted(text);
}
