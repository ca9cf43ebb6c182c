import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

const [MAKE, MOUNT] = ['/usr/sbin/mkntfs', '/usr/bin/ntfs-3g']

/** @returns why no disk with NTFS can be mounted; undefined: it can */
export const whyNoNtfs = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root can mount a disk'
  const missing = [MAKE, MOUNT, '/dev/fuse'].find((name) => !existsSync(name))
  return missing === undefined ? undefined : `${missing} is not there (apt-get install ntfs-3g)`
}

/** Mounts a small disk with NTFS until the test has ended. @param options of the mount */
export const mountNtfs = (options?: string): string => {
  const home = mkdtempSync(path.join(tmpdir(), 'institute-ntfs-'))
  const [image, folder] = [path.join(home, 'image'), path.join(home, 'disk')]
  writeFileSync(image, '')
  truncateSync(image, 64 * 1024 * 1024)
  mkdirSync(folder)
  execFileSync(MAKE, ['-F', '-Q', '-q', image], { stdio: 'ignore' })
  execFileSync(MOUNT, [...(options === undefined ? [] : ['-o', options]), image, folder], { stdio: 'ignore' })
  onTestFinished(() => {
    execFileSync('umount', [folder])
    rmSync(home, { recursive: true })
  })
  return folder
}
