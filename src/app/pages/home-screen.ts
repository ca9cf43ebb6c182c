import type { Content } from '#kernel/values/media.ts'
import { directionOf, FALLBACK_LOCALE } from '#shared/locale.ts'
import type { InstituteOfHost } from './institute-of-host.ts'
import { OWN_PARTS_ONLY, SAFE_HEADERS, tagOf } from './page-file.ts'

export const MANIFEST = '/app.webmanifest'

/** Below an icon of a home screen there is room for as many letters. */
const SHORT_LETTERS = 12

const ICONS = '/setup/assets/icons/'

/** iOS takes it in place of those of the manifest. */
export const TOUCH_ICON = `${ICONS}apple-180.png`

/** What the console is where somebody puts it on their home screen: the institute, in its language and its colour. */
export const homeScreenManifest = (institute: InstituteOfHost | undefined): Content => {
  const { name = 'Institute', locale = FALLBACK_LOCALE, color } = institute ?? {}
  const body = JSON.stringify({
    id: '/',
    name,
    short_name: shortName(name),
    lang: locale,
    dir: directionOf(locale),
    // The day of whoever is signed in: of the family, or of the office.
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f6f5f1',
    theme_color: color ?? '#14675e',
    icons: [
      { src: `${ICONS}app-192.png`, sizes: '192x192', type: 'image/png' },
      { src: `${ICONS}app-512.png`, sizes: '512x512', type: 'image/png' },
      { src: `${ICONS}maskable-512.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  })
  return {
    body,
    type: 'application/manifest+json',
    etag: tagOf(body),
    headers: { ...SAFE_HEADERS, 'Content-Security-Policy': OWN_PARTS_ONLY, 'Cache-Control': 'no-cache' },
  }
}

/** The first words of a name that there is room for, or the beginning of its first word. */
const shortName = (name: string): string => {
  let short = ''
  for (const word of name.split(' ')) {
    const longer = short === '' ? word : `${short} ${word}`
    if (Array.from(longer).length > SHORT_LETTERS) break
    short = longer
  }
  return short === '' ? Array.from(name).slice(0, SHORT_LETTERS).join('').trim() : short
}
