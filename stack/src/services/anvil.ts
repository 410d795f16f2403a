import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { loopback } from './ports.ts'
import type { EndStep } from './process-table.ts'
import { lastLines, spawnService } from './service-process.ts'
import { waitUntil } from './wait-until.ts'

export type Anvil = {
  readonly rpcUrl: string
  readonly pid: number
  stop(): Promise<void>
}

export type AnvilOptions = {
  /** The chain is kept here between starts. */
  dataDir: string
  port: number
  /** The block time in seconds; without it, each transaction is mined at once. */
  blockSeconds?: number
}

export const anvilChainId = 31_337
/** Anvil's well-known seed phrase, whose accounts it funds. */
export const anvilSeedPhrase = 'test test test test test test test test test test test junk'
const startTimeoutMs = 20_000

const endSteps: EndStep[] = [
  { signal: 'SIGTERM', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/** Starts an EVM chain on this machine, with ten funded accounts. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const command = findAnvil()
  if (command === undefined) throw new Error(noAnvil)
  const dataDir = resolve(options.dataDir)
  const logFile = `${dataDir}.log`
  await mkdir(dataDir, { recursive: true })
  const rpcUrl = `http://${loopback}:${options.port}`
  const server = await spawnService({
    command,
    args: [
      '--state',
      join(dataDir, 'state.json'),
      `--host=${loopback}`,
      `--port=${options.port}`,
      '--silent',
      `--chain-id=${anvilChainId}`,
      ...(options.blockSeconds === undefined ? [] : [`--block-time=${options.blockSeconds}`]),
    ],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    logFile,
    recordFile: `${dataDir}.process.json`,
    endSteps,
  })
  await waitUntil(async () => server.endedBy() ?? (await answers(rpcUrl)), {
    timeoutMs: startTimeoutMs,
    what: `the chain to answer, see ${logFile}`,
  })
  if (server.endedBy() !== undefined)
    throw new Error(`the chain exited at start (${server.endedBy()}):\n${await lastLines(logFile)}`)
  return { rpcUrl, pid: server.pid, stop: () => server.end() }
}

async function answers(rpcUrl: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return response.ok
  } catch {
    return false
  }
}

const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
export const noAnvil = `@foundry-rs/anvil has no binary for ${platform} in node_modules`

/** The platform's binary, which the package's launcher script would start as a child process. */
export function findAnvil(): string | undefined {
  try {
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    return createRequire(launcher).resolve(`@foundry-rs/anvil-${platform}/bin/anvil`)
  } catch {
    return undefined
  }
}
