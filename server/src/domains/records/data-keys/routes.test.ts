import { describe, expect, it } from 'vitest'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { uuidToBytes } from '../../../lib/ids.ts'
import { openAccounts } from '../../../../test/worlds/test-accounts.ts'
import { bankBeneficiary, bankPayout, usePayments } from '../../../../test/worlds/test-payments.ts'
import { startTestWorker } from '../../../../test/app/test-worker.ts'
import { resealData } from './reseal-data.ts'
import { sealedColumns } from './store.ts'

const t = usePayments()

/** Tables with values of the organisation that are sealed under another key. */
async function staleTables(orgId: string, dataKeyId: string): Promise<string[]> {
  const stale: string[] = []
  for (const { table, column } of sealedColumns) {
    const others = `select from ${table} where org_id = $1 and substring(${column} from 1 for 16) <> $2`
    const { rowCount } = await t.owner.query(others, [orgId, uuidToBytes(dataKeyId)])
    if (rowCount !== 0) stale.push(table)
  }
  return stale
}

describe('200', () => {
  it('every sealed value is re-encrypted under the new key and unchanged', async () => {
    const org = await openAccounts(t)
    const account = await org.open()
    const payment = await org.start(bankPayout(org.beneficiaryId))
    const before = await org.record(payment)
    const answer = await org.call('POST', `/v1/organizations/${org.orgId}/data-keys/rotate`)
    expect(answer.status).toBe(200)
    expect(await resealData(t.deps, org.orgId)).toBe(3)
    expect(await resealData(t.deps, org.orgId)).toBe(0)
    expect(await staleTables(org.orgId, answer.body.data.data_key_id)).toEqual([])
    expect((await org.account(account.account_id)).bank_details).toEqual(account.bank_details)
    expect((await org.record(payment)).bank_account).toEqual(before.bank_account)
    const { rows } = await t.owner.query(
      `select handler, payload from outbox where org_id = $1 and service = 'DataKeys'`,
      [org.orgId],
    )
    expect(rows).toEqual([{ handler: 'reseal', payload: { orgId: org.orgId } }])
  })

  it('the engine re-encrypts everything after a rotation', async () => {
    const org = await openAccounts(t)
    await org.open()
    const { body } = await org.call('POST', `/v1/organizations/${org.orgId}/data-keys/rotate`)
    const dataKeyId: string = body.data.data_key_id
    expect(await staleTables(org.orgId, dataKeyId)).not.toEqual([])
    const worker = await startTestWorker(t)
    try {
      await waitUntil(async () => (await staleTables(org.orgId, dataKeyId)).length === 0, {
        what: 'the engine to reseal',
      })
    } finally {
      await worker.stop()
    }
  })

  it('a concurrent change is not overwritten by re-encryption', async () => {
    const org = await openAccounts(t)
    const id = await org.addBeneficiary(bankBeneficiary())
    for (let round = 0; round < 10; round++) {
      await org.call('POST', `/v1/organizations/${org.orgId}/data-keys/rotate`)
      const lname = `Name ${round}`
      await Promise.all([
        resealData(t.deps, org.orgId),
        org.call('PATCH', `/v1/beneficiaries/${id}`, { lname }),
      ])
      expect((await org.call('GET', `/v1/beneficiaries/${id}`)).body.data.lname).toBe(lname)
    }
  })
})

describe('the list of sealed columns', () => {
  it('matches the database, except for idempotent responses, which use another key', async () => {
    const { rows } = await t.owner.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like '%\\_sealed' order by 1`,
    )
    const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    const names = rows.map(({ name }) => name).filter((name) => !name.endsWith('.response_sealed'))
    expect(listed.toSorted()).toEqual(names.toSorted())
  })
})

describe('403', () => {
  it('another organisation’s key, and a rotation by staff', async () => {
    const [org, stranger] = [await openAccounts(t), await openAccounts(t)]
    const path = `/v1/organizations/${org.orgId}/data-keys/rotate`
    expect((await stranger.call('POST', path)).status).toBe(403)
    expect((await t.call('POST', path, { as: await org.staff('staff') })).status).toBe(403)
  })
})
