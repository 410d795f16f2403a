import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { connectDatabase } from '../../../kernel/db/database.ts'
import { createVault, type Vault } from '../../../kernel/db/vault.ts'
import { createPersonKeyFiles } from '../../../kernel/keys/person-key-files.ts'
import { auditAcrossOrgs } from '../../../kernel/ledger/audit.ts'
import { dumpDatabase } from '../../../../test/app/copy-database.ts'
import { createPersonKeysDir } from '../../../../test/app/person-keys.ts'
import {
  filesUnder,
  findSecrets,
  formsOf,
  postgresPlaces,
  textsOf,
} from '../../../../test/secrets/search-secrets.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { startTestWorker } from '../../../../test/app/test-worker.ts'
import { beneficiaryContext } from '../../parties/beneficiaries/create-beneficiary.ts'
import { linkContext } from '../../parties/payment-links/create-link.ts'
import { readDetails } from '../../payments/reads/read-details.ts'
import { privateContext, type PrivateDetails } from '../../payments/record.ts'
import { transitions } from '../../payments/lifecycle/rules.ts'
import { recordTerms } from '../../payments/reads/search/record-terms.ts'
import { erasePerson } from './erase-person.ts'
import { eraserOf, payerOf } from './testing/erase-people.ts'

const directory = createPersonKeysDir()
const t = usePayments({ delayMs: untilSettled, env: { PERSON_KEYS_DIR: directory } })
const by = eraserOf(t)
afterAll(() => rmSync(directory, { recursive: true }))

let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

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
    const own = await by.paid(org, cardPayin(payerOf('restored')))
    const other = await by.paid(org, cardPayin(payerOf('remaining')))
    const dump = await dumpDatabase(t.owner)

    await readCopy(await dump.restore(), async (_vault, details) => {
      expect((await details(own)).payer?.email).toBe('restored.canary@example.com')
    })

    const erasure = await by.erase(org, { email: 'Restored.Canary@Example.com' })
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
    const id = await by.paid(
      org,
      cardPayin({ ...payerOf('shown'), description: 'For Shown Canary', metadata: { who: 'Shown Canary' } }),
    )
    await recordTerms(t.deps)
    await by.erase(org, { payment_id: id })
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
    const id = await by.paid(org, cardPayin(payerOf('booked')))
    const before = await org.postings(id)
    await by.erase(org, { payment_id: id })
    expect(await org.postings(id)).toEqual(before)
    const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
  })

  it('the payments to a beneficiary are erased with it, and the log of who did it names nobody', async () => {
    const beneficiaryId = await org.addBeneficiary(bankBeneficiary({ fname: 'Payee', lname: 'Canary' }))
    const id = await by.paid(org, bankPayout(beneficiaryId))
    const erasure = await by.erase(org, { beneficiary_id: beneficiaryId })
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
    const id = await by.paid(
      org,
      mobileMoneyPayin({ mobile_money_details: { provider: 'MTN', phone_number: '0783456701' } }),
    )
    const stays = await by.paid(
      org,
      mobileMoneyPayin({ mobile_money_details: { provider: 'MTN', phone_number: '0783456702' } }),
    )
    expect((await by.erase(org, { phone: '+256783456701' })).payment_ids).toEqual([id])
    expect((await org.record(stays)).personal_data_erased_at).toBeNull()
  })
})

describe('an erasure that ends in the middle', () => {
  it('after the keys are destroyed is finished by the next run, and nothing can be read in between', async () => {
    const id = await by.paid(org, cardPayin(payerOf('halfway')))
    await recordTerms(t.deps)
    const { body } = await by.request(org, { payment_id: id })
    const dying = { ...t.deps, clock: { now: () => killed() } }
    await expect(erasePerson(dying, { orgId: org.orgId, erasureId: body.data.erasure_id })).rejects.toThrow(
      'killed',
    )
    expect((await by.read(org, body.data)).status).toBe('pending')
    expect((await org.record(id)).payer_details).toEqual({})
    await by.run(org, body.data)
    expect((await by.read(org, body.data)).status).toBe('done')
    expect((await by.rowOf(id)).private_sealed).toHaveLength(0)
    expect((await org.call('GET', '/v1/transactions?q=halfway')).body.data).toEqual([])
  })

  it('is done by the engine', async () => {
    const id = await by.paid(org, cardPayin(payerOf('engine')))
    const worker = await startTestWorker(t)
    try {
      await by.request(org, { payment_id: id })
      await expect
        .poll(async () => (await by.rowOf(id)).erased_at, { timeout: defaultWaitMs, interval: 100 })
        .not.toBeNull()
    } finally {
      await worker.stop()
    }
  })

  it('and a restored backup have rows whose keys are gone: lists go on without them', async () => {
    const other = await openPayments(t)
    const ids = [await other.addBeneficiary(bankBeneficiary()), await other.addBeneficiary(bankBeneficiary())]
    await t.deps.vault.erase(other.orgId, [beneficiaryContext(ids[0] ?? '')])
    const listed = (await other.call('GET', '/v1/beneficiaries')).body.data
    expect(listed.map((one: Json) => one.beneficiary_id)).toEqual([ids[1]])
    expect((await other.call('GET', `/v1/beneficiaries/${ids[0]}`)).status).toBe(404)
    const links = `/v1/orgs/${other.orgId}/payment-links`
    const body = { amount: 5, currency: 'GBP', email: 'gone@example.com', description: 'Order 7' }
    const made = (await other.call('POST', links, body)).body.data
    await t.deps.vault.erase(other.orgId, [linkContext(made.link_id)])
    expect((await other.call('GET', `${links}/${made.link_id}`)).status).toBe(200)
  })

  it('two at once destroy what both of them name', async () => {
    const ids = [
      await by.paid(org, cardPayin(payerOf('first'))),
      await by.paid(org, cardPayin(payerOf('second'))),
    ]
    const sealed = await Promise.all(ids.map(async (id) => (await by.rowOf(id)).private_sealed))
    await Promise.all(ids.map((id) => by.erase(org, { payment_id: id })))
    for (const [index, id] of ids.entries())
      await expect(t.deps.vault.open(org.orgId, privateContext(id), sealed[index])).rejects.toThrow('erased')
  })
})

function killed(): Date {
  throw new Error('killed')
}
