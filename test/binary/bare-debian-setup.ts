import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The root folder of a Debian with nothing but what every Debian has, to be copied; '' where none can be made. */
    bareDebian: string
  }
}

const folder = path.resolve(import.meta.dirname, '../../.cache/debian')

/** A vitest globalSetup: makes it once for the checkout, in about 25 seconds, from a Debian mirror. */
export const setup = ({ provide }: Pick<TestProject, 'provide'>): void => {
  if (process.getuid?.() !== 0) {
    provide('bareDebian', '')
    return
  }
  if (!existsSync(folder)) {
    const incoming = `${folder}.${process.pid}`
    const args = ['--variant=minbase', 'bookworm', incoming]
    // It lies where a user's PATH does not lead, and needs others that lie there.
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
    const { status } = spawnSync('debootstrap', args, { stdio: 'ignore', timeout: 120_000, env })
    if (status === 0) renameSync(incoming, folder)
    else rmSync(incoming, { recursive: true, force: true })
  }
  provide('bareDebian', existsSync(folder) ? folder : '')
}
