import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, portIsFree } from '../services/ports.ts'
import { waitUntil } from '../services/wait-until.ts'

export const defaultPorts = {
  api: 8080,
  metrics: 9464,
  worker: 9080,
  workerMetrics: 9465,
  postgres: 5433,
  restateIngress: 8081,
  restateAdmin: 9070,
  restateNode: 5122,
  identity: 8082,
  smtp: 2525,
  mailWeb: 8083,
  simulator: 8084,
  chain: 8545,
}

export type PortName = keyof typeof defaultPorts
export type DevPorts = Record<PortName, number>

type PortChoice = { mode: 'default' | 'random'; dataDir: string; patienceMs: number; wanted?: DevPorts }

/** `patienceMs` allows for the ports of a killed runner whose services are still shutting down. */
export async function choosePorts({
  mode,
  dataDir,
  patienceMs,
  wanted = defaultPorts,
}: PortChoice): Promise<DevPorts> {
  if (mode === 'random') return randomPorts(dataDir, patienceMs)
  for (const [name, port] of Object.entries(wanted)) {
    if (await becomesFree(port, patienceMs)) continue
    throw new Error(`port ${port} (${name}) is taken: free it, or run \`npm run dev -- --ports random\``)
  }
  return wanted
}

/** Reuses the ports of the data directory: the engine resumes open work at the worker URL at which it began. */
async function randomPorts(dataDir: string, patienceMs: number): Promise<DevPorts> {
  const file = join(dataDir, 'ports.json')
  const kept: Partial<DevPorts> = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
  const ports = { ...defaultPorts }
  // Object.keys returns plain strings; these are the keys of defaultPorts.
  for (const name of Object.keys(ports) as PortName[]) {
    const before = kept[name]
    ports[name] = before !== undefined && (await becomesFree(before, patienceMs)) ? before : await freePort()
  }
  await writeFile(file, JSON.stringify(ports, undefined, 2))
  return ports
}

async function becomesFree(port: number, patienceMs: number): Promise<boolean> {
  return waitUntil(() => portIsFree(port), {
    timeoutMs: patienceMs,
    what: `port ${port}`,
    intervalMs: 50,
  }).catch(() => false)
}
