import { expect, test } from 'vitest'
import { z } from 'zod'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { useApp } from '../../../test/app/test-app.ts'
import { engineOf, startTestWorker } from '../../../test/app/test-worker.ts'
import { enqueue } from './outbox.ts'
import { defineService } from './service.ts'

const app = useApp()

test('a worker with a sleeping job stops within 3 s, long before the limit for running steps', async () => {
  let isSleeping = false
  const service = defineService<{ go: object }>(engineOf(app), 'Sleepy', {
    go: {
      input: z.object({}),
      async run(context) {
        isSleeping = true
        await context.sleep(3_600_000)
      },
    },
  })
  const worker = await startTestWorker(app, { services: [service] })
  const orgId = app.seed.orgs[0]!.org_id
  const job = { service: 'Sleepy', handler: 'go', payload: {} }
  await app.deps.db.inOrg(orgId, (tx) => enqueue(tx, orgId, job))
  await waitUntil(() => isSleeping, { what: 'the job to sleep' })
  const startedAt = performance.now()
  await worker.stop()
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})
