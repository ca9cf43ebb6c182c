import { X509Certificate } from 'node:crypto'
import { HttpsFiles, isByPublic, publicName } from '#app/https/state-file.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

const SETTINGS = ['INSTITUTE_DATA_DIR'] as const

const dayOf = (chain: string): string => new X509Certificate(chain).validToDate.toISOString().slice(0, 10)

export const https: Command = {
  about: 'Say how the server is reached over HTTPS, as it was chosen in the console',
  settings: SETTINGS,
  run: async (invocation) => {
    const { dataDir, tls } = openConfig(invocation)
    const files = new HttpsFiles(dataDir)
    const state = files.state()
    const { choice, order, vendorName } = state
    if (tls) tell('INSTITUTE_TLS_CERT gives the certificate: what was chosen in the console has no effect.')
    const root = files.read('root')
    if (root && choice.way === 'local') tell(`Root (SHA-256): ${new X509Certificate(root.chain).fingerprint256}`)
    const served = choice.way === 'off' ? undefined : files.read(isByPublic(choice) ? 'public' : 'local')
    if (served) tell(`The certificate is good until ${dayOf(served.chain)}; a new one comes by itself.`)
    if (choice.way === 'vendor' && vendorName.failure) {
      const { at, reason, detail } = vendorName.failure
      tell(`The vendor gave no name at ${at} (${reason}): ${detail}`)
    }
    if (isByPublic(choice) && order?.result === 'failed') {
      tell(`The last order failed at ${order.at} (${order.reason ?? 'authority'}): ${order.detail}`)
    }
    if (choice.way !== 'off') tell(`Pages over plain HTTP ${choice.leads ? 'lead to HTTPS' : 'go on'}.`)
    const name = choice.way === 'vendor' ? publicName(state) : choice.name
    result([choice.way, ...(name === null ? [] : [name])].join(' '))
    return 0
  },
}

export const httpsOff: Command = {
  about: 'Turn HTTPS off that was chosen in the console: plain HTTP alone goes on; keys and certificates stay',
  settings: SETTINGS,
  run: async (invocation) => {
    const { dataDir } = openConfig(invocation)
    new HttpsFiles(dataDir).change(({ choice }) => ({ choice: { ...choice, way: 'off', leads: false } }))
    tell('A server that runs follows within half a minute.')
    return 0
  },
}
