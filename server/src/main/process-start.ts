import { StartError } from './start-error.ts'

/** Runs the start of a process. What only the operator can mend is printed as plain sentences, without a stack. */
export async function startProcess<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(1)
  }
}

interface Listener {
  host: string
  port: number
  /** The names of the settings that an operator can change. */
  hostSetting: string
  portSetting: string
}

/** Awaits a listener; if it cannot listen, the error is one sentence for the operator. */
export async function listening<Result>(listener: Listener, listen: Promise<Result>): Promise<Result> {
  try {
    return await listen
  } catch (error) {
    const reason = explain(listener, error instanceof Error && 'code' in error ? error.code : undefined)
    throw reason === undefined ? error : new StartError([reason])
  }
}

function explain({ host, port, hostSetting, portSetting }: Listener, code: unknown): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another process: stop that process, or set ${portSetting} to a free port.`
    case 'EACCES':
      return `This user may not listen on port ${port}: set ${portSetting} to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${hostSetting} is ${host}, which is not an address of this machine.`
    default:
      return undefined
  }
}
