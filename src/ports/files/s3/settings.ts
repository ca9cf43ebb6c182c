/** Where a bucket is, and with what requests to it are signed. */
export interface S3Settings {
  isPlain: boolean
  /** The store's host and, unless it is the usual one, its port. */
  host: string
  bucket: string
  region: string
  /** The bucket is named in the host (`virtual`) rather than in the path. */
  isVirtual: boolean
  keyId: string
  secret: string
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[\w-]+$/
const STYLES = ['path', 'virtual']

/** What `readS3Url` takes, in words. */
export const S3_URL =
  's3://KEY:SECRET@HOST[:PORT]/BUCKET?region=REGION&style=path (or virtual; s3+http:// for plain HTTP), with %2F for / in KEY and SECRET, %3A for :, %40 for @'

/** The host of the bucket, which requests are signed for. */
export const hostOf = ({ isVirtual, bucket, host }: S3Settings): string => (isVirtual ? `${bucket}.${host}` : host)

/** What the addresses of the bucket begin with. */
export const originOf = (settings: S3Settings): string => `${settings.isPlain ? 'http' : 'https'}://${hostOf(settings)}`

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** @returns undefined for a text that names no bucket, or names it without a key */
export const readS3Url = (text: string): S3Settings | undefined => {
  const url = URL.parse(text)
  if (!url || !['s3:', 's3+http:'].includes(url.protocol) || url.hash !== '') return undefined
  const { searchParams: query, hostname, port } = url
  const isPlain = url.protocol === 's3+http:'
  const bucket = url.pathname.slice(1).replace(/\/$/, '')
  const style = query.get('style') ?? 'path'
  const region = query.get('region') ?? 'us-east-1'
  const [keyId, secret] = [decoded(url.username), decoded(url.password)]
  const isKnown = [...query.keys()].every((key) => ['style', 'region'].includes(key))
  if (!isKnown || hostname === '' || !BUCKET.test(bucket) || !STYLES.includes(style) || !REGION.test(region))
    return undefined
  if (!keyId || !secret) return undefined
  // The usual port is not part of the host that is signed.
  const host = port === '' || port === (isPlain ? '80' : '443') ? hostname : `${hostname}:${port}`
  return { isPlain, host: host.toLowerCase(), bucket, region, isVirtual: style === 'virtual', keyId, secret }
}

const FOLDER = /^[\w.-]+(?:\/[\w.-]+)*$/

/** What `readS3Folder` reads. */
export const s3UrlOf = (
  { isPlain, isVirtual, host, bucket, region, keyId, secret }: S3Settings,
  under: string,
): string =>
  `s3${isPlain ? '+http' : ''}://${encodeURIComponent(keyId)}:${encodeURIComponent(secret)}@${host}/${bucket}/${under}?region=${region}&style=${isVirtual ? 'virtual' : 'path'}`

/** As `readS3Url`, for an address that may name a folder within the bucket. @returns its name with a slash, or nothing */
export const readS3Folder = (text: string): { s3: S3Settings; under: string } | undefined => {
  const url = URL.parse(text)
  if (!url) return undefined
  const [, bucket = '', ...folders] = url.pathname.replace(/\/$/, '').split('/')
  const folder = folders.join('/')
  if (folder !== '' && !FOLDER.test(folder)) return undefined
  url.pathname = `/${bucket}`
  const s3 = readS3Url(url.href)
  return s3 && { s3, under: folder === '' ? '' : `${folder}/` }
}
