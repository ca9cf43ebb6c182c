/** What stands in an example in place of what is different each time. */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const PHONE = /\+9725\d{8}/g
/** Addresses that the kit makes up have a digit. */
const EMAIL = /[\w.+-]*\d[\w.+-]*@[\w.-]+/g

/** Values that are secret or random, by the name of the field. */
const FIELDS: Readonly<Record<string, string>> = {
  accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTljYWQ2YSJ9.c2lnbmF0dXJl',
  refreshToken: 'Vd2hX0kq4cYw8mJt1nRz6bPs9fLg3eUa',
  access_token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTljYWQ2YSJ9.c2lnbmF0dXJl',
  refresh_token: 'Vd2hX0kq4cYw8mJt1nRz6bPs9fLg3eUa',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  redirectTo:
    'http://127.0.0.1:3000/callback?code=Xk4cYw8mJt1nRz6bPs9fLg3eUaVd2hX0&iss=https%3A%2F%2Finstitute.example.org',
  token: 'Vd2hX0kq4cYw8mJt1nRz6bPs9fLg3eUa',
  setupToken: 'olive-gate-river-stone',
  keyPrefix: 'ims_sk_4kTq9Z',
  secret: 'whsec_OWZLcTJMbVg3dlJ0NFpjVzFiTnM4SGRHM2pQeTZSYUU=',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  verificationToken: 'GqWWAeUY5YcYqs-egw4zfJgABSmyPr9D',
  jti: '5KANw-WOySgcTnTgMlo4rZaO1pcwI-2L',
  nonce: 'AKfc5yelcDhofBS8',
  appSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  ticket: '2.Xk4cYw8mJt1nRz6bPs9fLg3eUaVd2hX0Vd2hX0kq4cYw8mJt1nRz6bPs9fLg3eUa',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  credentialId: 'b_AxKISKfTVIVymcnnyhumTO9mpekCr-ij28M4NjR3I',
  userHandle: 'AaItrxT1dAqi7nMHSGpBng',
  clientData:
    'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiRTlNZWxob2EyT3d2RnJFTVRKZ3VDSGFvZUsxdDhVUldidUdKU3N0dy1jTSJ9',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
  deviceKey: 'bkdxqLEcpAYv3lzVIHhAC9QONZI3oHGYJDj2jAmSYC8',
  payload: 'eyJpbnN0YWxsSWQiOiIwMTljYWQ2YS0xYzAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJub25jZSI6IkFLZmM1eWVsY0Rob2ZCUzgifQ',
  signature: 'w1qgtLtwA5judmKXh1R8i-tdB4OBXpy_6FYPWf2IhyEpfjdsiAAHYygVJZec_2MSx5iPeyDqNYoDyMY4RizbAw',
  keyId: 'BiUmropM9sjaNQG-',
  p256dh: 'BKoVAZ7gggTX7VMdifYwtLln6aJFL5N1AXNF1yvWZQ2gbgwvwPpbEUhNjBgetaOT13tFrckEb81O6YR-pasbXCg',
  auth: 'Qlereb6IGrwODvuWQxCJIw',
  applicationServerKey: 'BMu4-lhkpbv04LJlNQObxQw31UbG0DRi1Al-OVV7siOcjPmYvWckDMbWKa4jxjWnSQLrN0YkI8tj5LViFFFN3g0',
  nextCursor: 'eyJwb3NpdGlvbiI6WyIyMDI2LTAzLTAyIl19',
  tenantName: 'Al-Noor Institute',
}

/** The public key of a passkey. */
const SPKI =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEKhUBnuCBNPtXtUx2J9jC0uWfpokUvk3UBc0XXK9ZlDaBvC_A-lsRSE2MGB61o5PXe0WtyQRvzU7phH6lqxtcKA'
/** A code of an app. */
const IS_OF_APP = /^\d{6}$/

/** Numbers that are measured, by the name of the field. */
const MEASURED: Readonly<Record<string, number>> = { durationMs: 42, sizeBytes: 48_213, mostBytes: 12_000_000_000 }
/** Of a folder that each run has for itself. */
const FREE_SPACE = /^\d+ MB free in \S+$/

