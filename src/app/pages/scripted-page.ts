import { escapeHtml } from '#kernel/basics/html.ts'
import type { Content } from '#kernel/values/media.ts'
import { directionOf, type Locale } from '#shared/locale.ts'
import { consoleFiles, type PageName } from './console-files.ts'
import { SAFE_HEADERS, tagOf } from './page-file.ts'
import { floorScript, TROUBLE, type Needs } from './trouble.ts'

const ASSETS = '/console/assets/'

/** react-aria leaves its own style element away where one with this id is there; the policy would refuse it. */
const STYLE_ID = 'react-aria-pressable-style'

interface Scripted {
  name: PageName
  language: Locale
  /** That of the browser, if it differs. The page may know better: what somebody chose is kept there. */
  spoken?: Locale
  /** Text. */
  title: string
  needs: Needs
  /** More elements of the head: whole lines of HTML. */
  head?: string
  /** The Content-Security-Policy. */
  policy: string
}

const html = ({ name, language, spoken = language, title, needs, head = '' }: Scripted): string => {
  const { script, style, modules, words } = consoleFiles().starts[name]
  const ahead = [...modules, ...(words?.[spoken] ?? [])]
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}" data-needs="${needs}">
  <head>
    <meta charset="utf-8" />
${floorScript()}    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" />
${head}    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
    <link rel="stylesheet" href="${ASSETS}${style}" id="${STYLE_ID}" />
${ahead.map((module) => `    <link rel="modulepreload" href="${ASSETS}${module}" />\n`).join('')}    <script type="module" src="${ASSETS}${script}"></script>
  </head>
  <body>
${TROUBLE}    <div id="console"></div>
  </body>
</html>
`
}

/** A page that its script draws: the console, and the pages beside it. */
export const scriptedPage = (page: Scripted): Content => {
  const body = html(page)
  return {
    body,
    type: 'text/html; charset=utf-8',
    etag: tagOf(body),
    headers: {
      ...SAFE_HEADERS,
      'Content-Security-Policy': page.policy,
      'Cache-Control': 'no-cache',
      ...(page.spoken && { Vary: 'Accept-Language' }),
    },
  }
}
