import { Bucket, StoreTrouble } from './requests.ts'
import type { S3Settings } from './settings.ts'
import { elements } from './xml.ts'

/** Signed addresses are for whoever has them, and institutes have domains of their own: any page may use one. */
const RULE =
  '<CORSRule><ID>institute</ID><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedHeader>content-type</AllowedHeader><MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule>'

/** Adds a rule for pages to those that the bucket has. @throws StoreTrouble where the key may not, or the store cannot */
const addRule = async (bucket: Bucket): Promise<void> => {
  const query = { cors: '' }
  const { body: before } = await bucket.ask({ method: 'GET', query }).catch((error: unknown) => {
    if (error instanceof StoreTrouble && error.code === 'NoSuchCORSConfiguration') return { body: '' }
    throw error
  })
  const others = elements(before, 'CORSRule').map((rule) => `<CORSRule>${rule}</CORSRule>`)
  const body = Buffer.from(`<CORSConfiguration>${[...others, RULE].join('')}</CORSConfiguration>`)
  await bucket.ask({ method: 'PUT', query, body, headers: { 'content-type': 'application/xml' } }, [200, 204])
}

/** Lets pages of this origin send files to the bucket, where they may not yet. @throws StoreTrouble */
export const letPagesIn = async (settings: S3Settings, origin: string): Promise<void> => {
  const bucket = new Bucket(settings)
  try {
    if (!(await bucket.asksLeave(origin))) await addRule(bucket)
  } finally {
    bucket.close()
  }
}
