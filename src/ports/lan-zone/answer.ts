import { isIPv4 } from 'node:net'
import dns, { type Answer, type DecodedPacket, type Question } from 'dns-packet'
import { isLabel } from '#kernel/basics/lan-label.ts'
import type { Zone, ZoneHost } from './port.ts'

/** Error codes of replies (RFC 1035, section 4.1.1; RFC 6891, section 9). */
const NO_ERROR = 0
const FORMAT_ERROR = 1
const SERVER_FAILURE = 2
const NO_SUCH_NAME = 3
const NOT_IMPLEMENTED = 4
const REFUSED = 5
/** The low four bits of BADVERS; the rest stands in the OPT record. */
const BAD_VERSION = { code: 0, extended: 1 }

const HEADER_BYTES = 12
const IS_REPLY = 0x8000
const OPERATION = 0x7800

/** What a reply by UDP may have without EDNS, and with it at the most: more is cut into fragments on its way. */
const PLAIN_BYTES = 512
const MOST_UDP_BYTES = 1232

/** Seconds for which others keep what they were told. An address of a laptop moves, and a challenge is gone in a minute. */
const TTL = { apex: 3600, address: 300, challenge: 5, nothing: 60 }

/** The one authority that the program orders certificates of: no other is to give one for a name of the zone. */
const AUTHORITY = 'letsencrypt.org'

const CHALLENGE_LABEL = '_acme-challenge'

interface AnswerDeps {
  zone: Zone
  find(label: string): Promise<ZoneHost | undefined>
  /** In milliseconds. */
  now(): number
}

interface Said {
  code: number
  answers: Answer[]
}

/** A question that was read, in bytes too: a reply repeats them, so that it shows the case in which they came. */
interface Asked {
  packet: DecodedPacket
  question: Question
}

const header = (message: Buffer, code: number): Buffer => {
  const reply = Buffer.alloc(HEADER_BYTES)
  message.copy(reply, 0, 0, 2)
  reply.writeUInt16BE(IS_REPLY | (message.readUInt16BE(2) & (OPERATION | dns.RECURSION_DESIRED)) | code, 2)
  return reply
}

/** What is asked for; undefined: it cannot be read, or not repeated to the byte. */
const read = (message: Buffer): Asked | undefined => {
  try {
    const packet = dns.decode(message)
    const [question, ...more] = packet.questions ?? []
    if (question === undefined || more.length > 0) return undefined
    const again = dns.encode({ questions: [question] }).subarray(HEADER_BYTES)
    return message.subarray(HEADER_BYTES, HEADER_BYTES + again.length).equals(again) ? { packet, question } : undefined
  } catch {
    return undefined
  }
}

const optOf = ({ additionals = [] }: DecodedPacket) => additionals.find((one) => one.type === 'OPT')

/** The part of a name before the zone's, in lower case; '': the zone itself; undefined: it is not in the zone. */
const within = (name: string, zone: string): string | undefined => {
  const asked = name.toLowerCase()
  if (asked === zone) return ''
  return asked.endsWith(`.${zone}`) ? asked.slice(0, -zone.length - 1) : undefined
}

const soa = ({ zone: { name, nameServers }, now }: AnswerDeps): Answer => ({
  name,
  type: 'SOA',
  ttl: TTL.nothing,
  data: {
    mname: nameServers[0] ?? name,
    rname: `hostmaster.${name}`,
    // Nobody copies the zone: every process answers from the same records.
    serial: Math.floor(now() / 1000) % 2 ** 32,
    refresh: 3600,
    retry: 600,
    expire: 604_800,
    minimum: TTL.nothing,
  },
})

const atApex = (deps: AnswerDeps, name: string): Answer[] => [
  { ...soa(deps), name, ttl: TTL.apex } as Answer,
  ...deps.zone.nameServers.map((data): Answer => ({ name, type: 'NS', ttl: TTL.apex, data })),
  { name, type: 'CAA', ttl: TTL.apex, data: { tag: 'issue', value: AUTHORITY } },
]

const ofHost = (name: string, { addresses }: ZoneHost): Answer[] =>
  addresses.map((data): Answer => ({ name, type: isIPv4(data) ? 'A' : 'AAAA', ttl: TTL.address, data }))

