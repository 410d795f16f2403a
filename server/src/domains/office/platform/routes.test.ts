import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { memberOf } from '../../../../test/app/test-app.ts'
import {
  mobileMoneyPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'
import { engineOf, startTestWorker } from '../../../../test/app/test-worker.ts'
import { requestLogService } from '../request-log/workflow.ts'
import { getStatus } from './get-status.ts'

const t = usePayments({ delayMs: untilSettled })
const path = '/v1/platform/status'
const read = (as: string) => t.call('GET', path, { as })

describe('200', () => {
  it('shows versions, migrations, engine, outbox, exceptions and providers', async () => {
    const org = await openPayments(t)
    await org.start(mobileMoneyPayin())
    await t.owner.query(
      `insert into exceptions (org_id, exception_id, kind, summary, suggested_action, finding_key)
       values ($1, $2, 'missing_here', 's', 'a', $3)`,
      [org.orgId, newId(), newId()],
    )
    await t.owner.query(`update outbox set due_at = now() - interval '90 seconds' where org_id = $1`, [
      org.orgId,
    ])
    const { body } = await read(t.seed.platformAdmin.api_key)
    expect(body.data).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node_version: process.version.slice(1),
      postgres_version: expect.stringMatching(/^\d+/),
      migrations: { is_current: true },
      operators: 1,
      engine: { is_reachable: true, paused_jobs: 0 },
      workers: 0,
      unreadable_payments: 0,
      backups: { last_backup_at: null, is_known: false },
    })
    const { migrations, outbox, open_exceptions, providers } = body.data
    expect(migrations.applied).toBe(migrations.expected)
    expect(outbox.pending).toBeGreaterThan(0)
    expect(outbox.oldest_age_seconds).toBeGreaterThan(80)
    expect(open_exceptions.by_kind).toContainEqual({ kind: 'missing_here', count: 1 })
    expect(open_exceptions.total).toBeGreaterThanOrEqual(1)
    expect(providers).toMatchObject([{ provider: 'pawapay', attempts: 1 }])
  })

  it('counts the workers and their deployments', async () => {
    const worker = await startTestWorker(t, {
      services: [requestLogService(engineOf(t), t.deps)],
    })
    try {
      await expect.poll(async () => (await read(t.seed.platformAdmin.api_key)).body.data.workers).toBe(1)
      const { engine } = (await read(t.seed.platformAdmin.api_key)).body.data
      expect(engine.deployments).toMatchObject([{ services: 1, uri: expect.stringContaining('http') }])
    } finally {
      await worker.stop()
    }
  })

  it('an engine that does not answer is unreachable, and the rest is still shown', async () => {
    const deps = {
      ...t.deps,
      engineAdmin: { adminUrl: 'http://127.0.0.1:1', namespace: '' },
      probes: { engine: () => Promise.reject(new Error('down')) },
    }
    const status = await getStatus(deps, operatorOf(t))
    expect(status.engine).toEqual({ isReachable: false, deployments: null, pausedJobs: null })
    expect(status.database.postgresVersion).not.toBe('')
    const unknown = { ...deps, engineAdmin: { adminUrl: undefined, namespace: '' } }
    expect((await getStatus(unknown, operatorOf(t))).engine.deployments).toBeNull()
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  it.each(['org-admin', 'staff', 'viewer'])('%s', async (role) => {
    expect((await read(memberOf(t.seed.orgs[0], role).api_key)).status).toBe(403)
  })
})
