/** How the sessions are laid out. */
export const OVERVIEW_MODES = ['tiles', 'large', 'list'] as const;
export type OverviewMode = (typeof OVERVIEW_MODES)[number];

export const MODE_TEXT: Record<OverviewMode, string> = {
  tiles: 'Tiles',
  large: 'Large',
  list: 'List',
};
