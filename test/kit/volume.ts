/** `npm test -- --nightly` also runs what finds rare faults alone. */
export const isNightly = process.env.TEST_NIGHTLY !== undefined

/**
 * How much a test does, where the test asserts something else: random histories, large files. `npm run torture` sets
 * TEST_VOLUME=full.
 * @param usual what the tests do, on every commit
 * @param full what a release is tested with
 */
export const volume = <T extends number | boolean>(usual: T, full: T): T =>
  process.env.TEST_VOLUME === 'full' ? full : usual
