/** The page of the console that leads on to what a message is about, for whoever opens it. */
export const OPEN = '/open'

/** @param about the key of the message's text @param ids those of the records that it is about, by name */
export const openPath = (about: string, ids: Readonly<Record<string, string>>): string =>
  `${OPEN}?${new URLSearchParams({ about, ...ids }).toString()}`
