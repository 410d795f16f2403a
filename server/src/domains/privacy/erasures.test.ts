import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { connectDatabase } from '../../db/database.ts'
import { createVault, type Vault } from '../../db/vault.ts'
import { createPersonKeyFiles } from '../../keys/person-key-files.ts'
import { auditAcrossOrgs } from '../../ledger/audit.ts'
import { newId } from '../../lib/ids.ts'
import { dumpDatabase } from '../../testing/copy-database.ts'
import { addPerson } from '../../testing/people.ts'
import { createPersonKeysDir } from '../../testing/person-keys.ts'
import { filesUnder, findSecrets, formsOf, postgresPlaces, textsOf } from '../../testing/search-secrets.ts'
import type { CallAnswer, Json } from '../../testing/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../testing/test-payments.ts'
import { startTestWorker } from '../../testing/test-worker.ts'
import { beneficiaryContext } from '../beneficiaries/create-beneficiary.ts'
import { readDetails } from '../payments/read-details.ts'
import { privateContext, type PrivateDetails } from '../payments/record.ts'
import { transitions } from '../payments/rules.ts'
import { recordTerms } from '../payments/search/record-terms.ts'
import { erasePerson } from './erase-person.ts'

const directory = createPersonKeysDir()
const t = usePayments({ delayMs: untilSettled, env: { PERSON_KEYS_DIR: directory } })
afterAll(() => rmSync(directory, { recursive: true }))

let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

const reason = 'Asked by letter.'
const path = '/v1/privacy/erasures'
const request = (body: Json, by: OrgPayments = org): Promise<CallAnswer> =>
  by.call('POST', path, { reason, ...body })
const run = (erasure: Json, by: OrgPayments = org): Promise<void> =>
  erasePerson(t.deps, { orgId: by.orgId, erasureId: erasure.erasure_id })
async function erase(body: Json, by: OrgPayments = org): Promise<Json> {
  const answer = await request(body, by)
  expect(answer.status).toBe(201)
  await run(answer.body.data, by)
  return (await by.call('GET', `${path}/${answer.body.data.erasure_id}`)).body.data
}

const payerOf = (name: string) => ({
  payer_details: { name: `${name} Canary`, email: `${name}.canary@example.com` },
})
async function paid(body: Json, by: OrgPayments = org): Promise<string> {
  const id = await by.start(body)
  await t.simulator.settle({ all: true })
  await by.advance(id)
  // The simulator returns a payout that is settled once more.
  expect(['completed', 'refunded']).toContain((await by.record(id)).status)
  return id
}
const rowOf = async (paymentId: string): Promise<Json> =>
  (await t.owner.query('select * from payments where payment_id = $1', [paymentId])).rows[0]

type Copy = Awaited<ReturnType<Awaited<ReturnType<typeof dumpDatabase>>['restore']>>

/** Reads the database of a backup with the keys that the installation has now. */
async function readCopy(
  copy: Copy,
  read: (vault: Vault, details: (paymentId: string) => Promise<PrivateDetails>) => Promise<void>,
): Promise<void> {
  const url = (role: string): string => databaseUrl(inject('postgresUrl'), copy.name, role)
  const urls = { appUrl: url('switchyard_app'), systemUrl: url('switchyard_system') }
  const db = connectDatabase({ ...urls, poolSize: 2 })
  const vault = createVault(db, t.deps.keys.service, createPersonKeyFiles(directory, 0))
  try {
    await read(vault, async (paymentId) => {
      const { rows } = await copy.owner.query(
        'select private_sealed as sealed from payments where payment_id = $1',
        [paymentId],
      )
      return readDetails({ vault }, { orgId: org.orgId, paymentId, privateSealed: rows[0].sealed })
    })
  } finally {
    await db.close()
    await copy.drop()
  }
}

