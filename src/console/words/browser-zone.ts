const FALLBACK = 'Asia/Jerusalem'

/** The time zone of this browser. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || FALLBACK
