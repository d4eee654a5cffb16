/** Which section of the overview a found session is in, and what a search finds. Pure. */
import { type SectionName, SECTIONS, SECTION_STYLE } from '$lib/overview/section-name.ts';
import { agentSection, emptySections } from '$lib/overview/sections.ts';
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { FoundSession } from '$shared/schema/agents/found.ts';
import { agentText } from '$shared/words/sessions/agent-text.ts';
import { activityOf, CLIENT_TEXT, folderOf, placeText } from '$shared/words/sessions/found-text.ts';
import { reasonText } from '$shared/words/reason-text.ts';

export interface FoundTile {
  /** Null: on the host of the page. */
  readonly host: string | null;
  readonly session: FoundSession;
  readonly section: SectionName;
  /** Its open inbox items, oldest first. */
  readonly items: readonly AttentionItem[];
}

export type FoundSections = Readonly<Record<SectionName, readonly FoundTile[]>>;

/** Its own name, else its project's. */
export function nameOf({ name, project }: Pick<FoundSession, 'name' | 'project'>): string {
  return name ?? folderOf(project);
}

/** The found sessions of a host, and its open inbox items. */
interface FoundOn {
  host: string | null;
  sessions: readonly FoundSession[];
  inbox: readonly AttentionItem[];
}

/**
 * The sessions that contain every word of the query. In each section the one longest in its state
 * comes first.
 */
export function groupFound(onHosts: readonly FoundOn[], query: string): FoundSections {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = emptySections<FoundTile>();
  for (const { host, sessions, inbox } of onHosts) {
    const about = inbox.filter(({ subject }) => subject.kind === 'found');
    for (const session of sessions) {
      const items = about.filter(({ subject }) => subject.id === session.id);
      const section = items.length > 0 ? 'needs' : agentSection(session.agent.state);
      const tile = { host, session, section, items };
      const text = textOf(tile);
      if (words.every((word) => text.includes(word))) sections[section].push(tile);
    }
  }
  for (const name of SECTIONS) {
    sections[name].sort((a, b) => a.session.agent.since.localeCompare(b.session.agent.since));
  }
  return sections;
}

function textOf({ session, section, items }: FoundTile): string {
  const { agent, cwd, branch, transcript } = session;
  const parts = [
    nameOf(session),
    cwd,
    branch,
    String(session.pid),
    placeText(session),
    CLIENT_TEXT[session.client],
    SECTION_STYLE[section].label,
    `${agentText(agent.state, agent.cause)} ${agent.detail ?? ''}`,
    activityOf(transcript),
    ...items.map(({ reason, title }) => `${reasonText(reason).label} ${title}`),
  ];
  return parts.filter(Boolean).join('\n').toLowerCase();
}
