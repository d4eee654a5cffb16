/** What the overview shows, as its address says it (a reload or a shared link shows the same), and how. */
import { SECTIONS, type SectionName } from './sections.ts';

export interface OverviewChoice {
  /** One section alone, or all. */
  show: SectionName | null;
  search: string;
}

/** Takes the query of an address; gives the choice. What it does not know is left out. */
export function readChoice(query: URLSearchParams): OverviewChoice {
  const show = query.get('show');
  return {
    show: SECTIONS.find((name) => name === show) ?? null,
    search: (query.get('q') ?? '').slice(0, 200),
  };
}

/** Takes a choice; gives the query of its address, empty when everything is shown. */
export function writeChoice({ show, search }: OverviewChoice): string {
  const query = new URLSearchParams();
  if (show !== null) query.set('show', show);
  if (search.trim() !== '') query.set('q', search.trim());
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** How the sessions are laid out. */
export const OVERVIEW_MODES = ['tiles', 'large', 'list'] as const;
export type OverviewMode = (typeof OVERVIEW_MODES)[number];

export const MODE_TEXT: Record<OverviewMode, string> = {
  tiles: 'Tiles',
  large: 'Large',
  list: 'List',
};