describe('after an erasure', () => {
  it('a dump from before it, restored with today’s keys, does not show the person, and shows everybody else', async () => {
    const { rows: wal } = await t.owner.query('select pg_walfile_name(pg_current_wal_lsn()) as name')
    const beneficiaryId = await org.addBeneficiary(
      bankBeneficiary({ fname: 'Restored', lname: 'Canary', email: 'restored.canary@example.com' }),
    )
    const own = await paid(cardPayin(payerOf('restored')))
    const other = await paid(cardPayin(payerOf('remaining')))
    const dump = await dumpDatabase(t.owner)

    await readCopy(await dump.restore(), async (_vault, details) => {
      expect((await details(own)).payer?.email).toBe('restored.canary@example.com')
    })

    const erasure = await erase({ email: 'Restored.Canary@Example.com' })
    expect(erasure).toMatchObject({
      status: 'done',
      payment_ids: [own],
      beneficiary_ids: [beneficiaryId],
    })

    const copy = await dump.restore()
    await readCopy(copy, async (vault, details) => {
      expect(await details(own)).toEqual({})
      expect((await details(other)).payer?.email).toBe('remaining.canary@example.com')
      const { rows } = await copy.owner.query(
        'select details_sealed as sealed from beneficiaries where beneficiary_id = $1',
        [beneficiaryId],
      )
      const opened = vault.open(org.orgId, beneficiaryContext(beneficiaryId), rows[0].sealed)
      await expect(opened).rejects.toThrow('the person was erased')
    })

    const { own: files, shared } = await postgresPlaces(t.owner, wal[0].name)
    const sought = {
      name: formsOf('Restored Canary'),
      email: formsOf('restored.canary@example.com'),
      'other letters': formsOf('Restored.Canary@Example.com'),
      control: formsOf(own),
    }
    const places = [
      ...files,
      ...shared,
      { name: 'dump', pieces: () => textsOf(dump.text) },
      { name: 'person keys', pieces: () => filesUnder(directory) },
    ]
    // What may be there is found in every place: the search does find things.
    expect(await findSecrets(places, sought)).toEqual([
      'data files: control',
      'dump: control',
      'tables: control',
      'write-ahead log: control',
    ])
  })

  it('answers show an erased person plainly, and no search finds them', async () => {
    const id = await paid(
      cardPayin({ ...payerOf('shown'), description: 'For Shown Canary', metadata: { who: 'Shown Canary' } }),
    )
    await recordTerms(t.deps)
    await erase({ payment_id: id })
    const record = await org.record(id)
    expect(record).toMatchObject({
      status: 'completed',
      payer_details: {},
      card_details: {},
      metadata: {},
      description: null,
    })
    expect(Date.parse(record.personal_data_erased_at)).toBeGreaterThan(0)
    const listed = (await org.call('GET', '/v1/transactions?limit=100')).body.data
    expect(listed.find((row: Json) => row.payment_id === id)).toMatchObject({
      payer_name: null,
      payer_email: null,
      personal_data_erased_at: record.personal_data_erased_at,
    })
    expect((await org.call('GET', '/v1/transactions?q=shown')).body.data).toEqual([])
    expect(await org.timeline(id)).not.toEqual([])
  })

  it('payments and the ledger still add up', async () => {
    const id = await paid(cardPayin(payerOf('booked')))
    const before = await org.postings(id)
    await erase({ payment_id: id })
    expect(await org.postings(id)).toEqual(before)
    const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
  })

  it('the payments to a beneficiary are erased with it, and the log of who did it names nobody', async () => {
    const beneficiaryId = await org.addBeneficiary(bankBeneficiary({ fname: 'Payee', lname: 'Canary' }))
    const id = await paid(bankPayout(beneficiaryId))
    const erasure = await erase({ beneficiary_id: beneficiaryId })
    expect(erasure.payment_ids).toEqual([id])
    expect((await org.record(id)).recipient_info).toEqual({})
    expect((await org.call('GET', `/v1/beneficiaries/${beneficiaryId}`)).status).toBe(404)
    const { rows } = await t.owner.query(
      `select action, after from audit_log where org_id = $1 and resource_id = $2 order by created_at, audit_id`,
      [org.orgId, erasure.erasure_id],
    )
    expect(rows).toEqual([
      { action: 'erasure.request', after: { subject: 'beneficiary', payments: 1, beneficiaries: 1 } },
      { action: 'erasure.complete', after: { payments: 1, beneficiaries: 1, links: 0 } },
    ])
  })

  it('by phone number, in whatever form it was sent', async () => {
    const id = await paid(
      mobileMoneyPayin({ mobile_money_details: { provider: 'MTN', phone_number: '0783456701' } }),
    )
    const stays = await paid(
      mobileMoneyPayin({ mobile_money_details: { provider: 'MTN', phone_number: '0783456702' } }),
    )
    expect((await erase({ phone: '+256783456701' })).payment_ids).toEqual([id])
    expect((await org.record(stays)).personal_data_erased_at).toBeNull()
  })
})

