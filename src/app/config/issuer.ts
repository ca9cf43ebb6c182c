import type { Issuer } from '#modules/licensing/index.ts'
import type { Config } from './config.ts'

/** The issuer of the licence; undefined: none is known. */
export const issuerOf = ({ license: { vendorUrl: url, publicKey: key } }: Config): Issuer | undefined =>
  url === undefined || key === undefined ? undefined : { url, key }
