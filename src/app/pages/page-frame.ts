import { directionOf, type Locale } from '#shared/locale.ts'
import { escapeHtml } from '#kernel/basics/html.ts'

const STYLES = ['tokens', 'base', 'frame']

interface Framed {
  language: Locale
  /** Text. */
  title: string
  /** The name of the institute; undefined: it is not known. */
  institute?: string | undefined
  /** Whole lines of HTML. */
  main: string
  /** Of its own, besides those of all. */
  styles?: readonly string[]
}

/** A page of a sentence or two, which needs no script. */
export const framedPage = ({ language, title, institute, main, styles = [] }: Framed): string => `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/setup/assets/mark.svg" type="image/svg+xml" />
${[...STYLES, ...styles].map((name) => `    <link rel="stylesheet" href="/setup/assets/style/${name}.css" />\n`).join('')}  </head>
  <body>
    <header>
      <p class="brand">
        <img src="/setup/assets/mark.svg" alt="" width="36" height="36" />${
          institute === undefined ? '<bdi lang="en">Institute</bdi>' : `<bdi>${escapeHtml(institute)}</bdi>`
        }
      </p>
    </header>
    <main>
${main}    </main>
  </body>
</html>
`
