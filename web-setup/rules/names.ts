/** What the server takes, so that a page can say it before anything is sent. */

const EMAIL_MAX = 254
/** As in the HTML standard: Latin letters, digits and signs. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

export function isEmail(value: string): boolean {
  return value.length <= EMAIL_MAX && EMAIL.test(value)
}

/** The name of a person or an institute: it stands in mails to strangers, so it holds no address of a page. */
export function isName(value: string): boolean {
  const isVisible = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value)
  const isOneLine = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)
  return isVisible && isOneLine && !/:\/\/|https?:|www\./iu.test(value.normalize('NFKC'))
}

/** The server's rule for a short name; the server makes it lower case. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)
}
