/**
 * Handles errors of standard output and standard error. A reader that closes the pipe early (`| head -1`) is normal: the
 * rest of the output is dropped and the exit code stays the command's own. Output that cannot be written for another
 * reason, such as a full disk, fails the command.
 */
export const surviveClosedOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || stream === process.stderr) return
      process.stderr.write(`The result could not be written to standard output (${error.code ?? error.message}).\n`)
      process.exit(1)
    })
  }
}
