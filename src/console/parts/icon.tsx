/** The paths of the icons, drawn on 24 × 24 with a stroke. */
const PATHS = {
  today: 'M4 6h16M4 12h16M4 18h10',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.3 2.7-6 6-6s6 2.7 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c1.8.9 3 2.8 3 5.5',
  groups: 'M4 5h16v14H4zM4 10h16M9 3v4M15 3v4',
  week: 'M4 5h16v14H4zM4 9.5h16M9.3 9.5V19M14.7 9.5V19',
  money: 'M3 6h18v12H3zM3 10h18M7 15h3',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  chart: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  find: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 17a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4',
  menu: 'M4 6h16M4 12h16M4 18h16',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.6-7 8-7s8 3 8 7',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2z',
  plus: 'M12 5v14M5 12h14',
  minus: 'M6 12h12',
  tick: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  warning: 'M12 3l10 18H2zM12 10v5M12 18v.5',
  offline:
    'M3 3l18 18M5 12.5a10 10 0 0 1 3.5-2.2M2 9a15 15 0 0 1 4-2.4M19 12.5a10 10 0 0 0-5-2.8M22 9a15 15 0 0 0-12-3.8M9 16a5 5 0 0 1 6 0M12 20v.1',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  eyeOff:
    'M3 3l18 18M10 5.3A10 10 0 0 1 12 5c6 0 10 7 10 7a17 17 0 0 1-3 3.6M6.5 6.5A17 17 0 0 0 2 12s4 7 10 7a10 10 0 0 0 5.4-1.6M10 10a3 3 0 0 0 4 4',
  forward: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  down: 'M5 9l7 7 7-7',
  up: 'M5 15l7-7 7 7',
  more: 'M4 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0zM11 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0zM18 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0z',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  play: 'M7 4.5v15l12-7.5z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  note: 'M5 4h14v16H5zM8 9h8M8 13h8M8 17h4',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
  keys: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10M19 10h.01',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  out: 'M14 4h5v16h-5M3 12h11M10 8l4 4-4 4',
} as const

export type IconName = keyof typeof PATHS

const TURNING: readonly IconName[] = ['forward', 'back', 'out']

/** A drawing beside words, or in a button that has a label: it says nothing to a screen reader. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className={TURNING.includes(name) ? 'icon turns' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