describe('an erasure that ends in the middle', () => {
  it('after the keys are destroyed is finished by the next run, and nothing can be read in between', async () => {
    const id = await paid(cardPayin(payerOf('halfway')))
    await recordTerms(t.deps)
    const { body } = await request({ payment_id: id })
    const dying = { ...t.deps, clock: { now: () => killed() } }
    await expect(erasePerson(dying, { orgId: org.orgId, erasureId: body.data.erasure_id })).rejects.toThrow(
      'killed',
    )
    expect((await org.call('GET', `${path}/${body.data.erasure_id}`)).body.data.status).toBe('pending')
    expect((await org.record(id)).payer_details).toEqual({})
    await run(body.data)
    expect((await org.call('GET', `${path}/${body.data.erasure_id}`)).body.data.status).toBe('done')
    expect((await rowOf(id)).private_sealed).toHaveLength(0)
    expect((await org.call('GET', '/v1/transactions?q=halfway')).body.data).toEqual([])
  })

  it('is done by the engine', async () => {
    const id = await paid(cardPayin(payerOf('engine')))
    const worker = await startTestWorker(t)
    try {
      await request({ payment_id: id })
      await waitUntil(async () => (await rowOf(id)).erased_at !== null, {
        timeoutMs: 20_000,
        what: 'the engine to erase',
      })
    } finally {
      await worker.stop()
    }
  })

  it('two at once destroy what both of them name', async () => {
    const ids = [await paid(cardPayin(payerOf('first'))), await paid(cardPayin(payerOf('second')))]
    const sealed = await Promise.all(ids.map(async (id) => (await rowOf(id)).private_sealed))
    await Promise.all(ids.map((id) => erase({ payment_id: id })))
    for (const [index, id] of ids.entries())
      await expect(t.deps.vault.open(org.orgId, privateContext(id), sealed[index])).rejects.toThrow('erased')
  })
})

function killed(): Date {
  throw new Error('killed')
}

describe('201', () => {
  it('a repeat finds nothing left', async () => {
    const id = await paid(cardPayin(payerOf('repeated')))
    await erase({ email: 'repeated.canary@example.com' })
    for (const body of [{ email: 'repeated.canary@example.com' }, { payment_id: id }])
      expect((await request(body)).body.data).toMatchObject({ status: 'done', payment_ids: [] })
  })

  it('who pays again after the erasure is a new person', async () => {
    await paid(cardPayin(payerOf('again')))
    await erase({ email: 'again.canary@example.com' })
    const id = await paid(cardPayin(payerOf('again')))
    expect((await org.record(id)).payer_details.email).toBe('again.canary@example.com')
    expect((await erase({ email: 'again.canary@example.com' })).payment_ids).toEqual([id])
  })
})

describe('202', () => {
  it('where changes need a second person, nothing is erased before they approve', async () => {
    const four = await openPayments(t)
    const second = await addPerson(t, four.orgId, 'org-admin')
    await four.call('PUT', `/v1/organizations/${four.orgId}/approval-policies`, {
      policies: [{ currency: 'USD', payout_from: 100 }],
    })
    const id = await paid(cardPayin(payerOf('approved')), four)
    const held = await request({ email: 'approved.canary@example.com' }, four)
    expect(held.status).toBe(202)
    expect(held.text).not.toMatch(/canary/i)
    expect((await four.record(id)).payer_details.email).toBe('approved.canary@example.com')
    const approval = await t.call(
      'POST',
      `/v1/organizations/${four.orgId}/change-requests/${held.body.data.request_id}/approve`,
      { as: second.token },
    )
    expect(approval.status).toBe(200)
    const [erasure] = (await four.call('GET', path)).body.data
    expect(erasure).toMatchObject({ status: 'pending', approved_by: second.userId })
    await run(erasure, four)
    expect((await four.record(id)).payer_details).toEqual({})
  })
})

