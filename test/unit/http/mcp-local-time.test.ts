import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localTime } from '#http/mcp/local-time.ts'

const ZONES = [
  'UTC',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
]

const digits = '2-digit'
const date = { year: 'numeric', month: digits, day: digits } as const
const time = { hour: digits, minute: digits, timeZoneName: 'longOffset' } as const
const formats = new Map(
  ZONES.map((zone) => [zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...date, ...time })]),
)

test('is what Intl says, in every zone and on the days when clocks change', () => {
  const min = new Date('1995-01-01T00:00:00.000Z')
  const max = new Date('2050-01-01T00:00:00.000Z')
  const anyDay = fc.date({ min, max, noInvalidDate: true })
  const changing = fc
    .tuple(fc.constantFrom('2026-03-27', '2026-10-25', '2026-03-08', '2026-11-01', '2011-12-30'), fc.nat(1439))
    .map(([day, minute]) => new Date(Date.parse(day) + minute * 60_000))
  fc.assert(
    fc.property(fc.oneof(anyDay, changing), fc.constantFrom(...ZONES), (instant, zone) => {
      expect(localTime(instant.toISOString(), zone)).toBe(formats.get(zone)?.format(instant))
    }),
    { numRuns: 1000 },
  )
})

test.each(['', 'tomorrow', '2026-03-02', '2026-13-45T00:00:00.000Z'])('%j is no instant, and stays', (text) => {
  expect(localTime(text, 'Asia/Jerusalem')).toBe(text)
})
