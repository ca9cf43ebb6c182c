import path from 'node:path'
import { readS3Folder, S3_URL } from '#ports/files/s3/settings.ts'
import { isRecipient } from './backup-key.ts'
import { DEFAULTS } from './config.ts'
import { wholeNumber, type Setting } from './setting.ts'

/** The keys of the nightly backups, in the order of --help. */
export const BACKUP_SETTINGS: Readonly<Record<string, Setting>> = {
  INSTITUTE_BACKUP_KEEP: {
    allowed: '0 to 1000',
    about: 'Nightly backups that are kept; 0 makes none',
    default: String(DEFAULTS.backups.keep),
    read: (text, { backups }) => wholeNumber(0, 1000, (keep) => ({ backups: { ...backups, keep } }))(text),
  },
  INSTITUTE_BACKUP_TO: {
    allowed: `a folder, or ${S3_URL}; a folder of the bucket may follow BUCKET`,
    isPath: true,
    about: 'Folder on another disk, such as a mounted share, or bucket that gets a copy of each nightly backup',
    read: (text, { backups }) => {
      if (!/^s3(?:\+http)?:/.test(text)) return { backups: { ...backups, to: { folder: path.resolve(text) } } }
      const to = readS3Folder(text)
      return to && { backups: { ...backups, to } }
    },
  },
  INSTITUTE_BACKUP_KEY: {
    allowed: 'the line that `institute backup key FILE` prints: age1…, and each letter of it counts',
    about: 'Public key that copies of backups in a bucket are encrypted with',
    read: (key, { backups }) => (isRecipient(key) ? { backups: { ...backups, key } } : undefined),
  },
  INSTITUTE_BACKUP_COMMAND: {
    allowed: 'a program',
    isPath: true,
    about: 'Program that is run after each nightly backup, with the path of its file as argument',
    read: (file, { backups }) => ({ backups: { ...backups, command: path.resolve(file) } }),
  },
}
