import ipaddr from 'ipaddr.js'
import type { Answer, Question } from 'dns-packet'
import type { Network } from './port.ts'

/** Seconds for which others keep an address (RFC 6762, section 10). */
export const TTL = 120
/** Whoever asks as of a name server keeps it for at most ten seconds (section 6.7). */
const TTL_FOR_PLAIN_ASKERS = 10

/** What a machine is called on one of its networks: each network is told the address there. */
export const recordsOf = (name: string, { address, ipv6 }: Network, ttl = TTL): Answer[] => [
  { name, type: 'A', ttl, flush: true, data: address },
  ...ipv6.map((data): Answer => ({ name, type: 'AAAA', ttl, flush: true, data })),
]

/** Every type: the types of dns-packet leave it out. */
export const ANY = 'ANY' as unknown as Question['type']

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Says that there is no other type of the name: who asks for the missing one would wait for it (section 6.1). */
const noOther = (name: string, types: string[]): Answer => ({
  name,
  type: 'NSEC',
  ttl: TTL,
  flush: true,
  data: { nextDomain: name, rrtypes: types },
})

export interface Reply {
  answers: Answer[]
  additionals?: Answer[]
  /** Present for who asks as of a name server, and gets the reply alone. */
  questions?: Question[]
}

/**
 * What a query gets for an answer on a network.
 * @param isPlain whoever does not ask from the port of multicast DNS understands only a plain answer
 * @returns undefined: it does not ask for the name, or knows the answer
 */
export const replyTo = (
  { questions = [], answers: known = [] }: { questions?: Question[] | undefined; answers?: Answer[] | undefined },
  { name, network, isPlain }: { name: string; network: Network; isPlain: boolean },
): Reply | undefined => {
  const asked = questions.filter((one) => sameName(one.name, name) && ['A', 'AAAA', ANY].includes(one.type))
  if (asked.length === 0) return undefined
  const all = recordsOf(name, network)
  const wanted = all.filter(({ type }) => asked.some((one) => one.type === ANY || one.type === type))
  if (isPlain) {
    const plain = wanted.map((one) => ({ ...one, flush: false, ttl: TTL_FOR_PLAIN_ASKERS }) as Answer)
    return { answers: plain, questions: asked }
  }
  const isKnown = (one: Answer): boolean =>
    known.some(
      (other) =>
        other.type === one.type &&
        sameName(other.name, name) &&
        'data' in other &&
        'data' in one &&
        other.data === one.data &&
        'ttl' in other &&
        (other.ttl ?? 0) >= TTL / 2,
    )
  const fresh = wanted.filter((one) => !isKnown(one))
  if (wanted.length > 0 && fresh.length === 0) return undefined
  return { answers: wanted.length === 0 ? [noOther(name, [...new Set(all.map(({ type }) => type))])] : fresh }
}

/** Addresses in records of the name that are nobody's of this machine: another has the name, or wants it. */
export const othersOf = (records: readonly Answer[], name: string, own: readonly string[]): string[] =>
  records.flatMap((one) =>
    (one.type === 'A' || one.type === 'AAAA') &&
    sameName(one.name, name) &&
    (one.ttl ?? TTL) > 0 &&
    !own.includes(one.data)
      ? [one.data]
      : [],
  )

const bytesOf = (address: string): readonly number[] => ipaddr.parse(address).toByteArray()

/** Of two that want a name at the same moment, the one with the later address gets it (section 8.2). */
export const yieldsTo = (own: string, other: string): boolean => {
  const [mine, theirs] = [bytesOf(own), bytesOf(other)]
  if (mine.length !== theirs.length) return false
  const at = theirs.findIndex((byte, index) => byte !== mine[index])
  return at !== -1 && (theirs[at] ?? 0) > (mine[at] ?? 0)
}

/** Whether an address is in this network: a machine hears what all its networks say. */
export const isOnLink = (address: string, { cidr }: Network): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const [range, bits] = ipaddr.parseCIDR(cidr)
  return parsed.kind() === range.kind() && parsed.match(range, bits)
}
