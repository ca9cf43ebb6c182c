import type { Locale } from '#kernel/actor.ts'
import type { Content } from '#kernel/media.ts'
import { OWN_PARTS_ONLY, SAFE_HEADERS } from './page-file.ts'

/** A button that sends a POST. */
interface Button {
  label: string
  /** Where it sends it: a path of this server. */
  action: string
  /** Whether it is what most come for. */
  isPrimary: boolean
}

export interface SmallPage {
  title: string
  text: string
  button?: Button
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)

const formOf = ({ label, action, isPrimary }: Button): string => `
        <form method="post" action="${escaped(action)}">
          <div class="actions">
            <button type="submit"${isPrimary ? ' class="primary"' : ''}>${escaped(label)}</button>
          </div>
        </form>`

/** A page of a heading, a sentence or two and at most one button, in the reader's language. It needs no script. */
export const smallPage = (language: Locale, { title, text, button }: SmallPage): Content => ({
  type: 'text/html; charset=utf-8',
  headers: { ...SAFE_HEADERS, 'Content-Security-Policy': OWN_PARTS_ONLY },
  body: `<!doctype html>
<html lang="${language}" dir="${language === 'en' ? 'ltr' : 'rtl'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${escaped(title)}</title>
    <link rel="icon" href="/setup/assets/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/setup/assets/style/base.css" />
    <link rel="stylesheet" href="/setup/assets/style/frame.css" />
    <link rel="stylesheet" href="/setup/assets/style/fields.css" />
    <link rel="stylesheet" href="/setup/assets/style/screens.css" />
  </head>
  <body>
    <header>
      <p class="brand">
        <img src="/setup/assets/mark.svg" alt="" width="36" height="36" /><bdi lang="en">Institute</bdi>
      </p>
    </header>
    <main>
      <section>
        <h1>${escaped(title)}</h1>
        <p class="lead">${escaped(text)}</p>${button ? formOf(button) : ''}
      </section>
    </main>
  </body>
</html>
`,
})
