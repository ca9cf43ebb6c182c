import type { Words } from '../../words/words.ts'

/**
 * Why the server does not take an address, in words. Which ones it takes depends on where it runs: only its message says.
 * @param message of the issue, in English
 */
export const addressFault = ({ addressFaults: faults }: Words['webhooks'], message: string): string => {
  if (/begin with https:\/\/ or|begin with http:\/\//.test(message)) return faults.scheme
  if (/begin with https:\/\//.test(message)) return faults.https
  if (/is not allowed/.test(message)) return faults.refused
  return /user name or password/.test(message) ? faults.password : faults.other
}
