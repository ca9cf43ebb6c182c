/** The addresses in what was typed or pasted: on lines, with commas, as "Name <address>". */
export const addressesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\s,;،؛]+/)
      .map((word) => word.replaceAll(/^[<"'(]+|[>"')]+$/g, '').toLowerCase())
      .filter((word) => word.includes('@')),
  ),
]

/** The origin of what was typed as the address of a website; undefined: it is none. */
export const originOf = (typed: string): string | undefined => {
  const text = typed.trim()
  try {
    // Not URL.parse, which browsers of 2023 lack.
    const { hostname, origin } = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`)
    return /[.]|^localhost$/.test(hostname) ? origin : undefined
  } catch {
    return undefined
  }
}

/** Whether the address of a server goes on behind its host. */
export const hasPath = (typed: string): boolean => /^https?:\/\/[^/]+\/[^/?#]/i.test(typed.trim())

/** With and without www. are two websites for a browser, and one for people. */
export const bothNames = (origin: string): string[] => {
  const { protocol, host } = new URL(origin)
  if (!/[a-z]/i.test(host) || host.startsWith('localhost')) return [origin]
  const bare = host.replace(/^www\./, '')
  return [origin, ...[`${protocol}//${bare}`, `${protocol}//www.${bare}`].filter((one) => one !== origin)]
}
