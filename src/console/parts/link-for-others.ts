/** Whether an address, without what follows its host, opens on its own computer alone. */
export const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/i.test(origin)

interface ForOthers {
  link: string
  /** Whether nobody can open it on another computer. */
  isHereAlone: boolean
}

/**
 * A link to be given to somebody else: one that would open on this computer alone leads to where others reach it.
 * @param opened at which the page was opened
 * @param here where others of the network reach the server, as far as it knows
 */
export const linkForOthers = (link: string, opened: string, here: readonly string[]): ForOthers => {
  // Not URL.parse, which browsers of 2023 lack.
  const { origin } = new URL(link)
  if (!isLoopback(origin)) return { link, isHereAlone: false }
  const reached = isLoopback(opened) ? here[0] : opened
  return reached === undefined
    ? { link, isHereAlone: true }
    : { link: reached + link.slice(origin.length), isHereAlone: false }
}
