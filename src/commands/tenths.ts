import { tell } from './command.ts'

const STEPS = 10

/** @returns a function that is told how much is done, from 0 to 1, and says every tenth */
export const sayTenths = (): ((done: number) => void) => {
  let said = 0
  return (done) => {
    const tenths = Math.floor(done * STEPS)
    if (tenths > said) tell(`${(tenths * 100) / STEPS} %`)
    said = Math.max(said, tenths)
  }
}
