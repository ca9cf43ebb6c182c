import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib'
import { once } from '#kernel/basics/once.ts'
import { MACHINE_CODE, paperAssets } from './paper-assets.ts'

/** The files of the API reference page, under the names that /docs asks for. */
const docs = {
  'docs/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'docs/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
}

/** The colours of the console are those of all pages. */
const tokens = { 'web-setup/assets/style/tokens.css': 'src/console/style/tokens.css' }

/** The native addons of the executable: `native/<SHA-256>/<package>.node`. */
export const ADDONS = 'native/'

/** Files of the wizard that no browser asks for: what is bundled. */
const notServed = /(^|\/)tsconfig\.json$|\.tsx?$|^web-setup\/style\//

/**
 * Lists every asset of a checkout: its name, and its file relative to the checkout. The build packs the same list, so
 * the executable and a checkout have the same asset names.
 */
export function checkoutAssets(): Map<string, string> {
  const wizard = readdirSync(inCheckout('web-setup'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(inCheckout('.'), path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !notServed.test(name))
    .toSorted()
  return new Map([
    ...wizard.map((name) => [name, name] as const),
    ...Object.entries({ ...tokens, ...docs }),
    ...paperAssets,
  ])
}

/** Lists the names of the wizard's, of the reference page's or (in the executable) of the console's assets, sorted. */
export function assetNames(prefix: 'web-setup/' | 'docs/' | 'console/'): string[] {
  const names = isSea() ? getAssetKeys() : [...listed().keys()]
  return names.filter((name) => name.startsWith(prefix)).toSorted()
}

const listed = once(checkoutAssets)

/**
 * Reads one asset: a `web-setup/…` or `docs/…` name, as `assetNames` lists them, one of papers, or (in the executable)
 * an addon. Only the list of a checkout is cached: every call reads the file again, and decompresses it in the
 * executable. Callers that serve assets keep the bytes.
 *
 * @throws Error when there is no such asset
 */
export function readAsset(name: string): Buffer<ArrayBuffer> {
  if (isSea())
    return isZstd(name) ? zstdDecompressSync(getRawAsset(name), OUTPUT) : brotliDecompressSync(getRawAsset(name))
  const file = listed().get(name)
  if (file === undefined) throw new Error(`There is no asset ${name}`)
  return readFileSync(inCheckout(file))
}

/** Whether the executable has an asset that not each one has. */
export function hasAsset(name: string): boolean {
  return isSea() && getAssetKeys().includes(name)
}

/** Papers and starts wait for megabytes, which zstd unpacks in half the time. Brotli is what browsers take. */
export const isZstd = (name: string): boolean =>
  paperAssets.has(name) || name === MACHINE_CODE || name.startsWith(ADDONS)

/** In parts of the usual 16 KB, 28 MB take half as long again. The largest addon is one part, so nothing copies it. */
const OUTPUT = { chunkSize: 4 * 1024 * 1024 }

/** Reads an asset of the executable as it lies there: compressed with Brotli. */
export function readCompressedAsset(name: string): Buffer {
  return Buffer.from(getRawAsset(name))
}

/** The absolute path of a file of the checkout. */
export function inCheckout(file: string): string {
  return path.resolve(import.meta.dirname, '../..', file)
}
