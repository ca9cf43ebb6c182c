import { chmodSync, writeFileSync } from 'node:fs'
import { keyFileOf, newBackupKey } from '#app/backup/encryption.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { result, tell, type Command } from './command.ts'

export const backupKey: Command = {
  about: 'Make the key to encrypted backups: a file that you keep, and the line for the settings',
  usage: 'FILE',
  words: 1,
  proposed: { isPath: true },
  settings: [],
  run: async ({ words: [file = ''] }) => {
    const key = await newBackupKey()
    try {
      writeFileSync(file, keyFileOf(key), { mode: 0o600, flag: 'wx' })
      chmodSync(file, 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      throw new Mistake(`${file} is there already, perhaps with the key to your backups: name another file.`, {
        cause: error,
      })
    }
    tell(
      `The key is in ${file}. Move it to where this server is not (a stick, a password manager, paper), and keep it twice:`,
    )
    tell('whoever has it can read every backup, and without it nobody can. The settings get the public key alone:')
    result(`INSTITUTE_BACKUP_KEY=${key.recipient}`)
    return 0
  },
}
