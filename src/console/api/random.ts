/** A random name of 32 letters and digits. crypto.randomUUID is missing on a plain http address of the local network. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
