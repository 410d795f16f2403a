import { addPerson, type Person } from '../../../../../test/app/people.ts'
import type { CallAnswer, CallOptions, Json } from '../../../../../test/app/test-app.ts'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import {
  ampleFunds,
  bankBeneficiary,
  mobileMoneyBeneficiary,
  openUnverified,
  type OrgPayments,
  type TestPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { advanceBatch } from '../advance-batch.ts'

/** An organisation with a creator, an approver and beneficiaries in two currencies. */
export interface BatchOrg extends Omit<OrgPayments, 'advance'> {
  staff: Person
  colleague: Person
  viewer: Person
  second: Person
  banked: string
  mobile: string
  post(body: Json, options?: CallOptions): Promise<CallAnswer>
  dryRun(rows: Json[]): Promise<Json>
  /** As the staff member, also if a batch has the same rows; throws unless it was stored. */
  create(rows: Json[]): Promise<string>
  order(batchId: string, verb: string, as?: Person): Promise<CallAnswer>
  /** Both approvals; the answer is that of the second. */
  approve(batchId: string): Promise<CallAnswer>
  batch(batchId: string): Promise<Json>
  rows(batchId: string, filter?: string): Promise<Json[]>
  /** Runs the engine's rounds until the batch waits, pauses or ends. */
  advance(batchId: string): Promise<number | undefined>
  setPolicy(policy: Json): Promise<void>
  /** Beneficiaries with the details of `banked`. */
  copyBeneficiary(count: number): Promise<string[]>
}

export async function openBatches(t: TestPayments, funds = ampleFunds): Promise<BatchOrg> {
  const org = await openUnverified(t)
  await seedFunds(t.deps, org.orgId, funds)
  const { orgId } = org
  const [staff, colleague, viewer, second] = [
    await addPerson(t, orgId, 'staff'),
    await addPerson(t, orgId, 'staff'),
    await addPerson(t, orgId, 'viewer'),
    await addPerson(t, orgId, 'org-admin'),
  ]
  const banked = await org.addBeneficiary(bankBeneficiary())
  const post: BatchOrg['post'] = (body, options) =>
    t.call('POST', '/v1/payouts/batches', { as: staff.token, body, ...options })
  const order: BatchOrg['order'] = (batchId, verb, as = staff) =>
    t.call('POST', `/v1/payouts/batches/${batchId}/${verb}`, { as: as.token })
  return {
    ...org,
    staff,
    colleague,
    viewer,
    second,
    banked,
    mobile: await org.addBeneficiary(mobileMoneyBeneficiary()),
    post,
    async dryRun(rows) {
      const path = '/v1/payouts/batches?dry_run=true'
      const answer = await t.call('POST', path, { as: staff.token, body: { rows }, unaudited: true })
      if (answer.status !== 200) throw new Error(`the dry run failed: ${answer.text}`)
      return answer.body.data
    },
    async create(rows) {
      const answer = await post({ rows, allow_duplicate: true })
      if (answer.status !== 201) throw new Error(`the batch was not stored: ${answer.text}`)
      return answer.body.data.batch_id
    },
    order,
    async approve(batchId) {
      await order(batchId, 'approve', colleague)
      return order(batchId, 'approve', second)
    },
    batch: async (batchId) => (await org.call('GET', `/v1/payouts/batches/${batchId}`)).body.data,
    rows: async (batchId, filter = '') =>
      (await org.call('GET', `/v1/payouts/batches/${batchId}/rows?limit=100${filter}`)).body.data,
    async advance(batchId) {
      for (;;) {
        const waitMs = await advanceBatch(t.deps, { orgId, batchId })
        if (waitMs !== 0) return waitMs
      }
    },
    async setPolicy(policy) {
      await org.call('PUT', `/v1/organizations/${orgId}/approval-policies`, { policies: [policy] })
    },
    async copyBeneficiary(count) {
      const { rows } = await t.owner.query<{ id: string }>(
        `insert into beneficiaries (org_id, beneficiary_id, beneficiary_of, account_type, beneficiary_type, country, currency, details_sealed)
         select org_id, gen_random_uuid(), beneficiary_of, account_type, beneficiary_type, country, currency, details_sealed
         from beneficiaries cross join generate_series(1, $3::integer) where org_id = $1 and beneficiary_id = $2
         returning beneficiary_id as id`,
        [orgId, banked, count],
      )
      return rows.map(({ id }) => id)
    },
  }
}

/** Rows that can be paid, with references `r1`, `r2` and so on. */
export const nairaRows = (beneficiaryId: string, count: number, change: object = {}): Json[] =>
  Array.from({ length: count }, (_, index) => ({
    client_reference: `r${index + 1}`,
    beneficiary_id: beneficiaryId,
    amount: 100.5,
    currency: 'NGN',
    ...change,
  }))
