import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/values/errors.ts'
import { readVideoUrl, videoOf } from '#modules/curriculum/video.ts'

const read = (url: string, allowTerabox = false) => readVideoUrl(url, { allowTerabox })

/** The code and reason of the refusal; what was read where there is none. */
const refusalOf = (url: string, allowTerabox = false): unknown => {
  try {
    return read(url, allowTerabox)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `${error.spec.code} ${String(error.details?.['reason'])}`
  }
}

const ID = 'dQw4w9WgXcQ'

describe('a link to a video on YouTube', () => {
  test.each([
    `https://www.youtube.com/watch?v=${ID}`,
    `http://youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/watch?v=${ID}&feature=share`,
    `https://music.youtube.com/watch?v=${ID}&list=RDAMVM${ID}`,
    `https://www.youtube.com/watch?app=desktop&t=1m2s&v=${ID}&pp=ygUE#comments`,
    `https://www.youtube.com/watch?v=${ID}&list=PLx&index=3`,
    `https://youtu.be/${ID}`,
    `https://youtu.be/${ID}?si=abc&t=42`,
    `https://www.youtube.com/shorts/${ID}?feature=share`,
    `https://www.youtube.com/embed/${ID}?start=90`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
    `https://www.youtube.com/live/${ID}?si=abc`,
    `https://www.youtube.com/live/${ID}/`,
    `HTTPS://WWW.YouTube.COM/watch?v=${ID}`,
    `youtube.com/watch?v=${ID}`,
    `www.youtube.com/shorts/${ID}`,
    `youtu.be/${ID}`,
  ])('%s is read, with addresses made here', (url) => {
    expect(videoOf(read(url))).toEqual({
      provider: 'youtube',
      videoId: ID,
      url: `https://www.youtube.com/watch?v=${ID}`,
      embedUrl: `https://www.youtube-nocookie.com/embed/${ID}`,
    })
  })

  test.each([
    'https://www.youtube.com/playlist?list=PLabc',
    'https://music.youtube.com/playlist?list=PLabc',
    'https://www.youtube.com/watch?list=PLabc',
    'https://www.youtube.com/embed/videoseries?list=PLabc',
  ])('%s is a playlist', (url) => expect(refusalOf(url)).toBe('VIDEO_URL_INVALID playlist_not_supported'))

  test.each([
    'https://www.youtube.com/',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=',
    'https://www.youtube.com/watch?v=short',
    `https://www.youtube.com/watch?v=${ID}x`,
    `https://www.youtube.com/watch?v=${ID}&v=aaaaaaaaaaa`,
    `https://www.youtube.com/watch?v=<script>aaa`,
    `https://www.youtube.com/watch/${ID}/x`,
    'https://www.youtube.com/@channel',
    'https://www.youtube.com/channel/UCabc',
    'https://www.youtube.com/results?search_query=x',
    `https://www.youtube.com/shorts/${ID}/x`,
    `https://youtu.be/${ID}/x`,
    'https://youtu.be/',
    'https://youtu.be/..%2f..%2fx',
  ])('%s is malformed', (url) => expect(refusalOf(url)).toBe('VIDEO_URL_INVALID malformed'))
})

describe('a link to a video on Vimeo', () => {
  const plain = { url: 'https://vimeo.com/76979871', embedUrl: 'https://player.vimeo.com/video/76979871' }
  const unlisted = {
    url: 'https://vimeo.com/76979871/8272103f6e',
    embedUrl: 'https://player.vimeo.com/video/76979871?h=8272103f6e',
  }
  test.each([
    ['https://vimeo.com/76979871', plain],
    ['https://www.vimeo.com/76979871?share=copy#t=30s', plain],
    ['vimeo.com/76979871', plain],
    ['https://vimeo.com/channels/staffpicks/76979871', plain],
    ['https://vimeo.com/groups/shortfilms/videos/76979871', plain],
    ['https://vimeo.com/showcase/1234/video/76979871', plain],
    ['https://player.vimeo.com/video/76979871?autoplay=1', plain],
    ['https://vimeo.com/76979871/8272103f6e', unlisted],
    ['https://vimeo.com/76979871/8272103f6e?share=copy', unlisted],
    ['https://vimeo.com/76979871?h=8272103f6e', unlisted],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e&badge=0', unlisted],
    ['https://vimeo.com/manage/videos/76979871/8272103f6e', unlisted],
  ])('%s is read', (url, links) => {
    expect(videoOf(read(url))).toEqual({ provider: 'vimeo', videoId: '76979871', ...links })
  })

  test.each([
    ['https://vimeo.com/showcase/1234', 'playlist_not_supported'],
    ['https://vimeo.com/album/1234', 'playlist_not_supported'],
    ['https://vimeo.com/channels/staffpicks', 'playlist_not_supported'],
    ['https://vimeo.com/76979871/password', 'password_protected'],
    ['https://vimeo.com/', 'malformed'],
    ['https://vimeo.com/about', 'malformed'],
    ['https://vimeo.com/0', 'malformed'],
    ['https://vimeo.com/76979871/x"onload="', 'malformed'],
    ['https://vimeo.com/76979871/8272103f6e/more', 'malformed'],
    ['https://player.vimeo.com/76979871', 'malformed'],
    ['https://player.vimeo.com/video/76979871/more', 'malformed'],
    ['https://player.vimeo.com/video/76979871?h=zzz', 'malformed'],
  ])('%s is refused: %s', (url, reason) => expect(refusalOf(url)).toBe(`VIDEO_URL_INVALID ${reason}`))
})

