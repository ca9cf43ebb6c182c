import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A root folder of Debian with only its base packages, to be copied; '' where it cannot be made. */
    bareDebian: string
  }
}

const folder = path.resolve(import.meta.dirname, '../../.cache/debian')

/** A vitest globalSetup that makes it once per checkout, from a Debian mirror, in about 25 seconds. */
export const setup = ({ provide }: Pick<TestProject, 'provide'>): void => {
  if (process.getuid?.() !== 0) {
    provide('bareDebian', '')
    return
  }
  if (!existsSync(folder)) {
    const incoming = `${folder}.${process.pid}`
    const args = ['--variant=minbase', 'bookworm', incoming]
    // debootstrap lies outside a user's PATH, and needs other programs from there.
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
    const { status } = spawnSync('debootstrap', args, { stdio: 'ignore', timeout: 120_000, env })
    if (status === 0) renameSync(incoming, folder)
    else rmSync(incoming, { recursive: true, force: true })
  }
  provide('bareDebian', existsSync(folder) ? folder : '')
}
