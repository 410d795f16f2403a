/** Prints the outcome of one check; one that failed makes the exit code 1. */
export function say(what: string, isRight: boolean, detail: string): void {
  process.stdout.write(`${(isRight ? 'ok' : 'FAILED').padEnd(8)}${what.padEnd(20)}${detail}\n`)
  if (!isRight) process.exitCode = 1
}