describe('a link to a file on TeraBox', () => {
  const links = [
    'https://www.terabox.com/s/1AbCd_eF-123',
    'https://terabox.com/sharing/link?surl=AbCd_eF-123',
    'https://1024terabox.com/s/1AbCd_eF-123',
    'https://www.terabox.com/sharing/embed?surl=AbCd_eF-123&autoplay=true',
  ]
  test.each(links)('%s is read where the institute allows it', (url) => {
    expect(videoOf(read(url, true))).toEqual({
      provider: 'terabox',
      videoId: 'AbCd_eF-123',
      url: 'https://www.terabox.com/s/1AbCd_eF-123',
      embedUrl: 'https://www.terabox.com/sharing/embed?surl=AbCd_eF-123',
    })
  })
  test.each(links)('%s is refused where it does not', (url) => {
    expect(refusalOf(url)).toBe('VIDEO_PROVIDER_UNSUPPORTED terabox_not_enabled')
  })
  test.each([
    ['https://www.terabox.com/s/1AbCd_eF-123?pwd=abcd', 'password_protected'],
    ['https://www.terabox.com/sharing/init?surl=AbCd_eF-123', 'password_protected'],
    ['https://www.terabox.com/main', 'malformed'],
    ['https://www.terabox.com/s/AbCd_eF-123', 'malformed'],
    ['https://www.terabox.com/s/1', 'malformed'],
  ])('%s is refused: %s', (url, reason) => expect(refusalOf(url, true)).toBe(`VIDEO_URL_INVALID ${reason}`))
})

test.each([
  'https://www.dailymotion.com/video/x8abc',
  'https://dai.ly/x8abc',
  'https://www.facebook.com/watch?v=1',
  'https://fb.watch/abc/',
  'https://drive.google.com/file/d/abc/view',
])('%s is of a provider that is known and not enabled', (url) => {
  expect(refusalOf(url, true)).toBe('VIDEO_PROVIDER_UNSUPPORTED provider_not_enabled')
})

describe('hostile links', () => {
  test.each([
    [`https://youtube.com.evil.example/watch?v=${ID}`, 'unknown_host'],
    [`https://evil.example/youtube.com/watch?v=${ID}`, 'unknown_host'],
    [`https://notyoutube.com/watch?v=${ID}`, 'unknown_host'],
    [`https://youtubе.com/watch?v=${ID}`, 'unknown_host'],
    [`https://youtube。com/watch?v=${ID}`, 'unknown_host'],
    [`https://ｙoutube.com/watch?v=${ID}`, 'unknown_host'],
    [`https://xn--youtub-4of.com/watch?v=${ID}`, 'unknown_host'],
    [`https://youtube.com./watch?v=${ID}`, 'unknown_host'],
    ['https://127.0.0.1/watch', 'unknown_host'],
    ['https://localhost/watch', 'unknown_host'],
    [`https://user:pass@youtube.com/watch?v=${ID}`, 'malformed'],
    [`https://youtube.com@evil.example/watch?v=${ID}`, 'malformed'],
    [`https://@youtube.com/watch?v=${ID}`, 'malformed'],
    [`https://youtube.com:443/watch?v=${ID}`, 'malformed'],
    [`https://youtube.com:8443/watch?v=${ID}`, 'malformed'],
    [`https://%79outube.com/watch?v=${ID}`, 'malformed'],
    [`https://youtube.com\\@evil.example/watch?v=${ID}`, 'malformed'],
    [`https://[::1]/watch?v=${ID}`, 'malformed'],
    [`https:///youtube.com/watch?v=${ID}`, 'malformed'],
    [`//youtube.com/watch?v=${ID}`, 'malformed'],
    ['javascript:alert(1)', 'malformed'],
    [`javascript://youtube.com/watch?v=${ID}%0aalert(1)`, 'malformed'],
    ['data:text/html,<script>alert(1)</script>', 'malformed'],
    [`ftp://youtube.com/watch?v=${ID}`, 'malformed'],
    ['file:///etc/passwd', 'malformed'],
    [`https://youtube.com /watch?v=${ID}`, 'malformed'],
    ['dQw4w9WgXcQ', 'malformed'],
    ['a video', 'malformed'],
  ])('%s is refused: %s', (url, reason) => expect(refusalOf(url, true)).toBe(`VIDEO_URL_INVALID ${reason}`))
})

test('whatever is pasted, it is refused by name or becomes an address of a known player, without what was pasted', () => {
  const piece = fc.oneof(
    fc.constantFrom('https://', 'youtube.com', 'www.youtube.com', 'youtu.be', 'vimeo.com', 'player.vimeo.com'),
    fc.constantFrom('terabox.com', '/', '?', '#', '&', 'watch', 'v=', ID, '76979871', 'embed', 'h=', 's', '1abcdef'),
    fc.constantFrom('"', '<', "'", '@', ':', '\\', '%00', '..', 'javascript:'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  const known =
    /^https:\/\/(?:www\.youtube-nocookie\.com\/embed\/[\w-]{11}|player\.vimeo\.com\/video\/\d+(?:\?h=[0-9a-f]+)?|www\.terabox\.com\/sharing\/embed\?surl=[\w-]+)$/
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const url = pieces.join('')
      const found = refusalOf(url, true)
      if (typeof found === 'string') expect(found).toMatch(/^VIDEO_(URL_INVALID|PROVIDER_UNSUPPORTED) \w+$/)
      else {
        const { url: address, embedUrl } = videoOf(read(url, true))
        expect(embedUrl).toMatch(known)
        expect(read(address, true)).toEqual(found)
      }
    }),
    { numRuns: 3000 },
  )
})
