import { addressOrFolder, type Setting } from './setting.ts'

/** Where the program looks for new versions of itself. */
export const updateFrom: Setting = {
  isRare: true,
  allowed: 'an address that begins with https:// or http://, or a folder',
  about: 'Where this program looks for new versions of itself once a day',
  without: 'what the build names; where it names none, nothing is looked for',
  read: (text, { updates }) => {
    const from = addressOrFolder(text)
    return from === undefined ? undefined : { updates: { ...updates, from } }
  },
}
