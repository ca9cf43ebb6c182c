import path from 'node:path'
import type { Plugin } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')

/** The native addons of the target that is packaged, by asset name; `loadNative` finds them there. */
export const addonAssets = {
  'native/argon2.node': 'node_modules/argon2/prebuilds/linux-x64/argon2.glibc.node',
  'native/better-sqlite3.node': 'node_modules/better-sqlite3/prebuilds/linux-x64.node',
}

/**
 * In place of the module by which each package looks for its addon on disk. argon2 asks while it is being loaded, long
 * before the data directory is known, and therefore gets a function that asks later.
 */
const stubs: Record<string, string> = {
  argon2: `module.exports = () => ({ hash: (...args) => nativeAddon('argon2').hash(...args) })`,
  'better-sqlite3': `exports.getBinding = () => nativeAddon('better-sqlite3')`,
}

/** Lets the bundled packages take their addons from src/app/native.ts. */
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
      contents: `const { nativeAddon } = require('./src/app/native.ts')\n${stubs[name]}`,
      resolveDir: root,
    }))
  },
}
