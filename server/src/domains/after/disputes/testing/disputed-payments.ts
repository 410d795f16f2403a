import { transitions } from '../../../payments/lifecycle/rules.ts'
import { auditAcrossOrgs } from '../../../../kernel/ledger/audit.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  cardPayin,
  mobileMoneyPayin,
  type OrgPayments,
  type TestPayments,
} from '../../../../../test/worlds/test-payments.ts'

/** A payin at each provider whose payments can be disputed, at the installation's account. */
export const disputable = {
  stripe: cardPayin(),
  adyen: cardPayin({
    country: 'DE',
    currency: 'EUR',
    target_currency: 'EUR',
    card_details: { card_number: '4111111111111111', expiry_month: '03', expiry_year: '2030', cvv: '737' },
  }),
  paystack: bankTransferPayin(),
  flutterwave: mobileMoneyPayin({
    currency: 'RWF',
    target_currency: 'RWF',
    country: 'RW',
    mobile_money_details: { provider: 'MTN', phone_number: '250783456789' },
  }),
} as const
export type DisputableProvider = keyof typeof disputable

/** Pays and returns the payment's id and our reference of its attempt. */
export async function paid(
  t: TestPayments,
  org: OrgPayments,
  body: Json,
): Promise<{ id: string; reference: string }> {
  const answer = await org.initiate(body)
  if (answer.status !== 200) throw new Error(`the payment was not accepted: ${answer.text}`)
  const { payment_id: id, redirect_url: page } = answer.body.response
  if (page)
    await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'pay' }),
      redirect: 'manual',
    })
  const [attempt] = await org.attempts(id)
  const { reference } = attempt.data
  await t.simulator.settle({ reference, all: true })
  await org.advance(id)
  const { status } = await org.record(id)
  if (status !== 'completed') throw new Error(`the payment is ${status}`)
  return { id, reference }
}

/** What a balance or suspense has paid for refunds, disputes and reversals of a payment, in whole units. */
export async function paidBy(
  { owner }: TestPayments,
  paymentId: string,
  account: 'available' | 'suspense',
): Promise<number> {
  const { rows } = await owner.query<{ major: string | null }>(
    `select sum(case when debit_account like $2 then amount_minor when credit_account like $2 then -amount_minor end)
       / (case when min(currency) in ('RWF', 'UGX') then 1 else 100 end) as major
     from ledger_transfers where phase in ('posted', 'post')
       and (kind like 'refund%' or kind like 'payin.reversed%' or kind ~ '^dispute.(withdrawn|returned|excess)')
       and cause_id in (select $1::uuid union all select refund_id from refunds where payment_id = $1
         union all select dispute_id from disputes where payment_id = $1)`,
    [paymentId, `${account}%`],
  )
  return Number(rows[0]?.major ?? 0)
}

export const disputesOf = async (org: OrgPayments, filter = ''): Promise<Json[]> =>
  (await org.call('GET', `/v1/disputes?limit=100${filter}`)).body.data

/** The only dispute of the organisation. */
export async function onlyDispute(org: OrgPayments): Promise<Json> {
  const found = await disputesOf(org)
  if (found.length !== 1) throw new Error(`there are ${found.length} disputes`)
  return (await org.call('GET', `/v1/disputes/${found[0].dispute_id}`)).body.data
}

/** `kind debit>credit minor`, in the order of kinds. */
export const ledgerOf = async (org: OrgPayments, disputeId: string): Promise<string[]> =>
  (await org.postings(disputeId)).map(
    ({ kind, debit, credit, minor, currency }) => `${kind} ${debit}>${credit} ${minor} ${currency}`,
  )

export const pdf = Buffer.from('%PDF-1.4 a receipt').toString('base64')

/** What every provider needs. */
export const completeEvidence = {
  texts: {
    customer_name: 'Ann',
    customer_email: 'ann@example.com',
    customer_phone: '08012345678',
    product_description: 'A chair',
    notes: 'Delivered and signed for.',
  },
  files: [{ purpose: 'receipt', name: 'receipt.pdf', content: pdf }],
}

export async function brokenPromises(t: TestPayments): Promise<string[]> {
  const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
  return findings.filter(({ violations }) => violations > 0).map(({ promise }) => promise)
}
