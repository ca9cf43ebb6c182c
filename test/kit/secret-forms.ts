const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const bytes = (text: string, before: string): string =>
  [...Buffer.from(text)].map((byte) => before + byte.toString(16).padStart(2, '0')).join('')

/** The ways in which a mail server may repeat a password that it was given. */
export const secretForms = (user: string, password: string): string[] => {
  const joined = [`\0${user}\0${password}`, `${user}\0${user}\0${password}`, `${user}:${password}`, `${password}\r\n`]
  const forms = [
    password,
    encodeURIComponent(password),
    bytes(password, '%'),
    bytes(password, String.raw`\x`),
    ...[password, ...joined].flatMap((text) => [
      base64(text),
      base64(text).replaceAll('=', ''),
      Buffer.from(text).toString('base64url'),
      hex(text),
    ]),
    hex(password).replaceAll(/..(?=.)/g, '$&:'),
  ]
  return [...new Set(forms.flatMap((form) => [form, form.toUpperCase(), form.toLowerCase()]))]
}