describe('400', () => {
  it.each([[{}], [{ email: 'a@example.com', phone: '+256783456789' }], [{ phone: '0783456789' }]])(
    'the person is not named by exactly one valid thing: %j',
    async (body) => {
      expect((await request(body)).status).toBe(400)
    },
  )
})

describe('403', () => {
  it('staff may not erase, and not lift a hold', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    for (const refused of [path, '/v1/privacy/holds', `/v1/privacy/holds/${newId()}/lift`])
      expect((await t.call('POST', refused, { as: staff.token, body: {} })).status).toBe(403)
  })
})

describe('404', () => {
  it('records of another organisation cannot be erased, held or seen', async () => {
    const stranger = await openPayments(t)
    const id = await paid(cardPayin(payerOf('strange')))
    const beneficiaryId = await org.addBeneficiary(bankBeneficiary())
    const erasure = (await request({ payment_id: newId() }, stranger)).status
    expect(erasure).toBe(404)
    expect((await request({ payment_id: id }, stranger)).status).toBe(404)
    expect((await request({ beneficiary_id: beneficiaryId }, stranger)).status).toBe(404)
    expect((await request({ email: 'strange.canary@example.com' }, stranger)).body.data.payment_ids).toEqual(
      [],
    )
    expect((await org.record(id)).payer_details.email).toBe('strange.canary@example.com')
    const own = (await request({ email: 'nobody@example.com' })).body.data
    expect((await stranger.call('GET', `${path}/${own.erasure_id}`)).status).toBe(404)
    const hold = { subject: 'payment', subject_id: id, reason }
    expect((await stranger.call('POST', '/v1/privacy/holds', hold)).status).toBe(404)
  })
})

describe('409', () => {
  it('while a payment of the person has not ended', async () => {
    const id = await org.start(mobileMoneyPayin(payerOf('open')))
    const refused = await request({ email: 'open.canary@example.com' })
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_ERASABLE'])
    expect(refused.text).toContain(id)
    expect((await org.record(id)).payer_details.email).toBe('open.canary@example.com')
  })

  it('while a payment of the person is under a legal hold, also if it was placed after the request', async () => {
    const id = await paid(cardPayin(payerOf('held')))
    const { body } = await request({ payment_id: id })
    const hold = await org.call('POST', '/v1/privacy/holds', { subject: 'payment', subject_id: id, reason })
    expect(hold.status).toBe(201)
    await run(body.data)
    expect((await org.call('GET', `${path}/${body.data.erasure_id}`)).body.data.status).toBe('refused')
    expect((await request({ payment_id: id })).body.code).toBe('NOT_ERASABLE')
    expect((await org.record(id)).payer_details.email).toBe('held.canary@example.com')
    const lifted = await org.call('POST', `/v1/privacy/holds/${hold.body.data.hold_id}/lift`)
    expect(lifted.body.data.lifted_at).not.toBeNull()
    expect((await erase({ payment_id: id })).status).toBe('done')
    expect((await org.call('GET', '/v1/privacy/holds')).body.data).toHaveLength(1)
  })

  it('while a payment of the person is disputed', async () => {
    const id = await paid(cardPayin(payerOf('disputed')))
    await t.owner.query(
      `insert into disputes (org_id, dispute_id, payment_id, provider, account_id, custody, provider_ref, state, reason,
         provider_reason, provider_status, amount_minor, currency)
       select org_id, $2, payment_id, provider, account_id, custody, 'dp', 'needs_response', 'fraudulent', 'x', 'x',
         amount_minor, currency from payments where payment_id = $1`,
      [id, newId()],
    )
    expect((await request({ payment_id: id })).body.code).toBe('NOT_ERASABLE')
  })
})
