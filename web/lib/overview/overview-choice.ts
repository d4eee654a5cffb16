/** What the overview shows, kept in its URL for reloads and shared links, and its layout. */
import { SECTIONS, type SectionName } from './sections.ts';

export interface OverviewChoice {
  /** One section alone, or all. */
  show: SectionName | null;
  search: string;
}

/** Ignores unknown values. */
export function readChoice(query: URLSearchParams): OverviewChoice {
  const show = query.get('show');
  return {
    show: SECTIONS.find((name) => name === show) ?? null,
    search: (query.get('q') ?? '').slice(0, 200),
  };
}

/** Empty when everything is shown. */
export function writeChoice({ show, search }: OverviewChoice): string {
  const query = new URLSearchParams();
  if (show !== null) query.set('show', show);
  if (search.trim() !== '') query.set('q', search.trim());
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

export const OVERVIEW_MODES = ['tiles', 'large', 'list'] as const;
export type OverviewMode = (typeof OVERVIEW_MODES)[number];

export const MODE_TEXT: Record<OverviewMode, string> = {
  tiles: 'Tiles',
  large: 'Large',
  list: 'List',
};
