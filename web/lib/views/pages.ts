import type { IconName } from '$lib/ui/icons.ts';

export interface PageLink {
  path:
    | '/'
    | '/tasks'
    | '/runs'
    | '/modules'
    | '/inbox'
    | '/history'
    | '/report'
    | '/usage'
    | '/events'
    | '/alerts'
    | '/checks'
    | '/people';
  label: string;
  icon: IconName;
  /** The key after `g`. */
  key: string;
}

/** In the order of the navigation. The first four are the tabs of a phone. */
export const PAGES: readonly PageLink[] = [
  { path: '/', label: 'Overview', icon: 'grid', key: 'o' },
  { path: '/inbox', label: 'Inbox', icon: 'inbox', key: 'i' },
  { path: '/tasks', label: 'Tasks', icon: 'task', key: 't' },
  { path: '/runs', label: 'Runs', icon: 'phases', key: 'r' },
  { path: '/modules', label: 'Modules', icon: 'folder', key: 'm' },
  { path: '/history', label: 'History', icon: 'history', key: 'h' },
  { path: '/report', label: 'Report', icon: 'sunrise', key: 'n' },
  { path: '/usage', label: 'Usage', icon: 'gauge', key: 'u' },
  { path: '/events', label: 'Events', icon: 'list', key: 'e' },
  { path: '/alerts', label: 'Alerts', icon: 'bell', key: 'a' },
  { path: '/checks', label: 'Checks', icon: 'check', key: 'c' },
  { path: '/people', label: 'People', icon: 'people', key: 'p' },
];
