/**
 * Decodes base64url without padding. Node's own decoder skips characters that do not belong there, so that many texts
 * would stand for the same bytes.
 * @returns undefined for a text that the encoder does not make
 */
export const fromBase64url = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
