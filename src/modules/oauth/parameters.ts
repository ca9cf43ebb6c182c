import * as v from 'valibot'

/** What clients send, exactly as they send it: it is compared or goes back to them, and is not trimmed. */
export const asSent = (max: number) =>
  v.pipe(
    v.string(),
    v.maxLength(max, `Must have at most ${max} characters.`),
    v.check((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), 'Must not contain line breaks or control characters.'),
  )

/** As `asSent`, but refuses the empty text. */
export const filledAsSent = (max: number) => v.pipe(asSent(max), v.minLength(1, 'Must not be empty.'))

/** A parameter of a form. Without a value it counts as missing (RFC 6749, 3.2). */
export const parameter = v.optional(
  v.pipe(
    asSent(4000),
    v.transform((value) => (value === '' ? undefined : value)),
  ),
)
