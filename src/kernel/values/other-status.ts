/** A reply with another status than the endpoint's usual one. */
export class OtherStatus<T> {
  readonly status: number
  readonly reply: T
  constructor(status: number, reply: T) {
    this.status = status
    this.reply = reply
  }
}

/**
 * The reply of a request that only asks what it would do: whatever the handler has written is taken back, nothing is
 * audited, and its Idempotency-Key stays free. Slow work (`prepare`) that comes before changes nothing by itself.
 */
export class Rehearsed<T> extends OtherStatus<T> {
  constructor(reply: T) {
    super(200, reply)
  }
}
