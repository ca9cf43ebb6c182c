import { createECDH } from 'node:crypto'
import { fromBase64url } from '#kernel/basics/base64url.ts'

/** The keys by which a push service knows who sends (RFC 8292): a P-256 pair, in base64url. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
  /** Whom a push service may write to: mailto: or https:. */
  subject: string
}

const CURVE = 'prime256v1'
const PRIVATE_BYTES = 32
const POINT_BYTES = 65

/** A new pair, as text. */
export const makeVapidPair = async (): Promise<string> => {
  const { generateVAPIDKeys } = (await import('web-push')).default
  return JSON.stringify(generateVAPIDKeys())
}

/** @param subject asked each time: whom to write to may change while the program runs */
export const vapidKeys = (pair: string, subject: () => string): VapidKeys => ({
  ...(JSON.parse(pair) as Pick<VapidKeys, 'publicKey' | 'privateKey'>),
  get subject() {
    return subject()
  },
})

/** Whether a text is a point of the curve: the public key of a browser or a server. */
export const isPublicKey = (text: string): boolean => {
  const bytes = fromBase64url(text)
  if (bytes?.length !== POINT_BYTES) return false
  try {
    const ecdh = createECDH(CURVE)
    ecdh.generateKeys()
    ecdh.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}

/** Whether the private key is the one of the public key. */
export const isPair = ({ publicKey, privateKey }: Pick<VapidKeys, 'publicKey' | 'privateKey'>): boolean => {
  const bytes = Buffer.from(privateKey, 'base64url')
  if (bytes.length !== PRIVATE_BYTES) return false
  try {
    const ecdh = createECDH(CURVE)
    ecdh.setPrivateKey(bytes)
    return ecdh.getPublicKey('base64url') === publicKey
  } catch {
    return false
  }
}
