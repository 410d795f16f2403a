import { beforeEach, expect, it } from 'vitest'
import { exportCsv } from '../../../../test/files/export-csv.ts'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments()
let org: OrgPayments
let viewer: Person
let payee: string
beforeEach(async () => {
  org = await openPayments(t)
  viewer = await addPerson(t, org.orgId, 'viewer')
  payee = await org.addBeneficiary(bankBeneficiary())
})

const reads = async (): Promise<Json[]> => {
  await t.deps.personalReads.flush()
  const { rows } = await t.owner.query(
    `select user_id, resource_id, after from audit_log where org_id = $1 and action = 'personal-data.read'`,
    [org.orgId],
  )
  return rows
}

it('a read in full is one entry: who, which route, which id', async () => {
  await org.call('GET', `/v1/beneficiaries/${payee}`)
  expect(await reads()).toEqual([
    {
      user_id: expect.any(String),
      resource_id: payee,
      after: { route: '/v1/beneficiaries/:beneficiary_id', ids: [payee] },
    },
  ])
})

it('a list is one entry, however many people it shows, and so is its export', async () => {
  await org.addBeneficiary(bankBeneficiary())
  await org.call('GET', '/v1/beneficiaries?limit=100')
  await exportCsv(t, '/v1/beneficiaries', org.credential)
  expect((await reads()).map(({ resource_id }) => resource_id)).toEqual(['*', '*'])
})

it('masked answers, answers to writes, refusals and lists without people leave no entry', async () => {
  await t.call('GET', `/v1/beneficiaries/${payee}`, { as: viewer.token })
  await org.call('PATCH', `/v1/beneficiaries/${payee}`, { email: 'other@example.com' })
  await org.call('GET', `/v1/beneficiaries/${viewer.userId}`)
  await org.call('GET', '/v1/payments/provider-accounts')
  expect(await reads()).toEqual([])
})

it('what the operator reads of an organisation stands in the log of that organisation', async () => {
  const path = `/v1/orgs/${org.orgId}/payment-links`
  const link = { amount: 10, currency: 'NGN', country: 'NG', description: 'One', email: 'payer@example.com' }
  expect((await org.call('POST', path, link)).status).toBe(201)
  const answer = await t.call('GET', path, { as: t.seed.platformAdmin.api_key })
  expect([answer.status, answer.text.includes('payer@example.com')]).toEqual([200, true])
  expect((await reads()).map(({ user_id }) => user_id)).toEqual([t.seed.platformAdmin.user_id])
})
