import { join } from 'node:path'
import { apiNodeOptions, mainFile, type Env } from '../programs.ts'
import { freePort, loopback } from '../services/ports.ts'
import type { Addresses, ProgramKind } from './addresses.ts'
import { manageProcess, type ManagedProcess } from './managed-process.ts'

export type ProcessOptions = {
  /** Also the name of its log file; by default `api-0`, `api-1`, … */
  name?: string
  /** Instead of the production program. */
  file?: string
  env?: Env
  /** Read at every start, so the caller may change the array in between. */
  nodeFlags?: readonly string[]
  /** False for a program that has no readiness endpoint or may crash before it is ready. */
  isReadyAwaited?: boolean
  /** The program kills itself on purpose, so its exit is not added to `unexpectedExits`. */
  isCrashExpected?: boolean
}

type Processes = {
  readonly unexpectedExits: readonly string[]
  start(kind: ProgramKind, options?: ProcessOptions): Promise<ManagedProcess>
  stop(): Promise<void>
}

type Surroundings = { env: Env; logsDir: string; addresses: Addresses; hasEngine: boolean }

/** The apis and workers of an installation. */
export function createProcesses({ env, logsDir, addresses, hasEngine }: Surroundings): Processes {
  const started: ManagedProcess[] = []
  const counts = { api: 0, worker: 0 }
  const unexpectedExits: string[] = []
  const takePort = portChooser(addresses)
  return {
    unexpectedExits,
    async start(kind, options = {}) {
      const name = options.name ?? `${kind}-${counts[kind]++}`
      let isHeld = (): boolean => true
      const port = await takePort(kind, () => isHeld())
      const metricsPort = await freePort()
      const url = `http://${loopback}:${port}`
      const process = manageProcess({
        name,
        url,
        file: options.file ?? mainFile(kind),
        env: {
          ...env,
          [kind === 'api' ? 'API_PORT' : 'WORKER_PORT']: String(port),
          METRICS_PORT: String(metricsPort),
          ...(kind === 'api' && { NODE_OPTIONS: apiNodeOptions }),
          ...options.env,
        },
        // Without an engine no program ever reports that it is ready.
        readyUrl: hasEngine ? `http://${loopback}:${metricsPort}/readyz` : `${url}/healthz`,
        pointFile: join(logsDir, `${name}.point`),
        logFile: join(logsDir, `${name}.log`),
        nodeFlags: options.nodeFlags ?? [],
        isReadyAwaited: options.isReadyAwaited ?? true,
        onUnexpectedExit: (description) => {
          if (!options.isCrashExpected) unexpectedExits.push(description)
        },
      })
      started.push(process)
      await process.start().finally(() => {
        isHeld = () => process.isRunning()
      })
      return process
    },
    stop: async () => void (await Promise.all(started.map((process) => process.stop()))),
  }
}

type TakePort = (kind: ProgramKind, isHeld: () => boolean) => Promise<number>

/** The public port of an api or a worker goes to one process at a time; the others get free ports. */
function portChooser({ fixedPorts, forwarders }: Addresses): TakePort {
  const holders: { [Kind in ProgramKind]?: () => boolean } = {}
  return async (kind, isHeld) => {
    if (fixedPorts && !holders[kind]?.()) {
      holders[kind] = isHeld
      return fixedPorts[kind]
    }
    const port = await freePort()
    forwarders?.[kind].addTarget(port)
    return port
  }
}
