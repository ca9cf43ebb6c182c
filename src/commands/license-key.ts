import { makeLicenseKey, publicLicenseKey } from '#app/operator/license-key.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const licenseKeyCreate: Command = {
  about: 'Make the key with which this server, as the vendor’s, signs licences',
  run: async (invocation) => {
    const key = await makeLicenseKey(openConfig(invocation))
    if (key === undefined) {
      tell('There is a licence key already, and it stays: every install believes that one alone.')
      return 1
    }
    result(key)
    return 0
  },
}

export const licenseKeyPublic: Command = {
  about: 'Print the key by which installs know the licences of this server',
  run: async (invocation) => {
    const key = await publicLicenseKey(openConfig(invocation))
    if (key === undefined) {
      tell('There is no licence key here: institute license-key create makes one.')
      return 1
    }
    result(key)
    return 0
  },
}
