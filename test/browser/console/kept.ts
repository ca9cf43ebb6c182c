import type { Page } from 'playwright-core'
import nacl from 'tweetnacl'
import type { TestMember } from '#kit/institute.ts'

/** Everything that lies in the browser's database, as somebody who has the disk reads it. */
export const onDisk = (page: Page) =>
  page.evaluate<string>(`new Promise((resolve) => {
    const text = (value) =>
      value instanceof Uint8Array ? new TextDecoder().decode(value) : value && typeof value === 'object' ? Object.entries(value).map(([name, inner]) => name + '=' + text(inner)).join(' ') : String(value)
    indexedDB.open('institute-intents').onsuccess = ({ target: { result } }) => {
      const all = []
      const transaction = result.transaction(['unanswered', 'drafts'])
      for (const name of ['unanswered', 'drafts'])
        transaction.objectStore(name).getAll().onsuccess = ({ target }) => all.push(...target.result.map(text))
      transaction.oncomplete = () => resolve(all.join(' '))
    }
  })`)

/** Leaves rows in the database of a former version, with the bytes of what it sealed as arrays. */
export const leaveFormer = (page: Page, table: 'unsent' | 'drafts', rows: object[]) =>
  page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open('institute', 1)
    request.onupgradeneeded = () => {
      const unsent = request.result.createObjectStore('unsent', { keyPath: 'id', autoIncrement: true })
      unsent.createIndex('owner', 'owner')
      request.result.createObjectStore('drafts', { keyPath: ['owner', 'sessionId'] })
    }
    request.onsuccess = () => {
      const transaction = request.result.transaction(['${table}'], 'readwrite')
      for (const { sealed, ...row } of ${JSON.stringify(rows)})
        transaction.objectStore('${table}').put({ ...row, ...(sealed && { sealed: Uint8Array.from(sealed) }) })
      transaction.oncomplete = () => {
        request.result.close()
        resolve()
      }
    }
  })`)

/** What is left there: the number of rows. */
export const leftByFormer = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    indexedDB.open('institute').onsuccess = ({ target: { result } }) => {
      result.transaction('unsent').objectStore('unsent').count().onsuccess = ({ target }) => {
        result.close()
        resolve(target.result)
      }
    }
  })`)

/** As a former version sealed it. */
export const sealedFor = async (member: TestMember, content: object): Promise<number[]> => {
  const { body } = await member.get('/auth/me')
  const nonce = nacl.randomBytes(nacl.secretbox.nonceLength)
  const key = Buffer.from(body.deviceKey as string, 'base64url')
  const box = nacl.secretbox(Buffer.from(JSON.stringify(content)), nonce, key)
  return [...nonce, ...box]
}
