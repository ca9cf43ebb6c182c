import { failure, reasons } from '#kernel/values/errors.ts'

/** Reads pasted links to videos. Nothing is fetched: a link is understood by its text alone. */

export const VIDEO_PROVIDERS = ['youtube', 'vimeo', 'terabox'] as const
export type VideoProvider = (typeof VIDEO_PROVIDERS)[number]

/** What is stored of a video; its addresses are made from this. */
export interface VideoRef {
  provider: VideoProvider
  /** The provider’s id of the video. */
  videoId: string
  /** The second part of the address of an unlisted video on Vimeo, without which it does not play. */
  hash: string | null
}

export interface Video {
  provider: VideoProvider
  videoId: string
  url: string
  embedUrl: string
}

export const VideoUrlInvalid = failure(
  'VIDEO_URL_INVALID',
  'video_url_invalid',
  'This is no link to one video of a known provider; details.reason says what is wrong with it.',
  { details: reasons('malformed', 'unknown_host', 'playlist_not_supported', 'password_protected') },
)
export const VideoProviderUnsupported = failure(
  'VIDEO_PROVIDER_UNSUPPORTED',
  'video_provider_unsupported',
  'Videos of this provider cannot be used here; details.reason says why.',
  { details: reasons('provider_not_enabled', 'terabox_not_enabled') },
)

const malformed = () => VideoUrlInvalid({ reason: 'malformed' })
const playlist = () => VideoUrlInvalid({ reason: 'playlist_not_supported' })
const protectedByPassword = () => VideoUrlInvalid({ reason: 'password_protected' })

interface Link {
  host: string
  /** The parts of the path between the slashes. */
  path: readonly string[]
  query: URLSearchParams
}

/** Returns what matches, or refuses. @throws VideoUrlInvalid */
const matching = (pattern: RegExp, given: string | null | undefined): string => {
  if (given === null || given === undefined || !pattern.test(given)) throw malformed()
  return given
}

const YOUTUBE_ID = /^[\w-]{11}$/

/** A link to a video within a playlist is a link to that video; where it starts to play is not kept. */
const readYoutube = ({ host, path, query }: Link): VideoRef => {
  const ref = (id: string | null | undefined): VideoRef => ({
    provider: 'youtube',
    videoId: matching(YOUTUBE_ID, id),
    hash: null,
  })
  const [first, second, ...rest] = path
  if (host === 'youtu.be' || host === 'www.youtu.be') {
    if (second !== undefined) throw malformed()
    return ref(first)
  }
  if (first === 'playlist' || (first === 'embed' && second === 'videoseries')) throw playlist()
  if (first === 'watch' && second === undefined) {
    if (query.has('list') && !query.has('v')) throw playlist()
    if (new Set(query.getAll('v')).size > 1) throw malformed()
    return ref(query.get('v'))
  }
  if (rest.length > 0 || !['shorts', 'embed', 'live', 'v'].includes(first ?? '')) throw malformed()
  return ref(second)
}

const VIMEO_ID = /^[1-9]\d{0,14}$/
const VIMEO_HASH = /^[0-9a-f]{6,40}$/

const readVimeo = ({ host, path, query }: Link): VideoRef => {
  if (path.at(-1) === 'password') throw protectedByPassword()
  const [first = '', second, third, fourth, ...rest] = path
  const ref = (id: string | undefined, hash: string | undefined, ...more: unknown[]): VideoRef => {
    const given = hash ?? query.get('h')
    if (more.length > 0) throw malformed()
    return {
      provider: 'vimeo',
      videoId: matching(VIMEO_ID, id),
      hash: given === null ? null : matching(VIMEO_HASH, given),
    }
  }
  if (host === 'player.vimeo.com') {
    if (first !== 'video') throw malformed()
    return ref(second, undefined, ...path.slice(2))
  }
  if (first === 'showcase' || first === 'album') {
    if (third !== 'video') throw playlist()
    return ref(fourth, undefined, ...rest)
  }
  if (first === 'channels' && third === undefined) throw playlist()
  if (first === 'channels') return ref(third, undefined, ...path.slice(3))
  if (first === 'groups' && third === 'videos') return ref(fourth, undefined, ...rest)
  if (first === 'manage' && second === 'videos') return ref(third, fourth, ...rest)
  return ref(first, second, ...path.slice(2))
}

const TERABOX_ID = /^[\w-]{6,64}$/

