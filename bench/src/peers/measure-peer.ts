import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeTimes, runLoadBeside, type LoadResult } from '../run-load.ts'
import { formatTable } from '../table.ts'
import { peers } from './peers.ts'

interface PeerOptions {
  name: string
  url: string
  token: string
  /** The processes whose time is shown, by the names that they get in the table. */
  pids: Readonly<Record<string, number>>
  /** On the disk of the peer's database, for the calls of fdatasync meanwhile. */
  directory: string
  seconds: number
  connections: number
  print: (line: string) => void
}

const warmUpSeconds = 3
const steadyPerSecond = 100

/** Measures a peer that runs on this machine in the same way as our own api, and prints the same rows. */
export async function benchPeer(options: PeerOptions): Promise<void> {
  const peer = peers[options.name]
  if (!peer) throw new Error(`the peers are ${Object.keys(peers).join(', ')}`)
  if (peer.token !== undefined && options.token === '') throw new Error(`--token must be ${peer.token}`)
  const origin = new URL(options.url).origin
  const target = { origin, ...(await peer.prepare(origin, options.token)), apiKeys: [] }
  const directory = await mkdtemp(join(options.directory, 'bench-peer-'))
  const beside = { directory, pids: options.pids }
  const load = { connections: options.connections, warmUpSeconds, seconds: options.seconds }
  try {
    const full = await runLoadBeside(beside, target, load)
    const steady = await runLoadBeside(beside, target, { ...load, perSecond: steadyPerSecond })
    options.print(`${options.name} ${peer.does}; beside it: ${peer.beside}\n`)
    options.print(formatPeer(options, full, steady))
  } finally {
    await rm(directory, { recursive: true })
  }
}

function formatPeer(
  { name, connections }: Pick<PeerOptions, 'name' | 'connections'>,
  full: LoadResult,
  steady: LoadResult,
): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`
  return formatTable([
    ['peer', name],
    [`requests/s, ${connections} connections`, full.perSecond.toFixed(0)],
    ['  p50, p99 of these', `${ms(full.p50Ms)}, ${ms(full.p99Ms)}`],
    ['  fdatasync meanwhile, p50', `${full.fdatasyncMs.toFixed(2)} ms`],
    ['  processor time per request', describeTimes(full.eachMs)],
    [`latency at ${steadyPerSecond}/s, p50, p99`, `${ms(steady.p50Ms)}, ${ms(steady.p99Ms)}`],
    ['  fdatasync meanwhile, p50', `${steady.fdatasyncMs.toFixed(2)} ms`],
    ['  processor time per request', describeTimes(steady.eachMs)],
  ])
}
