import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { sealEntries } from '../../../domains/records/audit-log/blocks/seal-entries.ts'
import { verifyLogAcrossOrgs } from '../../../domains/records/audit-log/blocks/verify-log.ts'
import { transitions } from '../../../domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../../ledger/audit.ts'
import { newId } from '../../../lib/ids.ts'
import { archiveUses } from '../../../main/archive-uses.ts'
import { fillMonth, makeOldMonths } from '../../../../test/worlds/old-months.ts'
import {
  mobileMoneyPayin,
  paymentsOf,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { archiveMonths, type Retention } from './archive-months.ts'
import { connectOwner } from './partitions.ts'
import { restoreArchive } from './restore-archive.ts'

const t = usePayments()
const directory = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
const thisMonth = new Date().toISOString().slice(0, 7)
let owner: pg.Client
let org: OrgPayments
let paymentId: string
let eventId: string

/** Archives as if so many months had passed. */
const archiveAfter = (months: number, retention: Retention): Promise<number> =>
  archiveMonths({
    owner,
    db: t.deps.db,
    clock: {
      now() {
        const later = new Date()
        later.setUTCMonth(later.getUTCMonth() + months, 1)
        return later
      },
    },
    directory,
    retention,
    ...archiveUses(t.deps.db),
    log: () => undefined,
  })
const audit = async (): Promise<string> => {
  const db = t.deps.db.readAcrossOrgs
  const findings = [...(await auditAcrossOrgs(db, transitions)), ...(await verifyLogAcrossOrgs(db))]
  return isClean(findings) ? 'clean' : formatFindings(findings)
}

beforeAll(async () => {
  const database = new URL(t.config.DATABASE_APP_URL).pathname.slice(1)
  owner = await connectOwner(databaseUrl(inject('postgresUrl'), database, 'postgres'))
  org = paymentsOf(t, t.seed.orgs[0]?.org_id ?? '', t.admin)
  await makeOldMonths(t.owner, 6)
  await fillMonth(t.owner, { orgId: org.orgId, monthsAgo: 5, count: 10 })
  await t.owner.query('delete from events')
  await sealEntries(t.deps)
  paymentId = await org.start(mobileMoneyPayin())
  await t.simulator.settle()
  const { rows } = await t.owner.query('select event_id from events where resource_id = $1', [paymentId])
  eventId = rows[0].event_id
})
afterAll(async () => {
  await owner.end()
  rmSync(directory, { recursive: true, force: true })
})

describe('what reads an archived row says so', () => {
  it('the timeline names the kinds that may be incomplete, and none before', async () => {
    const metaOf = async () => (await org.call('GET', `/v1/payments/${paymentId}/timeline`)).body.meta
    expect((await metaOf()).archived_kinds).toEqual([])
    expect(await archiveAfter(5, { events: 3, inquiries: 3 })).toBeGreaterThan(0)
    expect((await metaOf()).archived_kinds).toEqual(['event', 'delivery', 'inquiry'])
  })

  it('an event and its replay answer 404 with the month, and an id that never was without it', async () => {
    const event = await org.call('GET', `/v1/public/webhooks/events/${eventId}`)
    const replay = await org.call('POST', `/v1/public/webhooks/events/${eventId}/replay`, {})
    for (const { status, body } of [event, replay]) {
      expect(status).toBe(404)
      expect(body.message).toBe(
        `The event was not found. Those of ${thisMonth} were archived. Ask the operator to read it from the archive.`,
      )
    }
    const random = 'ffffffff-0000-4000-8000-000000000000'
    const never = await org.call('GET', `/v1/public/webhooks/events/${random}`)
    expect(never.body.message).toContain('Check its id')
  })

  it('a dead letter of an archived event is not sent again', async () => {
    const { body } = await org.call('POST', '/v1/public/webhooks', {
      endpoint_url: 'https://example.com/hook',
    })
    await t.owner.query(
      `insert into deliveries (org_id, delivery_id, webhook_id, event_id, event_type, status)
       values ($1, $2, $3, $4, 'transaction.updated', 'dead')`,
      [org.orgId, newId(), body.data.webhook_id, eventId],
    )
    const replayed = await org.call('POST', '/v1/public/webhooks/dead-letters/replay', {})
    expect([replayed.status, replayed.body.data.replayed]).toEqual([200, 0])
    const { rowCount } = await t.owner.query(`select from deliveries where status = 'pending'`)
    expect(rowCount).toBe(0)
  })

  it('the audit finds nothing broken while they are gone, and after they were put back', async () => {
    expect(await audit()).toBe('clean')
    const { rows } = await t.owner.query<{ file: string }>('select file from archives')
    for (const { file } of rows) await restoreArchive(owner, join(directory, file))
    expect(await audit()).toBe('clean')
    expect((await org.call('GET', `/v1/public/webhooks/events/${eventId}`)).status).toBe(200)
  })

  it('a proof of an archived entry answers 404 with the month, and an entry that was removed is still found', async () => {
    const { rows } = await t.owner.query('select audit_id from audit_log order by audit_id limit 1')
    const proofPath = `/v1/organizations/${org.orgId}/audit-log/${rows[0].audit_id}/proof`
    expect((await org.call('GET', proofPath)).status).toBe(200)
    await archiveAfter(0, { audit_log: 3 })
    const { status, body } = await org.call('GET', proofPath)
    expect([status, body.message]).toEqual([404, expect.stringContaining('were archived')])
    expect(await audit()).toBe('clean')
    await sealEntries(t.deps)
    const removed = await t.owner.query(
      `delete from audit_log where audit_id = (select max(audit_id::text)::uuid from audit_log) returning audit_id`,
    )
    expect(await audit()).toContain(`entry ${removed.rows[0].audit_id} of block`)
  })
})
