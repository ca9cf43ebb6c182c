import { isIP } from 'node:net'
import type { LanZoneSettings } from './config.ts'
import { integer, type Setting } from './setting.ts'

/** Room stays for `_acme-challenge.` and the name of a server before it. */
const LONGEST_ZONE = 200
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

const domain = (text: string): string | undefined => {
  const name = text.trim().toLowerCase().replace(/\.$/, '')
  return name.length <= LONGEST_ZONE && DOMAIN.test(name) ? name : undefined
}

const NONE: LanZoneSettings = { name: '', nameServers: [], listen: { host: '0.0.0.0', port: 53 } }

const readListen = (text: string): LanZoneSettings['listen'] => {
  const [, host = '', digits = ''] = /^\[?([\d.a-f:]+?)\]?:(\d+)$/i.exec(text) ?? []
  const port = integer(digits, 0, 65_535)
  return isIP(host) !== 0 && port !== undefined ? { host, port } : undefined
}

/** The names that a vendor gives to servers of its licences, in the order of --help. */
export const LAN_ZONE_SETTINGS: Readonly<Record<string, Setting>> = {
  INSTITUTE_LAN_ZONE: {
    isRare: true,
    allowed: 'a domain, such as lan.vendor.example, together with INSTITUTE_LAN_ZONE_SERVERS',
    about: 'The vendor’s: servers with a licence get a name below it for their own network, and HTTPS with it',
    without: 'no names are given',
    read: (text, { lanZone }) => {
      const name = domain(text)
      return name === undefined ? undefined : { lanZone: { ...NONE, ...lanZone, name } }
    },
  },
  INSTITUTE_LAN_ZONE_SERVERS: {
    isRare: true,
    allowed: 'names of name servers, separated by commas, such as ns1.vendor.example,ns2.vendor.example',
    about: 'To which the domain above delegates INSTITUTE_LAN_ZONE: the names of the machines that answer for it',
    without: 'no names are given',
    read: (text, { lanZone }) => {
      const names = text.split(',').map(domain)
      const nameServers = names.filter((name) => name !== undefined)
      return nameServers.length === names.length && names.length <= 8
        ? { lanZone: { ...NONE, ...lanZone, nameServers } }
        : undefined
    },
  },
  INSTITUTE_LAN_ZONE_DNS: {
    isRare: true,
    allowed: 'an address of this machine with a port, such as 0.0.0.0:53 or [::]:53; or off',
    about: 'Where this process answers for INSTITUTE_LAN_ZONE, over UDP and TCP',
    without: '0.0.0.0:53, where there is an INSTITUTE_LAN_ZONE',
    read: (text, { lanZone }) => {
      const listen = text === 'off' ? undefined : readListen(text)
      if (listen === undefined && text !== 'off') return undefined
      return { lanZone: { ...NONE, ...lanZone, listen } }
    },
  },
}
