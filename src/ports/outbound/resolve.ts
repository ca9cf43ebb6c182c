import { lookup, Resolver } from 'node:dns/promises'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Returns all addresses of a name; rejects or returns none when there are none. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

/** Resolves a name like other programs on this machine: hosts file, local network names, name servers. */
export const resolveAsSystem: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' })

/**
 * Queries the name servers directly (default: those of the system). The system's lookup uses the thread pool that also
 * hashes passwords and reads files, and it may occupy threads for as long as a name server likes. Where strangers
 * choose the names, one slow name server would delay all deliveries.
 */
export function resolveByNameServers(servers?: readonly string[]): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: 1500, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    )
  }
}

/** Sends one query at a time for each name: concurrent callers share its result. */
export function sharingLookups(resolve: Resolve): Resolve {
  const pending = new Map<string, Promise<readonly ResolvedAddress[]>>()
  return (host) => {
    const answer = pending.get(host) ?? resolve(host).finally(() => pending.delete(host))
    pending.set(host, answer)
    return answer
  }
}
