import { Resolver } from 'node:dns/promises'
import type { TxtProblem, TxtRecords } from './port.ts'

/** For the whole lookup, with all tries and all name servers. */
const DEADLINE_MILLIS = 5000

/** Node's own codes of the resolver; every other one is an answer that is no use. */
const PROBLEMS: Readonly<Record<string, TxtProblem>> = {
  ENOTFOUND: 'no_name',
  ENODATA: 'no_record',
  ETIMEOUT: 'no_answer',
  ECANCELLED: 'no_answer',
  ECONNREFUSED: 'no_answer',
}

interface Settings {
  /** Addresses with ports. Default: the name servers of this machine. */
  servers?: readonly string[]
  deadlineMillis?: number
}

/**
 * Queries name servers directly. The system's own lookup knows no TXT records, and would occupy threads for as long as
 * a name server likes.
 */
export const txtByNameServers = ({ servers, deadlineMillis = DEADLINE_MILLIS }: Settings = {}): TxtRecords => ({
  lookUp: async (name) => {
    const resolver = new Resolver({ timeout: Math.ceil(deadlineMillis / 3), tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const deadline = setTimeout(() => resolver.cancel(), deadlineMillis)
    try {
      return { values: (await resolver.resolveTxt(name)).map((strings) => strings.join('')) }
    } catch (error) {
      return { problem: PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'server_failed' }
    } finally {
      clearTimeout(deadline)
    }
  },
})
