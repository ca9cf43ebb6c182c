import { createRequire } from 'node:module'
import path from 'node:path'
import { isSea } from 'node:sea'
import { readAsset } from '#app/executable/assets.ts'
import { servedFile, type ServedFile } from './page-file.ts'

/** Scripts for browsers that are bundled of src: the registration form for websites, and the rule for new passwords. */
export type BrowserScript = 'widget.js' | 'weak-passwords.js'

/** The build bundles the scripts. A checkout, where the bundler is installed, does it when somebody asks for one. */
const readScript = (name: BrowserScript): Buffer => {
  if (isSea()) return readAsset(name)
  const bundler = path.resolve(import.meta.dirname, '../../../build/browser-scripts.ts')
  const { browserScripts } = createRequire(import.meta.url)(bundler) as {
    browserScripts: Readonly<Record<BrowserScript, () => Buffer>>
  }
  return browserScripts[name]()
}

export const browserScript = (name: BrowserScript): ServedFile => servedFile(name, () => readScript(name))
