import { lookup, Resolver } from 'node:dns/promises'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Every address of a name; rejects, or gives none, when there is none. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

/** As any program on this machine resolves names: hosts file, local network names, name servers. */
export const resolveAsSystem: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' })

/**
 * Asks the name servers (default: the system's) directly. The system's lookup runs on the thread
 * pool that password hashing and files use, two at a time and for as long as the name server likes:
 * where strangers choose the names, one slow name server would hold up everybody's deliveries.
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

/** One question at a time for each name: those who ask meanwhile share its answer. */
export function sharingLookups(resolve: Resolve): Resolve {
  const pending = new Map<string, Promise<readonly ResolvedAddress[]>>()
  return (host) => {
    const answer = pending.get(host) ?? resolve(host).finally(() => pending.delete(host))
    pending.set(host, answer)
    return answer
  }
}
