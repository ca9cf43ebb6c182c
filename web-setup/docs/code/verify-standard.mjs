import { Webhook } from 'standardwebhooks'

/**
 * @param {string} secret the signing secret, as it was shown
 * @param {Record<string, string>} headers of the request
 * @param {Buffer} body the bytes of the request, exactly as they came
 * @returns {{id: string, type: string, data: object}} the event
 * @throws when it does not come from this server
 */
export const eventIn = (secret, headers, body) => new Webhook(secret).verify(body, headers)
