import { LOCALES } from '#shared/locale.ts'
import { WORDS, type About } from './words/index.ts'

/** README.txt of an archive, in the languages of the program. */

const RULE = `\n${'-'.repeat(78)}\n\n`

/** With a byte order mark and Windows line ends, so that every text editor shows it right. */
export const readme = (about: About): string =>
  `\uFEFF${LOCALES.map((locale) => WORDS[locale].readme(about)).join(RULE)}`.replaceAll('\n', '\r\n')
