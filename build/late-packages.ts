import { createRequire } from 'node:module'
import type { Plugin } from 'esbuild'

/**
 * Packages that the program imports and does not use while it starts. Loaded with the others they cost a start some
 * 25 ms of 250: mime-types alone takes 12 to sort a thousand types.
 */
const LATE = ['marked', 'mime-types', 'nodemailer', 'pg', 'pino-pretty', 'tar', 'yazl']

const REAL = 'real'
const require = createRequire(import.meta.url)

/**
 * A module with the exports of a package, which loads the package when one of them is used. Functions are forwarded,
 * constructors too: an importer may take them out of the module while it loads.
 */
const standIn = (name: string): string => {
  const exported = require(name) as object
  const real = `require(${JSON.stringify(name)})`
  const forward = (to: string) =>
    `function (...args) { const to = ${to}; return new.target ? new to(...args) : to(...args) }`
  const properties = Object.entries(exported)
    .filter(([key]) => /^\w+$/.test(key))
    .map(([key, value]) => {
      const of = `${real}.${key}`
      return `${key}: { enumerable: true, ${isPlainFunction(value) ? `value: ${forward(of)}` : `get: () => ${of}`} }`
    })
  const base = isPlainFunction(exported) ? forward(real) : '{}'
  return `module.exports = Object.defineProperties(${base}, { ${properties.join(',\n')} })`
}

/** Classes are not forwarded: somebody may extend them, or ask what is an instance of them. */
const isPlainFunction = (value: unknown): boolean => typeof value === 'function' && !/^class\b/.test(String(value))

/** An esbuild plugin: the packages of the list are loaded on first use. */
export const latePlugin: Plugin = {
  name: 'late packages',
  setup(build) {
    const namespace = 'late'
    build.onResolve({ filter: new RegExp(`^(${LATE.join('|')})$`) }, (asked) => {
      if (asked.pluginData === REAL) return null
      if (asked.namespace !== namespace) return { path: asked.path, namespace }
      // A stand-in asks for the package itself, in the form that it has for an import.
      const { path, importer, resolveDir } = asked
      return build.resolve(path, { kind: 'import-statement', importer, resolveDir, pluginData: REAL })
    })
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: standIn(path),
      resolveDir: import.meta.dirname,
    }))
  },
}
