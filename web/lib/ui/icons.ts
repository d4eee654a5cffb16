/** Outlines on a grid of 20, with a stroke of 1.5. One name for one meaning on every page. */
export const ICONS = {
  grid: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z',
  inbox: 'M3 11.5 5.2 4h9.6L17 11.5v4.5H3zM3 11.5h4.2a2.8 2.8 0 0 0 5.6 0H17',
  history: 'M4.2 6.5A7 7 0 1 1 3 10.5M3.5 3.5v3.4h3.4M10 6.5V10l2.6 1.8',
  list: 'M7.5 5h9M7.5 10h9M7.5 15h9M3.5 5h.6M3.5 10h.6M3.5 15h.6',
  bell: 'M5.5 14V9a4.5 4.5 0 0 1 9 0v5M3.5 14h13M8.6 16.8h2.8',
  check: 'M10 2.8 16.2 5v4.6c0 3.6-2.5 6.3-6.2 7.6-3.7-1.3-6.2-4-6.2-7.6V5zM7.3 9.8l2 2 3.5-3.8',
  people:
    'M7.5 9.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM2.5 16.2c.4-2.8 2.3-4.3 5-4.3s4.6 1.5 5 4.3M13 4.2a2.6 2.6 0 0 1 0 5.1M14.5 12.2c1.8.5 2.8 1.9 3 4',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.3 13.3 17 17',
  play: 'M6 3.8v12.4L16 10z',
  stop: 'M5 5h10v10H5z',
  pause: 'M7 4.5v11M13 4.5v11',
  plus: 'M10 4v12M4 10h12',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h9.5v9.5H7zM4.5 13H3.5V3.5H13v1',
  link: 'M8.5 11.5a3 3 0 0 0 4.3.2l2.6-2.6a3 3 0 0 0-4.2-4.2L10 6M11.5 8.5a3 3 0 0 0-4.3-.2l-2.6 2.6a3 3 0 0 0 4.2 4.2L10 14',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.6M9.7 8.5h.6M13.9 8.5h.6M6.5 11.5h7',
  more: 'M5 10h.6M9.7 10h.6M14.4 10h.6',
  down: 'm5 7.5 5 5 5-5',
  up: 'm5 12.5 5-5 5 5',
  minus: 'M4 10h12',
  expand: 'M8 3.5H3.5V8M3.5 3.5 8 8M12 16.5h4.5V12M16.5 16.5 12 12',
  collapse: 'M3.5 8H8V3.5M8 8 3.5 3.5M16.5 12H12v4.5M12 12l4.5 4.5',
  task: 'M4.5 3.5h11v13h-11zM7.3 7.8l1.2 1.2 2-2.2M12 8h1.2M7.3 12.3l1.2 1.2 2-2.2M12 12.5h1.2',
  phases: 'M3 3.5h7.5v4.5H3zM9.5 12h7.5v4.5H9.5zM5.5 8v6.2h4M8 12.6l1.6 1.6L8 15.8',
  gauge: 'M3.2 14.5a7 7 0 1 1 13.6 0M10 12.5l3-4.2M9 13.2a1.2 1.2 0 1 0 2 0',
  folder: 'M2.8 15.5v-11h5l1.7 2h7.7v9z',
} as const;

export type IconName = keyof typeof ICONS;
