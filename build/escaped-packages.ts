import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** Packages with regular expressions that name letters beyond ASCII, which the bundler leaves as they are. */
const SPOKEN = /[\\/]node_modules[\\/]numfmt[\\/].*\.js$/

/** An esbuild plugin: such letters are written as `\u00c8`, which means the same in a text and in a regular expression. */
export const escapedPlugin: Plugin = {
  name: 'escaped packages',
  setup(build) {
    build.onLoad({ filter: SPOKEN }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /[^\0-\x7f]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    }))
  },
}
