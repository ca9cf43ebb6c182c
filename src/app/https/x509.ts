import type { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert } from '@peculiar/asn1-schema'
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/**
 * Certificates of a local authority, and requests for one of a public authority. It loads a library of half a megabyte: import
 * it where it is needed, and not with the program.
 */

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const NAME_CONSTRAINTS = '2.5.29.30'
const DAY_MILLIS = 86_400_000
/** Clocks of devices are a little behind. */
const BEFORE_MILLIS = DAY_MILLIS
const ROOT_DAYS = 3650

/** A private key in PEM, and its certificate with those that vouch for it. */
export interface Certified {
  key: string
  chain: string
}

const makePair = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const pem = (label: string, der: ArrayBuffer): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`

const pemOfKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', key))

const keyOf = (text: string): Promise<webcrypto.CryptoKey> =>
  crypto.subtle.importKey('pkcs8', Buffer.from(text.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'), ALGORITHM, true, [
    'sign',
  ])

/** Positive, and of 16 bytes, as clients ask. */
const newSerial = (): string => {
  const bytes = crypto.getRandomValues(Buffer.alloc(16))
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40
  return bytes.toString('hex')
}

const alternative = (names: readonly string[]): SubjectAlternativeNameExtension =>
  new SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
  )

const subtree = (name: ConstructorParameters<typeof GeneralName>[0]): GeneralSubtree =>
  new GeneralSubtree({ base: new GeneralName(name) })

/** Critical: who steals the root's key can stand for nothing on the internet, also before a device that knows it. */
const onlyFor = ({ names, ranges }: { names: readonly string[]; ranges: readonly string[] }): Extension =>
  new Extension(
    NAME_CONSTRAINTS,
    true,
    AsnConvert.serialize(
      new NameConstraints({
        permittedSubtrees: new GeneralSubtrees([
          ...names.map((dNSName) => subtree({ dNSName })),
          ...ranges.map((iPAddress) => subtree({ iPAddress })),
        ]),
      }),
    ),
  )

interface RootOf {
  /** What devices call it. */
  subject: string
  /** Below which names and in which networks it may vouch for anything. */
  names: readonly string[]
  ranges: readonly string[]
  now: number
}

const rdn = (commonName: string) => [{ O: ['Institute'] }, { CN: [commonName] }]

export const makeRoot = async ({ subject, names, ranges, now }: RootOf): Promise<Certified> => {
  const keys = await makePair()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: rdn(subject),
    notBefore: new Date(now - BEFORE_MILLIS),
    notAfter: new Date(now + ROOT_DAYS * DAY_MILLIS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      onlyFor({ names, ranges }),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { key: await pemOfKey(keys.privateKey), chain: pem('CERTIFICATE', certificate.rawData) }
}

/** @param names the first is its subject too */
export const makeLeaf = async (
  root: Certified,
  { names, days, now }: { names: readonly string[]; days: number; now: number },
): Promise<Certified> => {
  const keys = await makePair()
  const issuer = new X509Certificate(root.chain)
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: rdn(names[0] as string),
    issuer: issuer.subjectName,
    notBefore: new Date(now - BEFORE_MILLIS),
    notAfter: new Date(now + days * DAY_MILLIS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: await keyOf(root.key),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      alternative(names),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  })
  return { key: await pemOfKey(keys.privateKey), chain: pem('CERTIFICATE', certificate.rawData) + root.chain }
}

/** A request for a certificate of these names, and the key that nobody else ever sees. */
export const makeRequest = async (names: readonly string[]): Promise<{ key: string; request: Buffer }> => {
  const keys = await makePair()
  const request = await Pkcs10CertificateRequestGenerator.create({
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [alternative(names)],
  })
  return { key: await pemOfKey(keys.privateKey), request: Buffer.from(request.rawData) }
}
