import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'

/** The reference page's parts, under the names by which /docs asks for them. */
const docs = {
  'docs/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'docs/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
}

/** Files that help to write the wizard and that no browser asks for. */
const notServed = /(^|\/)tsconfig\.json$|\.d\.ts$/

/**
 * Every asset of a checkout: its name, and its file relative to the checkout. The build packs these, so that the
 * executable and a checkout know the same names.
 */
export function checkoutAssets(): Map<string, string> {
  const wizard = readdirSync(inCheckout('web-setup'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(inCheckout('.'), path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !notServed.test(name))
    .toSorted()
  return new Map([...wizard.map((name) => [name, name] as const), ...Object.entries(docs)])
}

/** The names of the wizard's assets or of the reference page's, in order. */
export function assetNames(prefix: 'web-setup/' | 'docs/'): string[] {
  const names = isSea() ? getAssetKeys() : [...checkoutAssets().keys()]
  return names.filter((name) => name.startsWith(prefix)).toSorted()
}

/**
 * The bytes of one asset: `web-setup/…` and `docs/…` as `assetNames` lists them. Read anew each time, in the
 * executable with a decompression: who serves them keeps them.
 *
 * @throws Error when there is no such asset
 */
export function readAsset(name: string): Buffer {
  if (isSea()) return brotliDecompressSync(getRawAsset(name))
  const file = checkoutAssets().get(name)
  if (file === undefined) throw new Error(`There is no asset ${name}`)
  return readFileSync(inCheckout(file))
}

function inCheckout(file: string): string {
  return path.resolve(import.meta.dirname, '../..', file)
}
