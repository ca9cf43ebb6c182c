import { createRequire } from 'node:module'
import { isSea } from 'node:sea'
import { inCheckout, readAsset } from '#executable/assets.ts'
import { servedFile, type ServedFile } from './page-file.ts'

/**
 * Scripts for browsers that are bundled alone: the registration form for websites, the rule for new passwords, and what
 * shows messages where no page is open.
 */
export type BrowserScript = 'widget.js' | 'weak-passwords.js' | 'push-worker.js'

/** The build bundles the scripts. A checkout, where the bundler is installed, does it when somebody asks for one. */
const readScript = (name: BrowserScript): Buffer => {
  if (isSea()) return readAsset(name)
  const { browserScripts } = createRequire(import.meta.url)(inCheckout('build/browser-scripts.ts')) as {
    browserScripts: Readonly<Record<BrowserScript, () => Buffer>>
  }
  return browserScripts[name]()
}

export const browserScript = (name: BrowserScript): ServedFile => servedFile(name, () => readScript(name))
