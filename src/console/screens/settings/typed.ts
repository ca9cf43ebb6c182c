import { isLoopback } from '../../parts/link-for-others.ts'

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

/**
 * Where people should be sent in place of an address that does not lead to the server any more; undefined: it does, or it
 * is not known, or no better one is known.
 * @param opened at which the page was opened
 */
export const addressToSet = (
  { url, whose, here }: { url: string; whose: string; here: readonly string[] },
  opened: string,
): string | undefined => {
  if (whose !== 'strange' && (whose !== 'loopback' || isLoopback(opened))) return undefined
  const wanted = isLoopback(opened) ? here[0] : opened
  return wanted === url ? undefined : wanted
}

/** With and without www. are two websites for a browser, and one for people. */
export const bothNames = (origin: string): string[] => {
  const { protocol, host } = new URL(origin)
  if (!/[a-z]/i.test(host) || host.startsWith('localhost')) return [origin]
  const bare = host.replace(/^www\./, '')
  return [origin, ...[`${protocol}//${bare}`, `${protocol}//www.${bare}`].filter((one) => one !== origin)]
}
