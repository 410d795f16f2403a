import { once } from 'node:events'
import { createConnection } from 'node:net'
import { expect, it } from 'vitest'
import { startTestApp } from './test-app.ts'

it('closes although a client has opened a connection and sent nothing', async () => {
  const app = await startTestApp()
  const silent = createConnection(Number(new URL(app.url).port), '127.0.0.1')
  await once(silent, 'connect')
  await expect(app.close()).resolves.toBeUndefined()
})