/** Longer arrays tell no more. */
const MOST_ELEMENTS = 2

/**
 * Makes an example of what was really sent: ids, phones and the like become made-up ones, the same wherever they stand in
 * one exchange; secrets become constants.
 */
export const anonymous = (): ((value: unknown) => unknown) => {
  const known = new Map<string, string>()
  const once = (kind: string, made: (number: number) => string) => (found: string) => {
    const already = known.get(found)
    if (already !== undefined) return already
    const number = [...known.values()].filter((one) => one.startsWith(kind)).length + 1
    const stand = made(number)
    known.set(found, stand)
    return stand
  }
  const id = once('019cad6a', (number) => `019cad6a-1c00-7000-8000-${String(number).padStart(12, '0')}`)
  const phone = once('+97250', (number) => `+97250123456${number}`)
  const email = once('person', (number) => `person${number}@example.org`)
  const cheque = once('100', (number) => String(1000 + number))
  const text = (value: string): string =>
    value
      .replaceAll(UUID, id)
      .replaceAll(PHONE, phone)
      .replaceAll(EMAIL, email)
      .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, 'https://institute.example.org')
      .replaceAll(/ims_([sp])k_\w{20,}/g, 'ims_$1k_4kTq9ZrW2mXc7VbN1sLd8HfG3jPy6RaE')
      .replaceAll(/\/push\/[0-9a-f]{24}/g, '/push/8bf6dabfdfca1cb9ce86d473')
      .replaceAll(/signature=[\w-]+/g, 'signature=Vd2hX0kq4cYw8mJt1nRz6bPs9fLg3eUa')
      .replaceAll(/calendar\/[\w-]{44}/g, 'calendar/AaIVBi2mdVa3vy3D6LqWCwfHFyZ2IdXg81tPcMoshZl-')
      .replaceAll(/size=\d+/g, 'size=48213')
      .replaceAll(/\?token=[\w-]{20,}/g, '?token=Vd2hX0kq4cYw8mJt1nRz6bPs9fLg3eUa')
      .replaceAll(/\/pay\/[\w-]{60,}$/g, '/pay/AaIqndqTdk6jaxSrWvvtgQAaIqndqycGmJFmdEd061kAW8twfHDaJ_6QabToxTfDnK')
      .replaceAll(/secret=[A-Z2-7]{32}/g, 'secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
      .replaceAll(/^[2-9a-z]{5}-[2-9a-z]{5}$/g, 'k7m2p-x9w4t')
      .replaceAll(/^MFkwEwYHKoZIzj0CAQYI[\w-]+$/g, SPKI)
      // A file's time is the machine's; all others are of the tests' clock.
      .replaceAll(/^20(?!26-0[1-6])\d\d-\d\d-\d\dT[\d:.]+Z$/g, '2026-03-02T08:00:00.000Z')
      .replaceAll(/^Pupil Number \d+$/g, 'Pupil Number 1')
      // By which the kit keeps names apart.
      .replaceAll(/ (?:\d+ )?0\.\d+$/g, '')
      .replaceAll(/([a-z])-\d+-[0-9a-z]{6,}$/g, '$1')
      .replaceAll(/^Number \d+$/g, 'Levi')
      // Cheques have numbers that no other has.
      .replaceAll(/^[12]\d{3}$/g, cheque)
      .replaceAll(/^(Group|Course) \d+$/g, '$1 1')
      .replaceAll(/\b([Ss]chool)-\d+(?=\.example\.org)/g, '$1')
      .replaceAll(/institute-\d+-[0-9a-f]+/g, 'al-noor')
      .replaceAll(/Institute \d+/g, 'Al-Noor Institute')
      .replaceAll(/Institute%20\d+/g, 'Al-Noor%20Institute')
  const plain = (value: unknown, field = ''): unknown => {
    if (field === 'code' && IS_OF_APP.test(String(value))) return '492039'
    if (typeof value === 'string') return FIELDS[field] ?? text(value.replace(FREE_SPACE, '23770 MB free in /data'))
    if (typeof value === 'number') return MEASURED[field] ?? value
    if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS).map((one) => plain(one))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, name)]))
  }
  return (value) => plain(value)
}
