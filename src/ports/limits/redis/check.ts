import { passed, wrong, type CheckResult } from '#kernel/contract/check.ts'
import { connect, probe } from './connection.ts'

const SETTING = 'INSTITUTE_REDIS_URL'

type Words = (host: string) => string

const unreachable =
  (why: string): Words =>
  (host) =>
    `cannot be reached: ${host} ${why}; look at the host and port in ${SETTING}, and at firewall and network`
const otherPassword: Words = () => `does not take this user and password: correct them in ${SETTING}`

/** By the code of the network, or the first word of what Redis answers. */
const TROUBLES: Readonly<Record<string, Words>> = {
  ENOTFOUND: unreachable('has no address'),
  EAI_AGAIN: unreachable('has no address now'),
  ECONNREFUSED: unreachable('takes no connections'),
  EHOSTUNREACH: unreachable('is not on the network'),
  ENETUNREACH: unreachable('is not on the network'),
  ECONNRESET: unreachable('ends the connection'),
  ETIMEDOUT: unreachable('does not answer in time'),
  EPROTO: (host) => `${host} does not speak TLS there: begin ${SETTING} with redis://, or correct its port`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `the certificate is not for ${host}: correct the host in ${SETTING}`,
  WRONGPASS: otherPassword,
  NOAUTH: otherPassword,
  ERR: () => `refuses what counts limits: it has to be Redis 6.2 or later, or Valkey`,
  NOPERM: () => 'does not let this user count: allow +@read, +@write, +eval, +evalsha and +info on ~institute:limit:*',
  OOM: () => 'has no memory left: raise its maxmemory, or let it evict (maxmemory-policy allkeys-lru)',
  READONLY: (host) => `${host} is a replica, which only reads: name the primary in ${SETTING}`,
}

/** `doctor`: whether limits can be counted there. */
export const lookAtRedis = async (url: string): Promise<CheckResult> => {
  const { hostname } = new URL(url)
  const redis = connect(url, { isOnce: true })
  let trouble: Error | undefined
  // The first says why; those that follow, that the connection is gone.
  redis.on('error', (error: Error) => (trouble ??= error))
  try {
    await redis.connect()
    await probe(redis)
    return passed('limits are counted in Redis, for all processes together')
  } catch (error) {
    const { message, code = '' } = (trouble ?? error) as Error & { code?: string }
    const [word = ''] = message.split(' ', 1)
    if (/CERT|SELF_SIGNED|VERIFY|ISSUER/.test(code) && !TROUBLES[code]) {
      return wrong(
        `the certificate of ${hostname} is not trusted (${code}): give its authority with NODE_EXTRA_CA_CERTS`,
      )
    }
    const late = url.startsWith('rediss:') ? 'EPROTO' : 'ETIMEDOUT'
    const words = TROUBLES[/timed ?out/i.test(`${code} ${message}`) ? late : code] ?? TROUBLES[word]
    return wrong(`${words?.(hostname) ?? message}. Until then each process counts limits for itself, and is not ready.`)
  } finally {
    redis.disconnect()
  }
}
