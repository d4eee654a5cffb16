/** What the overview shows, kept in its URL for reloads and shared links, and its layout. */
import { readHost } from '$lib/state/host-path.ts';
import { SECTIONS, type SectionName } from './section-name.ts';

export interface OverviewChoice {
  /** One section alone, or all. */
  show: SectionName | null;
  search: string;
  group: Grouping;
  /** The work of one host alone, or of all. */
  host: string | null;
}

export const GROUPINGS = ['state', 'project', 'person'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const GROUPING_TEXT: Record<Grouping, string> = {
  state: 'By state',
  project: 'By project',
  person: 'By person',
};

/** Ignores unknown values. */
export function readChoice(query: URLSearchParams): OverviewChoice {
  const show = query.get('show');
  return {
    show: SECTIONS.find((name) => name === show) ?? null,
    search: (query.get('q') ?? '').slice(0, 200),
    group: GROUPINGS.find((name) => name === query.get('group')) ?? 'state',
    host: readHost(query),
  };
}

/** Empty when everything is shown. */
export function writeChoice({ show, search, group, host }: OverviewChoice): string {
  const query = new URLSearchParams();
  if (show !== null) query.set('show', show);
  if (search.trim() !== '') query.set('q', search.trim());
  if (group !== 'state') query.set('group', group);
  if (host !== null) query.set('host', host);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** How close tiles are to each other. */
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

export const OVERVIEW_MODES = ['tiles', 'large', 'list'] as const;
export type OverviewMode = (typeof OVERVIEW_MODES)[number];

export const MODE_TEXT: Record<OverviewMode, string> = {
  tiles: 'Tiles',
  large: 'Large',
  list: 'List',
};
