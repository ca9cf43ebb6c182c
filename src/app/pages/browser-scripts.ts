import { createRequire } from 'node:module'
import { isSea } from 'node:sea'
import { inCheckout, readAsset } from '#executable/assets.ts'
import { servedFile, type ServedFile } from './page-file.ts'

/** The scripts of the wizard and its like, under their names in web-setup/assets: one for each page. */
export const SETUP_SCRIPTS = ['wizard/main.js'] as const

/**
 * Scripts for browsers that are bundled: the registration form for websites, the rule for new passwords, and those of the
 * wizard and its like.
 */
export type BrowserScript = 'widget.js' | 'weak-passwords.js' | `setup/${(typeof SETUP_SCRIPTS)[number]}`

/** The build bundles the scripts. A checkout, where the bundler is installed, does it when somebody asks for one. */
const readScript = (name: BrowserScript): Buffer => {
  if (isSea()) return readAsset(name)
  const { browserScripts } = createRequire(import.meta.url)(inCheckout('build/browser-scripts.ts')) as {
    browserScripts: Readonly<Record<BrowserScript, () => Buffer>>
  }
  return browserScripts[name]()
}

export const browserScript = (name: BrowserScript): ServedFile => servedFile(name, () => readScript(name))
