import { once } from 'node:events'
import { createConnection } from 'node:net'
import { expect, it } from 'vitest'
import { startTestApp } from './test-app.ts'

it('closes although a client has opened a connection and sent nothing', async () => {
  const app = await startTestApp()
  const silent = createConnection(Number(new URL(app.url).port), '127.0.0.1')
  await once(silent, 'connect')
  const startedAtMs = performance.now()
  await app.close()
  expect(performance.now() - startedAtMs).toBeLessThan(5_000)
})