/** A shared file has the address /s/1abc…, or the same without the 1 as a parameter. */
const readTerabox = ({ path, query }: Link): VideoRef => {
  const [first, second, ...rest] = path
  if (query.has('pwd') || (first === 'sharing' && second === 'init')) throw protectedByPassword()
  const ref = (id: string | null | undefined): VideoRef => ({
    provider: 'terabox',
    videoId: matching(TERABOX_ID, id),
    hash: null,
  })
  if (first === 's' && second?.startsWith('1') && rest.length === 0) return ref(second.slice(1))
  if (first === 'sharing' && (second === 'link' || second === 'embed') && rest.length === 0) {
    return ref(query.get('surl'))
  }
  throw malformed()
}

type Disabled = 'dailymotion' | 'facebook' | 'google_drive'

const HOSTS: Readonly<Record<VideoProvider | Disabled, readonly string[]>> = {
  youtube: [
    'youtube.com',
    'www.youtube.com',
    'm.youtube.com',
    'music.youtube.com',
    'youtu.be',
    'www.youtu.be',
    'youtube-nocookie.com',
    'www.youtube-nocookie.com',
  ],
  vimeo: ['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'],
  terabox: [
    'terabox.com',
    'www.terabox.com',
    'terabox.app',
    'www.terabox.app',
    '1024terabox.com',
    'www.1024terabox.com',
  ],
  dailymotion: ['dailymotion.com', 'www.dailymotion.com', 'geo.dailymotion.com', 'dai.ly'],
  facebook: [
    'facebook.com',
    'www.facebook.com',
    'm.facebook.com',
    'web.facebook.com',
    'fb.watch',
    'fb.com',
    'www.fb.com',
  ],
  google_drive: ['drive.google.com', 'docs.google.com'],
}

const PROVIDER_OF = new Map(
  Object.entries(HOSTS).flatMap(([provider, hosts]) =>
    hosts.map((host) => [host, provider as VideoProvider | Disabled] as const),
  ),
)

const READERS: Readonly<Record<VideoProvider, (link: Link) => VideoRef>> = {
  youtube: readYoutube,
  vimeo: readVimeo,
  terabox: readTerabox,
}

/**
 * Splits a link into its parts. The host is compared as it was typed: a URL parser would turn letters that only look
 * like Latin ones, and dots of other scripts, into those of a known host. A link without a scheme, as browsers show it,
 * is one of https.
 * @throws VideoUrlInvalid
 */
const readLink = (typed: string): Link => {
  const [, scheme, authority = '', rest = ''] = /^(https?:\/\/)?([^/?#]*)(.*)$/isu.exec(typed) ?? []
  if (/[\s\\]/u.test(typed) || /[@:%]/u.test(authority)) throw malformed()
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(authority)) {
    throw scheme === undefined || authority === '' ? malformed() : VideoUrlInvalid({ reason: 'unknown_host' })
  }
  const url = URL.parse(`https://${authority}${rest}`)
  if (url === null) throw malformed()
  const path = url.pathname.split('/').filter((part) => part !== '')
  return { host: authority.toLowerCase(), path, query: url.searchParams }
}

/**
 * Reads the link to a video. @throws VideoUrlInvalid and VideoProviderUnsupported, each with details.reason
 */
export const readVideoUrl = (typed: string, { allowTerabox }: { allowTerabox: boolean }): VideoRef => {
  const link = readLink(typed)
  const provider = PROVIDER_OF.get(link.host)
  if (provider === undefined) throw VideoUrlInvalid({ reason: 'unknown_host' })
  if (provider === 'dailymotion' || provider === 'facebook' || provider === 'google_drive') {
    throw VideoProviderUnsupported({ reason: 'provider_not_enabled' })
  }
  if (provider === 'terabox' && !allowTerabox) {
    throw VideoProviderUnsupported({ reason: 'terabox_not_enabled' })
  }
  return READERS[provider](link)
}

/** The address of a video’s page, and of the player that other pages embed. */
const ADDRESSES: Readonly<Record<VideoProvider, (ref: VideoRef) => Pick<Video, 'url' | 'embedUrl'>>> = {
  youtube: ({ videoId }) => ({
    url: `https://www.youtube.com/watch?v=${videoId}`,
    // The player that sets no cookie before it plays.
    embedUrl: `https://www.youtube-nocookie.com/embed/${videoId}`,
  }),
  vimeo: ({ videoId, hash }) => ({
    url: `https://vimeo.com/${videoId}${hash === null ? '' : `/${hash}`}`,
    embedUrl: `https://player.vimeo.com/video/${videoId}${hash === null ? '' : `?h=${hash}`}`,
  }),
  terabox: ({ videoId }) => ({
    url: `https://www.terabox.com/s/1${videoId}`,
    embedUrl: `https://www.terabox.com/sharing/embed?surl=${videoId}`,
  }),
}

export const videoOf = (ref: VideoRef): Video => ({
  provider: ref.provider,
  videoId: ref.videoId,
  ...ADDRESSES[ref.provider](ref),
})
