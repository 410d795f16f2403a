import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fillHistory } from '@switchyard/server/domains/routing/simulations/testing/fill-history.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { createCallOnce } from '../shared/call-once.ts'
import { startUpgradeInstallation } from '../upgrade/installation.ts'

const payments = 60_000
const hourMs = 60 * 60_000
const limitMs = 120_000
const pauseMs = 20
const policy = { rules: [], otherwise: { type: 'priority', order: [{ provider: 'flutterwave' }] } }
const accounts = [
  { accountId: randomUUID(), provider: 'paystack', percent: 70 },
  { accountId: randomUUID(), provider: 'flutterwave', percent: 90 },
]
const started = z.object({ data: z.object({ simulation_id: z.string() }) })

interface Row {
  status: string
  read: number
  result: unknown
}

test(
  'a worker that is killed while a what-if runs leaves no half result: the next one replays it from the start',
  { timeout: 300_000 },
  async () => {
    const scratch = await scratchDir()
    const installation = await startUpgradeInstallation(scratch.path, 0)
    const calls = createCallOnce()
    try {
      const { stack, owner } = installation
      const [org] = stack.seeded
      if (!org) throw new Error('the seed lacks its organisations')
      const to = new Date(Date.now() - hourMs)
      const from = new Date(to.getTime() - 48 * hourMs)
      await fillHistory(owner, { orgId: org.orgId, payments, from, to, accounts })
      const file = (program: string): string => join(repositoryDir, 'proof/src/shared/programs', program)
      const api = await stack.startApi({ file: file('api.ts') })
      const worker = await stack.startWorker({ file: file('worker.ts') })

      const simulate = async (): Promise<string> => {
        const body = JSON.stringify({ policy, from: from.toISOString(), to: to.toISOString() })
        const { text } = await calls.post('/v1/routing/simulate', { origin: api.url, key: org.key, body })
        return started.parse(JSON.parse(text)).data.simulation_id
      }
      const rowOf = async (id: string): Promise<Row> => {
        const { rows } = await owner.query<Row>(
          `select status, payments_read as read, result from routing_simulations where simulation_id = $1`,
          [id],
        )
        return rows[0] ?? { status: 'absent', read: 0, result: null }
      }
      const until = async (id: string, test: (row: Row) => boolean): Promise<Row> => {
        const endsAt = Date.now() + limitMs
        for (;;) {
          const row = await rowOf(id)
          if (test(row)) return row
          if (Date.now() > endsAt) throw new Error(`the simulation is still ${row.status}`)
          await delay(pauseMs)
        }
      }

      const killed = await simulate()
      await until(killed, ({ status }) => status === 'running')
      await worker.kill()
      expect(await rowOf(killed)).toMatchObject({ status: 'running', result: null })
      await worker.start()
      const afterwards = await until(killed, ({ status }) => status === 'completed')
      expect(afterwards.read).toBe(payments)

      const undisturbed = await simulate()
      const { result } = await until(undisturbed, ({ status }) => status === 'completed')
      expect(afterwards.result).toEqual(result)
    } finally {
      await calls.stop()
      await installation.stop()
      await scratch.remove()
    }
  },
)
