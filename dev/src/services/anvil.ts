import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { loopback } from './ports.ts'
import { waitUntil } from './wait-until.ts'

export type Anvil = {
  readonly rpcUrl: string
  readonly pid: number
  stop(): Promise<void>
}

export type AnvilOptions = {
  port: number
  chainId?: number
  /** A block every so many seconds; without it, one for each transaction at once. */
  blockSeconds?: number
  /** Keeps the chain in this file between starts. */
  stateFile?: string
}

export const anvilChainId = 31_337
const startTimeoutMs = 20_000

/** An EVM chain on this machine, with ten funded accounts whose keys everybody knows. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const rpcUrl = `http://${loopback}:${options.port}`
  const child = spawn(
    anvilBinary(),
    [
      `--host=${loopback}`,
      `--port=${options.port}`,
      '--silent',
      `--chain-id=${options.chainId ?? anvilChainId}`,
      ...(options.blockSeconds === undefined ? [] : [`--block-time=${options.blockSeconds}`]),
      ...(options.stateFile === undefined ? [] : [`--state=${options.stateFile}`]),
    ],
    { stdio: 'ignore', detached: false },
  )
  const exited = once(child, 'exit')
  await waitUntil(() => child.exitCode !== null || answers(rpcUrl), {
    timeoutMs: startTimeoutMs,
    what: 'the chain to answer',
  })
  if (child.exitCode !== null) throw new Error(`the chain ended with code ${child.exitCode}`)
  return {
    rpcUrl,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
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

/** The platform's own binary, which the package would otherwise run through a script. */
function anvilBinary(): string {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  try {
    return createRequire(launcher).resolve(`@foundry-rs/anvil-${platform}/bin/anvil`)
  } catch (cause) {
    throw new Error(`@foundry-rs/anvil has no binary for ${platform} in node_modules`, { cause })
  }
}
