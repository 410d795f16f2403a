import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choosePorts, defaultPorts, type DevPorts, type PortName } from './ports.ts'
import { freePort, loopback } from '../services/ports.ts'
import { scratchDir } from '../testing/scratch-dir.ts'

let scratch: Awaited<ReturnType<typeof scratchDir>>
let wanted: DevPorts
const taken = createServer()

beforeAll(async () => {
  scratch = await scratchDir()
  wanted = { ...defaultPorts }
  for (const name of Object.keys(wanted) as PortName[]) wanted[name] = await freePort()
  taken.listen(await freePort(), loopback)
  await once(taken, 'listening')
})

afterAll(async () => {
  taken.close()
  await scratch.remove()
})

function takenPort(): number {
  const address = taken.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('the default ports are used when they are free', async () => {
  expect(await choosePorts({ mode: 'default', dataDir: scratch.path, patienceMs: 0, wanted })).toEqual(wanted)
})

test('a default port in use is reported in one line, with the remedy', async () => {
  const choice = { mode: 'default', dataDir: scratch.path, patienceMs: 0 } as const
  const choosing = choosePorts({ ...choice, wanted: { ...wanted, identity: takenPort() } })
  await expect(choosing).rejects.toThrow(
    `port ${takenPort()} (identity) is taken: free it, or run \`npm run dev -- --ports random\``,
  )
})

test('random ports are distinct and are reused for the same data directory', async () => {
  const choice = { mode: 'random', dataDir: scratch.path, patienceMs: 0 } as const
  const first = await choosePorts(choice)
  expect(new Set(Object.values(first)).size).toBe(Object.keys(defaultPorts).length)
  expect(await choosePorts(choice)).toEqual(first)
})
