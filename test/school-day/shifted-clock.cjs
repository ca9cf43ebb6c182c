// Loaded before a program: its clock is CLOCK_AHEAD_MILLIS ahead.
const ahead = Number(process.env.CLOCK_AHEAD_MILLIS)
const RealDate = Date
globalThis.Date = class Date extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + ahead)
    else super(...values)
  }
  static now() {
    return RealDate.now() + ahead
  }
}
process.stdout.write(`The clock is ${ahead} ms ahead\n`)
