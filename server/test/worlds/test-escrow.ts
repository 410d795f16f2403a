import { newId } from '../../src/lib/ids.ts'
import { openAccounts, type TestAccounts } from './test-accounts.ts'
import type { CallAnswer, Json } from '../app/test-app.ts'
import { bankBeneficiary, type TestPayments } from './test-payments.ts'

export const escrowPath = '/v1/virtual-accounts/escrow'

/** One escrow of an organisation that has the feature, with the calls that tests need. */
export interface TestEscrow {
  org: TestAccounts
  escrowId: string
  /** The account that it is funded from. */
  fundingAccount: Json
  call(method: string, path: string, body?: Json): Promise<CallAnswer>
  read(): Promise<Json>
  accountParty(): Promise<Json>
  payoutParty(account?: string): Promise<Json>
  milestone(expected: number, parties: Json[], change?: Json): Promise<Json>
  readMilestone(milestoneId: string): Promise<Json>
  fund(amount: number): Promise<CallAnswer>
  /** Submits and approves the milestone. */
  approve(milestoneId: string): Promise<void>
  disburse(milestoneId: string): Promise<CallAnswer>
}

export async function giveFeature(t: TestPayments, orgId: string): Promise<void> {
  await t.owner.query(`update organizations set features = array['escrow'] where org_id = $1`, [orgId])
}

export async function openEscrow(t: TestPayments, fundsMinor = 1_000_000): Promise<TestEscrow> {
  const org = await openAccounts(t)
  await giveFeature(t, org.orgId)
  return addEscrow(org, await org.funded(fundsMinor))
}

export async function addEscrow(org: TestAccounts, fundingAccount: Json): Promise<TestEscrow> {
  const created = must(await org.call('POST', escrowPath, { name: 'Warehouse', currency: 'NGN' }), 201)
  const escrowId: string = created.escrow_id
  const call: TestEscrow['call'] = (method, path, body) =>
    org.call(method, `${escrowPath}/${escrowId}${path}`, body)
  const party = async (body: Json): Promise<Json> =>
    must(await call('POST', '/parties', { name: `Party ${newId()}`, ...body }), 201)
  return {
    org,
    escrowId,
    fundingAccount,
    call,
    read: async () => must(await call('GET', ''), 200),
    accountParty: async () => party({ account_id: (await org.open()).account_id }),
    async payoutParty(account = '0690000049') {
      const bank_details = { account_number: account, bank_code: '044', bank_name: 'Access Bank' }
      return party({ beneficiary_id: await org.addBeneficiary(bankBeneficiary({ bank_details })) })
    },
    milestone: async (expected, parties, change = {}) =>
      must(
        await call('POST', '/milestones', {
          label: 'Foundations',
          expected_disbursement: expected,
          parties,
          ...change,
        }),
        201,
      ),
    readMilestone: async (milestoneId) => must(await call('GET', `/milestones/${milestoneId}`), 200),
    fund: (amount) => call('POST', '/fund', { account_id: fundingAccount.account_id, amount }),
    async approve(milestoneId) {
      must(await call('POST', `/milestones/${milestoneId}/contract`, { reference: 'C-1' }), 200)
      must(await call('POST', `/milestones/${milestoneId}/approve`), 200)
    },
    disburse: (milestoneId) => call('POST', `/milestones/${milestoneId}/disburse`),
  }
}

export const percent = ({ party_id }: Json, split_value: number): Json => ({ party_id, split_value })
export const fixed = ({ party_id }: Json, split_value: number): Json => ({
  party_id,
  split_value,
  split_type: 'fixed',
})

function must(answer: CallAnswer, status: number): Json {
  if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.body.data
}
