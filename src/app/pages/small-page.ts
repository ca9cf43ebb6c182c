import type { Locale } from '#shared/locale.ts'
import { escapeHtml } from '#kernel/basics/html.ts'
import type { Content } from '#kernel/values/media.ts'
import { OWN_PARTS_ONLY, SAFE_HEADERS } from './page-file.ts'
import { framedPage } from './page-frame.ts'

/** A button that sends a POST. */
interface Button {
  label: string
  /** Where it sends it: a path of this server. */
  action: string
  /** Whether most people who open the page want it. */
  isPrimary: boolean
}

export interface SmallPage {
  title: string
  text: string
  button?: Button
  /** A button that leads to another server. */
  away?: { label: string; url: string }
  /** What a link to the beginning of this server is called; undefined: there is none. */
  wayHome?: string
  /** The name of the institute, where it is known. */
  institute?: string | undefined
}

const formOf = ({ label, action, isPrimary }: Button): string => `
        <form method="post" action="${escapeHtml(action)}">
          <div class="actions">
            <button type="submit"${isPrimary ? ' class="primary"' : ''}>${escapeHtml(label)}</button>
          </div>
        </form>`

const linkAway = ({ label, url }: { label: string; url: string }): string => `
        <p><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(label)}</a></p>`

const linkHome = (label: string): string => `
        <p><a href="/">${escapeHtml(label)}</a></p>`

/** A page of a heading, a sentence or two and at most one button, in the reader's language. It needs no script. */
export const smallPage = (language: Locale, { title, text, button, away, wayHome, institute }: SmallPage): Content => ({
  type: 'text/html; charset=utf-8',
  headers: { ...SAFE_HEADERS, 'Content-Security-Policy': OWN_PARTS_ONLY },
  body: framedPage({
    language,
    title,
    institute,
    main: `      <section>
        <h1>${escapeHtml(title)}</h1>
        <p class="lead">${escapeHtml(text)}</p>${button ? formOf(button) : ''}${away ? linkAway(away) : ''}${
          wayHome === undefined ? '' : linkHome(wayHome)
        }
      </section>
`,
  }),
})
