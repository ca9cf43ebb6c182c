import { directionOf, type Locale } from '#shared/locale.ts'
import { escapeHtml } from '#kernel/basics/html.ts'
import { floorScript, type Needs } from './trouble.ts'

const STYLES = ['tokens', 'base', 'frame', 'fields', 'screens', 'trouble']

/** Parts are HTML, whole lines of it. */
interface Framed {
  language: Locale
  /** Text. */
  title: string
  /** The name of the institute; undefined: it is not known, or the page's script finds it. */
  institute?: string | undefined
  /** Its module, and what that needs; undefined: the page needs no script. */
  script?: { address: string; needs: Needs }
  /** The class of the body. */
  className?: string
  /** In the header, after the brand. */
  header?: string
  /** Between the header and `main`. */
  beforeMain?: string
  main: string
}

/** A page for people: the wizard and its like (`setup-pages.ts`), and the pages of a sentence or two (`small-page.ts`). */
export const framedPage = ({
  language,
  title,
  institute,
  script,
  className,
  header = '',
  beforeMain = '',
  main,
}: Framed): string => `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"${script ? ` data-needs="${script.needs}"` : ''}>
  <head>
    <meta charset="utf-8" />
${script ? floorScript() : ''}    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/setup/assets/mark.svg" type="image/svg+xml" />
${STYLES.map((name) => `    <link rel="stylesheet" href="/setup/assets/style/${name}.css" />\n`).join('')}${
  script === undefined ? '' : `    <script type="module" src="${script.address}"></script>\n`
}  </head>
  <body${className === undefined ? '' : ` class="${className}"`}>
    <header>
      <p class="brand">
        <img src="/setup/assets/mark.svg" alt="" width="36" height="36" />${
          institute === undefined
            ? '<bdi id="brand" lang="en">Institute</bdi>'
            : `<bdi id="brand">${escapeHtml(institute)}</bdi>`
        }
      </p>
${header}    </header>
${beforeMain}    <main>
${main}    </main>
  </body>
</html>
`
