import { createHash } from 'node:crypto'
import { directionOf, type Locale } from '#shared/locale.ts'
import { escapeHtml } from '#kernel/basics/html.ts'
import { once } from '#kernel/basics/once.ts'
import type { Content } from '#kernel/values/media.ts'
import { SAFE_HEADERS } from './page-file.ts'
import { WORDS } from './words/index.ts'

/** In the page itself: while the program is away, nobody serves a file. The colours are those of tokens.css. */
const STYLE = `
:root { color-scheme: light dark; --page: #f6f5f1; --surface: #fff; --ink: #1d2725; --soft: #55625f; --line: #e3e2da; --accent: #14675e }
@media (prefers-color-scheme: dark) {
  :root { --page: #121817; --surface: #1a2220; --ink: #e8eeec; --soft: #a8b5b1; --line: #2a3532; --accent: #7fd3c6 }
}
* { box-sizing: border-box; margin: 0 }
body {
  display: grid; place-items: center; min-height: 100vh; padding: 16px; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', 'Noto Sans Hebrew', Tahoma, Arial, sans-serif
}
main { max-width: 26rem; padding: 32px 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); text-align: center }
h1 { margin-block: 16px 8px; font-size: 1.375rem; line-height: 1.3 }
p { color: var(--soft); text-wrap: pretty }
.ring { width: 36px; height: 36px; margin-inline: auto; border: 3px solid var(--line); border-top-color: var(--accent); border-radius: 50% }
@media (prefers-reduced-motion: no-preference) {
  .ring { animation: turn 1.2s linear infinite }
  @keyframes turn { to { transform: rotate(1turn) } }
}
`

const policy = once(() => {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
  }
})

/** Says that the program comes back in a moment. It needs nothing but itself. */
export const awayPage = (language: Locale): Content => {
  const { title, text } = WORDS[language].away
  return {
    type: 'text/html; charset=utf-8',
    headers: { ...SAFE_HEADERS, ...policy() },
    body: `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escapeHtml(title)}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <div class="ring"></div>
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(text)}</p>
    </main>
  </body>
</html>
`,
  }
}
