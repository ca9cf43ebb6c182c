import path from 'node:path'
import type { Plugin } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')

/**
 * Modules that replace those with which each package finds its addon on disk. argon2 loads its addon at import, long
 * before the data directory is known, so it gets a function that loads it on first use.
 */
const stubs: Record<string, string> = {
  argon2: `module.exports = () => ({ hash: (...args) => nativeAddon('argon2').hash(...args) })`,
  'better-sqlite3': `exports.getBinding = () => nativeAddon('better-sqlite3')`,
}

/** An esbuild plugin: bundled packages load their addons through src/app/data-dir/native.ts. */
export const addonPlugin: Plugin = {
  name: 'native addons',
  setup(build) {
    const namespace = 'addon'
    build.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.endsWith('better-sqlite3/lib/index.js') ? { path: 'better-sqlite3', namespace } : null,
    )
    build.onResolve({ filter: /^node-gyp-build$/ }, ({ importer }) =>
      importer.endsWith('argon2/argon2.cjs') ? { path: 'argon2', namespace } : null,
    )
    build.onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({
      contents: `const { nativeAddon } = require('./src/app/data-dir/native.ts')\n${stubs[name]}`,
      resolveDir: root,
    }))
  },
}
