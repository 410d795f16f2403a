import { rmSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { createPersonKeysDir } from '../../../../../test/app/person-keys.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import { kybApplication, kybOf } from '../../../../../test/worlds/test-kyb.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { privateContext } from '../../../payments/record.ts'
import { purgeRequests } from '../../request-log/purge-requests.ts'
import { erasePerson } from '../erase-person.ts'
import { eraserOf, payerOf } from '../testing/erase-people.ts'
import { applyRetention } from './apply-retention.ts'
import type { RetentionDays } from './record.ts'
import { erasedLimit } from './rules.ts'

const directory = createPersonKeysDir()
const t = usePayments({ delayMs: untilSettled, env: { PERSON_KEYS_DIR: directory } })
const by = eraserOf(t)
afterAll(() => rmSync(directory, { recursive: true }))

const dayMs = 24 * 60 * 60_000
const keepAll: RetentionDays = {
  payer: undefined,
  beneficiary: undefined,
  kyb: undefined,
  screening: 1825,
  mail: undefined,
  requestLog: 7,
}

let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

/** What the job does so many days from now, and the engine after it. */
async function pass(days: number, periods: Partial<RetentionDays>): Promise<void> {
  const clock = { now: () => new Date(Date.now() + days * dayMs) }
  await applyRetention({ ...t.deps, clock, retention: { ...keepAll, ...periods } })
  await runErasures()
}

async function runErasures(): Promise<void> {
  const { rows } = await t.owner.query<{ orgId: string; erasureId: string }>(
    `select org_id as "orgId", erasure_id as "erasureId" from erasures where status = 'pending'`,
  )
  for (const ids of rows) await erasePerson(t.deps, ids)
}

const erasedAt = async (paymentId: string): Promise<string | null> =>
  (await org.record(paymentId)).personal_data_erased_at
const erasures = async (): Promise<Json[]> => (await org.call('GET', '/v1/privacy/erasures')).body.data

describe('payers', () => {
  it('are kept unless a period is set', async () => {
    const id = await by.paid(org, cardPayin(payerOf('kept')))
    await pass(10_000, {})
    expect(await erasedAt(id)).toBeNull()
    expect(await erasures()).toEqual([])
  })

  it('are erased when it has ended and not before, once, and the audit log says so', async () => {
    const id = await by.paid(org, cardPayin(payerOf('old')))
    const { private_sealed: sealed } = await by.rowOf(id)
    await pass(29, { payer: 30 })
    expect(await erasedAt(id)).toBeNull()
    await pass(31, { payer: 30 })
    expect(await org.record(id)).toMatchObject({ status: 'completed', amount: 25, payer_details: {} })
    expect(await erasedAt(id)).not.toBeNull()
    await expect(t.deps.vault.open(org.orgId, privateContext(id), sealed)).rejects.toThrow('erased')
    await pass(32, { payer: 30 })
    const found = await erasures()
    expect(found).toMatchObject([
      { subject: 'retention', status: 'done', payment_ids: [id], requested_by: 'system' },
    ])
    const { rows } = await t.owner.query<{ action: string }>(
      `select action from audit_log where org_id = $1 and resource_id = $2 order by created_at, audit_id`,
      [org.orgId, found[0]?.erasure_id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['erasure.request', 'erasure.complete'])
  })

  it('of a payment under a legal hold stay until it is lifted', async () => {
    const held = await by.paid(org, cardPayin(payerOf('held')))
    const other = await by.paid(org, cardPayin(payerOf('other')))
    const hold = await org.call('POST', '/v1/privacy/holds', {
      subject: 'payment',
      subject_id: held,
      reason: 'Claim 17',
    })
    expect(hold.status).toBe(201)
    await pass(31, { payer: 30 })
    expect(await erasedAt(held)).toBeNull()
    expect(await erasedAt(other)).not.toBeNull()
    await org.call('POST', `/v1/privacy/holds/${hold.body.data.hold_id}/lift`, {})
    await pass(32, { payer: 30 })
    expect(await erasedAt(held)).not.toBeNull()
  })

  it('stay while the whole organisation is under a legal hold', async () => {
    const id = await by.paid(org, cardPayin(payerOf('organisation')))
    const body = { subject: 'organization', subject_id: org.orgId, reason: 'Claim 19' }
    const hold = await org.call('POST', '/v1/privacy/holds', body)
    expect(hold.status).toBe(201)
    await pass(31, { payer: 30 })
    expect(await erasedAt(id)).toBeNull()
    await org.call('POST', `/v1/privacy/holds/${hold.body.data.hold_id}/lift`, {})
    await pass(32, { payer: 30 })
    expect(await erasedAt(id)).not.toBeNull()
  })

  it('of a payment that has not ended, or is disputed, stay', async () => {
    const disputed = await by.paid(org, cardPayin(payerOf('disputed')))
    await t.owner.query(
      `insert into disputes (org_id, dispute_id, payment_id, provider, account_id, custody, provider_ref, state,
         reason, provider_reason, provider_status, amount_minor, currency, due_by)
       values ($1, $2, $3, 'stripe', $4, 'pooled', $5, 'under_review', 'fraudulent', '', '', 100, 'GBP', now())`,
      [org.orgId, newId(), disputed, newId(), newId()],
    )
    const open = await org.start(mobileMoneyPayin())
    await pass(31, { payer: 30 })
    expect([await erasedAt(open), await erasedAt(disputed)]).toEqual([null, null])
    expect(await erasures()).toEqual([])
    await t.owner.query('delete from disputes where payment_id = $1', [disputed])
  })

  it('are not asked for twice while an erasure is pending, and later ones are found', async () => {
    const first = await by.paid(org, cardPayin(payerOf('first')))
    const clock = { now: () => new Date(Date.now() + 31 * dayMs) }
    const deps = { ...t.deps, clock, retention: { ...keepAll, payer: 30 } }
    await applyRetention(deps)
    await applyRetention(deps)
    expect(await erasures()).toMatchObject([{ status: 'pending', payment_ids: [first] }])
    await runErasures()
    const second = await by.paid(org, cardPayin(payerOf('second')))
    await pass(32, { payer: 30 })
    expect((await erasures()).map(({ payment_ids }) => payment_ids)).toEqual([[second], [first]])
  })

  it('stay once as many keys were destroyed as the file of the organisation should hold', async () => {
    const id = await by.paid(org, cardPayin(payerOf('beyond')))
    await t.owner.query(
      `insert into retention_marks (org_id, kind, done_before, erased) values ($1, 'payer', '2020-01-01', $2)`,
      [org.orgId, erasedLimit],
    )
    await pass(31, { payer: 30 })
    expect(await erasedAt(id)).toBeNull()
    await t.owner.query('update retention_marks set erased = erased - 1 where org_id = $1', [org.orgId])
    await pass(32, { payer: 30 })
    expect(await erasedAt(id)).not.toBeNull()
  })

  it('stay where the installation cannot erase anybody', async () => {
    const id = await by.paid(org, cardPayin(payerOf('without')))
    const vault = { ...t.deps.vault, canErase: () => Promise.resolve(false) }
    const clock = { now: () => new Date(Date.now() + 31 * dayMs) }
    await applyRetention({ ...t.deps, vault, clock, retention: { ...keepAll, payer: 30 } })
    expect(await erasures()).toEqual([])
    expect(await erasedAt(id)).toBeNull()
  })
})

describe('recipients', () => {
  it('of payouts are erased if the beneficiary was removed; its own hold keeps them', async () => {
    const [stays, goes, held] = await Promise.all([1, 2, 3].map(() => org.addBeneficiary(bankBeneficiary())))
    const payouts = []
    for (const one of [stays, goes, held]) payouts.push(await by.paid(org, bankPayout(one ?? '')))
    const payin = await by.paid(org, cardPayin(payerOf('payin')))
    await org.call('POST', '/v1/privacy/holds', {
      subject: 'beneficiary',
      subject_id: held,
      reason: 'Claim 18',
    })
    for (const one of [goes, held])
      expect((await org.call('DELETE', `/v1/beneficiaries/${one}`)).status).toBeLessThan(300)
    await pass(31, { beneficiary: 30 })
    const kept = await Promise.all([...payouts, payin].map(async (id) => (await erasedAt(id)) === null))
    expect(kept).toEqual([true, false, true, true])
    expect(await erasures()).toMatchObject([{ payment_ids: [payouts[1]], beneficiary_ids: [goes] }])
  })
})

describe('people behind an organisation', () => {
  const people = async (): Promise<number> =>
    (await t.owner.query('select from kyb_persons where org_id = $1', [org.orgId])).rows.length
  const setStatus = (status: string) =>
    t.owner.query('update organizations set kyb_status = $2 where org_id = $1', [org.orgId, status])

  it('are removed if it was rejected, and stay as long as it is verified or being verified', async () => {
    await setStatus('not_started')
    expect((await kybOf(t, org).initiate(kybApplication())).status).toBe(200)
    const named = await people()
    expect(named).toBeGreaterThan(0)
    for (const status of ['pending', 'in_review', 'approved']) {
      await setStatus(status)
      await pass(400, { kyb: 365 })
      expect(await people()).toBe(named)
    }
    await setStatus('rejected')
    await pass(364, { kyb: 365 })
    expect(await people()).toBe(named)
    await pass(366, { kyb: 365 })
    expect(await people()).toBe(0)
    const { rows } = await t.owner.query<{ after: Json }>(
      `select after from audit_log where org_id = $1 and action = 'kyb.forget'`,
      [org.orgId],
    )
    expect(rows).toEqual([{ after: { people: named } }])
  })
})

describe('mails and the request log', () => {
  it('mails that were sent are removed, those that wait are not', async () => {
    const write = (status: string) =>
      t.owner.query(
        `insert into notifications (org_id, notification_id, user_id, template, recipient, variables, status, language)
         values ($1, $2, 'u', 'welcome', 'a@example.com', '{}', $3, 'en')`,
        [org.orgId, newId(), status],
      )
    await t.owner.query('delete from notifications where org_id = $1', [org.orgId])
    for (const status of ['sent', 'failed', 'pending']) await write(status)
    const left = async (): Promise<string[]> => {
      const { rows } = await t.owner.query<{ status: string }>(
        'select status from notifications where org_id = $1',
        [org.orgId],
      )
      return rows.map(({ status }) => status)
    }
    await pass(89, { mail: 90 })
    expect((await left()).toSorted()).toEqual(['failed', 'pending', 'sent'])
    await pass(91, { mail: 90 })
    expect(await left()).toEqual(['pending'])
  })

  it('requests are kept as many days as the setting says', async () => {
    await t.owner.query(
      `insert into request_log (org_id, entry_id, method, route, status, duration_us, request_id, user_id, credential, created_at)
       values ($1, $2, 'GET', '/old', 200, 1, 'old', 'u', 'jwt', now() - interval '2 days')`,
      [org.orgId, newId()],
    )
    expect(await purgeRequests({ ...t.deps, retention: { requestLog: 3 } })).toBe(0)
    expect(await purgeRequests({ ...t.deps, retention: { requestLog: 1 } })).toBe(1)
  })
})
