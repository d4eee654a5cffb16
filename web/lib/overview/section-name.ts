import type { BadgeStyle } from '$lib/ui/tone.ts';

/** In the order of the page. */
export const SECTIONS = ['needs', 'waiting', 'working', 'done', 'idle'] as const;
export type SectionName = (typeof SECTIONS)[number];

export const SECTION_STYLE: Record<SectionName, BadgeStyle> = {
  needs: { label: 'Needs you', tone: 'fail', mark: 'half' },
  waiting: { label: 'Waiting', tone: 'wait', mark: 'clock' },
  working: { label: 'Working', tone: 'work', mark: 'disc' },
  done: { label: 'Done recently', tone: 'good', mark: 'tick' },
  idle: { label: 'Idle', tone: 'idle', mark: 'dash' },
};
