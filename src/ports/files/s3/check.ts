import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { SYSTEM } from '#executable/system-words.ts'
import { passed, warning, wrong, type CheckResult } from '#kernel/contract/check.ts'
import { Bucket, StoreTrouble } from './requests.ts'
import { hostOf, type S3Settings } from './settings.ts'

/** What is written, read and removed to see whether the key may. */
const PROBE = 'institute-doctor'

/** @param setting the name of the setting that holds the bucket's address */
type Words = (settings: S3Settings, trouble: StoreTrouble, setting: string) => string

const unreachable =
  (why: string): Words =>
  ({ host }, _, setting) =>
    `cannot be reached: ${host} ${why}; look at the host and port in ${setting}, and at firewall and network`
const untrusted: Words = ({ host }, { code }, setting) =>
  `the certificate of ${host} is not trusted (${code}): give its authority with NODE_EXTRA_CA_CERTS, or correct the host in ${setting}`
const noKey: Words = ({ keyId }, _, setting) =>
  `the store does not know the key ${keyId}: correct it in ${setting}, or make a new one there`
const otherRegion: Words = ({ bucket, region }, trouble, setting) =>
  `the bucket ${bucket} is in ${trouble.region === undefined ? 'another region' : `the region ${trouble.region}`}, not in ${region}: write region=${trouble.region ?? 'REGION'} in ${setting}`

const TROUBLES: Readonly<Record<string, Words>> = {
  ENOTFOUND: unreachable('has no address'),
  EAI_AGAIN: unreachable('has no address now'),
  ECONNREFUSED: unreachable('takes no connections'),
  EHOSTUNREACH: unreachable('is not on the network'),
  ENETUNREACH: unreachable('is not on the network'),
  ECONNRESET: unreachable('ends the connection'),
  ETIMEDOUT: unreachable('does not answer in time'),
  EPROTO: ({ host }, _, setting) =>
    `${host} does not speak HTTPS there: correct the port in ${setting}, or begin it with s3+http://`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }, _, setting) =>
    `the certificate of the store is not for ${host}: correct the host in ${setting}, or write style=path`,
  InvalidAccessKeyId: noKey,
  SignatureDoesNotMatch: ({ keyId }, _, setting) =>
    `the secret of the key ${keyId} is another one: correct it in ${setting} (%2F for /, %3A for :, %40 for @)`,
  NoSuchBucket: ({ bucket }, _, setting) =>
    `there is no bucket ${bucket}: make it in the store, or correct its name in ${setting}`,
  AuthorizationHeaderMalformed: otherRegion,
  PermanentRedirect: otherRegion,
  TemporaryRedirect: otherRegion,
  IllegalLocationConstraintException: otherRegion,
  'HTTP 301': otherRegion,
  'HTTP 307': otherRegion,
  RequestTimeTooSkewed: () => `the clock of this server differs too much from the store’s: ${SYSTEM.setClock}`,
  NoListing: ({ host }, _, setting) => `${host} is no object store: correct the host in ${setting}`,
  'HTTP 400': ({ host }, _, setting) =>
    `${host} refuses what it does not understand: does it want s3:// (HTTPS), or style=virtual? See ${setting}`,
}

/** Whether the certificate of the store is not trusted. */
export const isUntrusted = ({ code }: StoreTrouble): boolean => /CERT|SELF_SIGNED|VERIFY|ISSUER/.test(code)
/** Whether the store does not speak TLS as it should. */
export const isNoTls = ({ code }: StoreTrouble): boolean => /SSL|TLS/.test(code)

/**
 * What is wrong with the bucket, and what to do.
 * @param setting the name of the setting that holds the bucket's address
 * @throws the error, if it does not come from the store
 */
export const troubleWith = (settings: S3Settings, error: unknown, setting: string): string => {
  if (!(error instanceof StoreTrouble)) throw error
  const words = TROUBLES[error.code]
  if (words) return words(settings, error, setting)
  if (isUntrusted(error)) return untrusted(settings, error, setting)
  if (isNoTls(error)) return TROUBLES['EPROTO']?.(settings, error, setting) ?? error.code
  return `the store answers ${error.code}: its own log says more`
}

/** What the key must be able to do, one after the other, each with what goes wrong without it. */
const steps = (bucket: Bucket, probe: Buffer): { right: string; without: string; run(): Promise<unknown> }[] => [
  {
    right: 'list (s3:ListBucket)',
    without: 'files that are gone could not be told from those that it may not read',
    run: () => bucket.ask({ method: 'GET', attempts: 1, query: { 'list-type': '2', 'max-keys': '1', prefix: PROBE } }),
  },
  {
    right: 'put (s3:PutObject)',
    without: 'no file could come in',
    run: () => bucket.ask({ method: 'PUT', attempts: 1, key: PROBE, body: probe }),
  },
  {
    right: 'get (s3:GetObject)',
    without: 'no file could be read',
    run: async () => {
      const got = await text(await bucket.send({ method: 'GET', attempts: 1, key: PROBE }, [200]))
      if (got !== probe.toString()) throw new StoreTrouble('other bytes than were put')
    },
  },
  {
    right: 'delete (s3:DeleteObject)',
    without: 'deleted files would stay',
    run: () => bucket.ask({ method: 'DELETE', attempts: 1, key: PROBE }, [200, 204]),
  },
]

/** Looks whether the bucket takes, gives and removes a file, and lets pages of this origin in. */
export const lookAtBucket = async (settings: S3Settings, origin: string): Promise<CheckResult> => {
  const bucket = new Bucket(settings)
  const name = `${settings.bucket} at ${hostOf(settings)}`
  try {
    for (const { right, without, run } of steps(bucket, Buffer.from(randomUUID()))) {
      try {
        await run()
      } catch (error) {
        if (error instanceof StoreTrouble && error.code === 'AccessDenied') {
          return wrong(
            `the key ${settings.keyId} may not ${right} in ${name}, and ${without}: give it that right in the store`,
          )
        }
        return wrong(troubleWith(settings, error, 'INSTITUTE_S3_URL'))
      }
    }
    if (!(await bucket.asksLeave(origin))) {
      return warning(
        `${name} works, but lets no page of ${origin} in, so that browsers can neither send nor show files: give the bucket a CORS rule with the origin ${origin}, the methods GET and PUT and the header content-type (or the key the right s3:PutBucketCORS, and start the program again)`,
      )
    }
    return passed(`${name} takes, gives and removes files, and lets pages in`)
  } finally {
    bucket.close()
  }
}
