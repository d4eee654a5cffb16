/** The report as Markdown: its one form as text. Pure. */
import type { Report, ReportUnit } from '../../shared/schema/usage/report.ts';
import { countText } from '../../shared/words/count-text.ts';
import {
  branchText,
  NEED_TEXT,
  proofText,
  REPORT_KIND_TEXT,
  secondsText,
  totalsText,
  unitReason,
  unitState,
  usedText,
  wordText,
} from '../../shared/words/work/report-text.ts';
import { codeSpan, inlineText } from '../lib/markdown-text.ts';

const MAX_FILES = 5;

/** `base` is the address of the daemon's page, without a slash at its end; `time` writes a time. */
export function reportMarkdown(
  report: Report,
  { base, time }: { base: string; time: (iso: string) => string },
): string {
  const link = (text: string, path: string | null) =>
    path === null ? text : `[${text}](${base}${path})`;
  const cost = usedText(report.totals.used);
  const parts = [
    `# Report: ${time(report.since)} to ${time(report.until)}`,
    firstNeed(report, link),
    `${totalsText(report)}${cost === null ? '' : `, ${cost}`}. Time: ${secondsText(report.totals.seconds)}.`,
    ...section('What needs you', needLines(report, link)),
    ...section('Anomalies', anomalyLines(report, link)),
    ...report.units.map((unit) => unitText(unit, link, time)),
    ...section('Files that several branches change', overlapLines(report)),
    ...section('Merge order', orderLines(report)),
  ];
  return `${parts.join('\n\n')}\n`;
}

type Link = (text: string, path: string | null) => string;

function firstNeed({ needs: [first] }: Report, link: Link): string {
  if (first === undefined) return '**Nothing needs you.**';
  const title = link(inlineText(first.title), first.link);
  return `**${NEED_TEXT[first.kind]} first: ${title}**  \n${inlineText(first.next)}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}`];
}

function needLines({ needs }: Report, link: Link): string[] {
  return needs.map(({ kind, title, next, blocks, link: path }, index) => {
    const more = blocks === 0 ? '' : ` ${countText(blocks, 'other item')} waits for it.`;
    return `${index + 1}. ${NEED_TEXT[kind]}: ${link(inlineText(title), path)}. ${inlineText(next)}${more}`;
  });
}

function anomalyLines({ anomalies }: Report, link: Link): string[] {
  return anomalies.map(({ text, link: path }) => `- ${link(inlineText(text), path)}`);
}

function unitText(unit: ReportUnit, link: Link, time: (iso: string) => string): string {
  const { kind, name, asked, links, used, branches, branches_error, seconds, restarts } = unit;
  const reason = unitReason(unit);
  const word = wordText(unit);
  const proof = proofText(unit);
  const cost = usedText(used.interval);
  const total = usedText(used.total);
  const state = [unitState(unit).label, ...(reason === null ? [] : [reason])].join(': ');
  const ended = unit.closed_at === null ? '' : ` at ${time(unit.closed_at)}`;
  const facts = [
    `${link(state, links.state)}${ended}${word === null ? '' : `, ${inlineText(word)}`}`,
    ...(unit.error === null ? [] : [`Error: ${inlineText(unit.error)}`]),
    ...(proof === null ? [] : [link(inlineText(proof), links.proof)]),
    ...branches.map(
      (each) => `${codeSpan(each.branch)}: ${link(branchText(each), links.branches)}`,
    ),
    ...(branches_error === null ? [] : [`Branch: ${inlineText(branches_error)}`]),
    `Time: ${secondsText(seconds)}${restarts === 0 ? '' : `, ${countText(restarts, 'restart')}`}`,
    ...(total === null
      ? []
      : [`Cost: ${link(`${cost ?? '$0.00'}, ${total} in total`, links.used)}`]),
    ...(unit.complete ? [] : ['It began before the log does.']),
  ];
  const title = `## ${REPORT_KIND_TEXT[kind]} ${link(inlineText(name), links.itself)}`;
  const ask = asked === null ? [] : [`> ${inlineText(asked)}`];
  return [title, ...ask, facts.map((fact) => `- ${fact}`).join('\n')].join('\n\n');
}

function overlapLines({ overlaps }: Report): string[] {
  return overlaps.map(({ branches, files, count }) => {
    const shown = files.slice(0, MAX_FILES).map((file) => codeSpan(file));
    const more = count > shown.length ? ` and ${count - shown.length} more` : '';
    return `- ${branches.map((each) => codeSpan(each)).join(' and ')}: ${shown.join(', ')}${more}`;
  });
}

function orderLines({ merge_orders: orders }: Report): string[] {
  return orders.flatMap(({ repository, steps }) => [
    `${codeSpan(repository)}:`,
    '',
    ...steps.map(({ branch, proven, after }, index) => {
      const shares = after.map((each) => codeSpan(each)).join(', ');
      const why = after.length === 0 ? '' : `; changes the same files as ${shares}`;
      return `${index + 1}. ${codeSpan(branch)} (${proven ? 'verified' : 'unverified'}${why})`;
    }),
    '',
  ]);
}
