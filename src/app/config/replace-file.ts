import { rmSync, writeFileSync } from 'node:fs'
import { moveFileNow } from '#executable/to-disk.ts'
import { keepOthersOut } from '#app/trouble/rights.ts'

/**
 * Writes a file of mode 0600 atomically: whoever reads it, also after a crash, finds the old text or the new one. Two
 * processes must not do it at once with the same file.
 */
export const replaceFile = (file: string, text: string): void => {
  const draft = `${file}.${process.pid}.part`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    // The mode above applies to new files only, and a killed process may have left its draft.
    keepOthersOut(draft, 0o600)
    moveFileNow(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
