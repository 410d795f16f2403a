import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, loopback, portIsFree } from './ports.ts'

test('a free port can be bound and is not given twice', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  expect(new Set(ports).size).toBe(20)
  expect(await Promise.all(ports.map(portIsFree))).not.toContain(false)
})

test('a port that somebody listens on is not free', async () => {
  const port = await freePort()
  const server = createServer().listen(port, loopback)
  await once(server, 'listening')
  expect(await portIsFree(port)).toBe(false)
  server.close()
  await once(server, 'close')
  expect(await portIsFree(port)).toBe(true)
})