/** All that there is of a name; undefined: there is no such name. */
const recordsOf = async (deps: AnswerDeps, name: string, below: string): Promise<Answer[] | undefined> => {
  if (below === '') return atApex(deps, name)
  const isChallenge = below.startsWith(`${CHALLENGE_LABEL}.`)
  const label = isChallenge ? below.slice(CHALLENGE_LABEL.length + 1) : below
  const host = isLabel(label) ? await deps.find(label) : undefined
  if (!host) return undefined
  if (!isChallenge) return ofHost(name, host)
  return host.challenge === null ? [] : [{ name, type: 'TXT', ttl: TTL.challenge, data: host.challenge }]
}

/** Whoever asks for everything gets one record, which is no use to flood others with (RFC 8482). */
const sparse = (records: readonly Answer[]): Answer[] => records.slice(0, 1)

const says = async (deps: AnswerDeps, { packet, question: { name, type, class: kind } }: Asked): Promise<Said> => {
  const nothing = (code: number): Said => ({ code, answers: [] })
  if ((packet.flags ?? 0) & OPERATION) return nothing(NOT_IMPLEMENTED)
  const below = kind === 'IN' ? within(name, deps.zone.name) : undefined
  if (below === undefined || type === 'AXFR' || type === 'IXFR') return nothing(REFUSED)
  const records = await recordsOf(deps, name, below)
  if (records === undefined) return nothing(NO_SUCH_NAME)
  const all = (type as string) === 'ANY' ? sparse(records) : records.filter((record) => record.type === type)
  return { code: NO_ERROR, answers: all }
}

/** The OPT record of a reply to one that had one. */
const opt = (extendedRcode: number): Answer => ({
  name: '.',
  type: 'OPT',
  udpPayloadSize: MOST_UDP_BYTES,
  extendedRcode,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
})

/** @param most bytes of the reply; undefined: as many as it asks for by UDP */
const replyTo = async (deps: AnswerDeps, asked: Asked, most: number | undefined): Promise<Buffer> => {
  const { packet, question } = asked
  const wish = optOf(packet)
  const isBadVersion = wish !== undefined && wish.ednsVersion !== 0
  const { code, answers } = isBadVersion
    ? { code: BAD_VERSION.code, answers: [] }
    : await says(deps, asked).catch((): Said => ({ code: SERVER_FAILURE, answers: [] }))
  const isOurs = !isBadVersion && (code === NO_ERROR || code === NO_SUCH_NAME)
  const flags = (packet.flags ?? 0) & (OPERATION | dns.RECURSION_DESIRED)
  const reply = {
    type: 'response' as const,
    id: packet.id ?? 0,
    flags: flags | (isOurs ? dns.AUTHORITATIVE_ANSWER : 0) | code,
    questions: [question],
    additionals: wish ? [opt(isBadVersion ? BAD_VERSION.extended : 0)] : [],
  }
  const whole = dns.encode({ ...reply, answers, authorities: isOurs && answers.length === 0 ? [soa(deps)] : [] })
  const room = most ?? Math.min(Math.max(wish?.udpPayloadSize ?? PLAIN_BYTES, PLAIN_BYTES), MOST_UDP_BYTES)
  return whole.length <= room ? whole : dns.encode({ ...reply, flags: reply.flags | dns.TRUNCATED_RESPONSE })
}

/**
 * The reply to a message; undefined: it gets none. It never throws, whatever the bytes are.
 * @param most how many bytes it may have; undefined: as many as the message allows by UDP
 */
export const answerTo = async (deps: AnswerDeps, message: Buffer, most?: number): Promise<Buffer | undefined> => {
  // Whoever answers replies can be made to talk to itself without end.
  if (message.length < HEADER_BYTES || message.readUInt16BE(2) & IS_REPLY) return undefined
  const asked = read(message)
  return asked ? replyTo(deps, asked, most) : header(message, FORMAT_ERROR)
}

/** Asks whoever asked to come again by TCP, which nobody can do in another's name; undefined: it gets no reply. */
export const comeByTcp = (message: Buffer): Buffer | undefined => {
  if (message.length < HEADER_BYTES || message.readUInt16BE(2) & IS_REPLY) return undefined
  const asked = read(message)
  if (!asked) return undefined
  const flags = ((asked.packet.flags ?? 0) & dns.RECURSION_DESIRED) | dns.TRUNCATED_RESPONSE
  return dns.encode({ type: 'response', id: asked.packet.id ?? 0, flags, questions: [asked.question] })
}
