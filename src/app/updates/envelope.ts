import * as v from 'valibot'
import { fromBase64url } from '#kernel/basics/base64url.ts'
import { isSignedBy, type PublicKey, type Signer } from '#modules/licensing/index.ts'
import { UpdateRefused } from './refused.ts'

/** What is signed names its own type, so that no paper passes for another. */
type PaperType = 'keys' | 'manifest'

/** A paper with its signatures, as it lies at the vendor. The payload is JSON in base64url. */
export const Envelope = v.object({
  payload: v.string(),
  signatures: v.pipe(v.array(v.object({ keyId: v.string(), signature: v.string() })), v.maxLength(20)),
})
export type Envelope = v.InferOutput<typeof Envelope>

const signedBytes = (type: PaperType, payload: string): Buffer => Buffer.from(`institute ${type} 1\n${payload}`)

export const seal = (type: PaperType, content: unknown, signers: readonly Signer[]): Envelope => {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  const signatures = signers.map((signer) => ({
    keyId: signer.key.keyId,
    signature: signer.sign(signedBytes(type, payload)),
  }))
  return { payload, signatures }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new UpdateRefused('malformed', 'no JSON')
  }
}

/** @throws UpdateRefused for what is no envelope */
export const readEnvelope = (bytes: Uint8Array): Envelope => {
  const form = v.safeParse(Envelope, parsed(Buffer.from(bytes).toString('utf8')))
  if (!form.success) throw new UpdateRefused('malformed', 'no envelope')
  return form.output
}

/** What an envelope holds, before anybody looked who signed it. @throws UpdateRefused */
export const unverified = <S extends v.GenericSchema>({ payload }: Envelope, schema: S): v.InferOutput<S> => {
  const bytes = fromBase64url(payload)
  const form = bytes && v.safeParse(schema, parsed(bytes.toString('utf8')))
  if (!form?.success) throw new UpdateRefused('malformed', form?.issues[0].message)
  return form.output
}

/**
 * Looks who signed, and only then reads.
 * @param threshold how many of the keys must have signed; a key counts once, however many signatures it made
 * @returns also the ids of those that did
 * @throws UpdateRefused
 */
export const open = <S extends v.GenericSchema>(
  type: PaperType,
  envelope: Envelope,
  { keys, threshold }: { keys: readonly PublicKey[]; threshold: number },
  schema: S,
): { content: v.InferOutput<S>; signers: string[] } => {
  const good = new Set<string>()
  for (const { keyId, signature } of envelope.signatures) {
    const key = keys.find((one) => one.keyId === keyId)
    if (key && isSignedBy(key, signedBytes(type, envelope.payload), signature)) good.add(keyId)
  }
  if (good.size < threshold) throw new UpdateRefused('bad_signature', `${good.size} of ${threshold} keys signed it`)
  return { content: unverified(envelope, schema), signers: [...good] }
}
