import { createHmac, timingSafeEqual } from 'node:crypto'

const OLDEST_SECONDS = 300

/**
 * @param {string} secret the signing secret, `whsec_` included
 * @param {string} header X-Service-Signature
 * @param {Buffer} body the bytes of the request, exactly as they came
 * @returns {boolean}
 */
export function isGenuine(secret, header, body, nowSeconds = Date.now() / 1000) {
  const parts = header.split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(time) || Math.abs(nowSeconds - Number(time)) > OLDEST_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
