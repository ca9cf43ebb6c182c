import { sendFile } from './send-file.ts'
import { accessToken } from './session.ts'

/**
 * Puts a file at an address of the API, in the name of whoever is signed in. What the page has just read has renewed the
 * token: a refusal in the middle of a large file would reach nobody.
 * @throws Problem
 */
export const putFile = (path: `/${string}`, file: File, onSent: (share: number) => void): Promise<void> =>
  sendFile(file, {
    address: `/api/v1${path}`,
    headers: { Authorization: `Bearer ${accessToken()}`, 'Content-Type': 'application/octet-stream' },
    onSent,
  })
