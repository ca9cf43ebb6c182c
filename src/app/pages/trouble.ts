import { createHash } from 'node:crypto'
import { once } from '#kernel/basics/once.ts'
import { directionOf, LOCALES } from '#shared/locale.ts'
import { readAsset } from '#executable/assets.ts'
import { OWN_PARTS_ONLY } from './page-file.ts'
import { WORDS, type PageWords } from './words/index.ts'

/**
 * What a page with a script says where the script cannot run: a browser that runs none, one that is too old, and a page of
 * which a part did not come. It stands in the page itself, so that it is there when nothing else is.
 */

/**
 * The oldest browsers that a page is for.
 * - `console`: Chromium 109, Firefox 115, Safari 16.4;
 * - `families`: Chromium 92, Firefox 91, Safari 15.4.
 */
export type Needs = 'console' | 'families'

/**
 * Looks at the browser before anything else of the page runs, and waits for parts that do not come. It is written for
 * browsers of any age, and part of the page: nothing can be missing of it.
 */
const read = once(() => ({ script: readAsset('web-setup/floor.js').toString('utf8') }))

/** The policy of a page with that script. */
export const withFloor = (policy = OWN_PARTS_ONLY): string => {
  const hash = createHash('sha256').update(read().script).digest('base64')
  return policy.replace("script-src 'self'", `$& 'sha256-${hash}'`)
}

/** At the beginning of the head, before what may not come. */
export const floorScript = (): string => `    <script>${read().script}</script>\n`

type Trouble = keyof PageWords['trouble']

const inEach = (key: Trouble, indent: string): string =>
  LOCALES.map(
    (locale) => `${indent}<p lang="${locale}" dir="${directionOf(locale)}">${WORDS[locale].trouble[key]}</p>\n`,
  ).join('')

const RELOAD = LOCALES.map((locale) => `<span lang="${locale}">${WORDS[locale].trouble.reload}</span>`).join(' · ')

/** In every language, since nothing of the page has found out which one is read. */
export const TROUBLE = `      <noscript>
${inEach('noScript', '        ')}      </noscript>
      <div id="trouble" class="trouble" role="alert">
        <div id="trouble-old" hidden>
${inEach('old', '          ')}        </div>
        <div id="trouble-broken">
${inEach('incomplete', '          ')}          <p><a class="button" href="">${RELOAD}</a></p>
        </div>
      </div>
`
