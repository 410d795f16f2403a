import type { z } from 'zod'
import type { ApprovalPolicy } from '@switchyard/server/domains/pricing/approval-policies/record.ts'
import { setPolicies } from '@switchyard/server/domains/pricing/approval-policies/set-policies.ts'
import { createBeneficiary } from '@switchyard/server/domains/parties/beneficiaries/create-beneficiary.ts'
import {
  createBeneficiaryBody,
  toNewBeneficiary,
} from '@switchyard/server/domains/parties/beneficiaries/schema.ts'
import { advancePayment } from '@switchyard/server/domains/payments/supervision/advance-payment.ts'
import { cancelPayment } from '@switchyard/server/domains/payments/actions/cancel-payment.ts'
import { initiatePayment } from '@switchyard/server/domains/payments/initiation/initiate-payment.ts'
import { draftInitiation } from '@switchyard/server/domains/payments/initiation/draft-payment.ts'
import { initiateBody } from '@switchyard/server/domains/payments/initiation/schema.ts'
import { reviewPayment } from '@switchyard/server/domains/payments/reviews/review-payment.ts'
import { advanceRefund } from '@switchyard/server/domains/payments/refunds/advance-refund.ts'
import { refundPayment } from '@switchyard/server/domains/payments/refunds/refund-payment.ts'
import { rescheduleStatement } from '@switchyard/server/kernel/engine/outbox.ts'
import { AppError } from '@switchyard/server/lib/errors.ts'
import type { Caller } from '@switchyard/server/lib/requests/access.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'

/** Dual approval needs three people: an initiator, an approver, and another org-admin who confirms. */
type PaymentPeople = { initiator: Caller; approver: Caller; confirmer: Caller }

type Initiation = z.input<typeof initiateBody>
type Seeding = { deps: Deps; simulatorUrl: string }

const dayMs = 24 * 60 * 60_000
const confirmedForDays = 30
const approvalFromMinor = 500_000_00n

/** Creates payments in every status, using the same operations as the API and the engine. */
export async function seedLendingPayments(seeding: Seeding, people: PaymentPeople): Promise<void> {
  const { initiator } = people
  await seedPayins(seeding, initiator)
  await seedPayouts(seeding, initiator)
  await seedApprovals(seeding.deps, people)
}

async function seedPayins(seeding: Seeding, caller: Caller): Promise<void> {
  const { deps } = seeding
  const start = (body: Initiation) => initiate(deps, caller, body)
  const refunded = await start(
    mobileMoney('UG', { amount: 40_000, phone: '256772000140', about: 'Overpaid' }),
  )
  const partly = await start(
    mobileMoney('KE', { amount: 2_500, phone: '254708000140', about: 'Instalment 2' }),
  )
  const others = [
    await start(mobileMoney('UG', { amount: 15_000, phone: '256772000130', about: 'Instalment 1' })),
    // The last two digits are the simulator's sentinels: 14 is never approved, 13 never answered.
    await start(mobileMoney('UG', { amount: 9_000, phone: '256772000114', about: 'Instalment 1' })),
  ]
  await start(mobileMoney('KE', { amount: 1_200, phone: '254708000113', about: 'Instalment 3' }))
  await start(card('NG', 'NGN', { amount: 25_000, number: '4084084084084081', about: 'Loan fee' }))
  await settle(seeding, caller, [refunded, partly, ...others])
  const refunds = [
    { paymentId: refunded, amount: undefined, reason: 'Paid twice' },
    { paymentId: partly, amount: { amountMinor: 500_00n, currency: 'KES' }, reason: 'Fee waived' },
  ]
  const sent = await Promise.all(refunds.map((refund) => refundPayment(deps, caller, refund)))
  await settle(seeding, caller, [])
  for (const { orgId, refundId } of sent) await advanceRefund(deps, { orgId, refundId, poll: 0 })
}

async function seedPayouts(seeding: Seeding, caller: Caller): Promise<void> {
  const { deps } = seeding
  const grace = await mobileMoneyPayee(deps, caller, '256772000131')
  const silent = await mobileMoneyPayee(deps, caller, '256772000113')
  const body = mobileMoney('UG', { amount: 120_000, phone: '256772000131', about: 'Loan 1041' })
  const paid = await initiate(deps, caller, { ...body, direction: 'payout', beneficiary_id: grace })
  const slow = mobileMoney('UG', { amount: 80_000, phone: '256772000113', about: 'Loan 1042' })
  await initiate(deps, caller, { ...slow, direction: 'payout', beneficiary_id: silent })
  await settle(seeding, caller, [paid])
}

/** Large payouts need two approvals; each of these stops at a different stage. */
async function seedApprovals(deps: Deps, people: PaymentPeople): Promise<void> {
  const { initiator, approver, confirmer } = people
  const policy: ApprovalPolicy = {
    currency: 'NGN',
    payoutFromMinor: approvalFromMinor,
    dailyFromMinor: null,
    refundFromMinor: null,
    refundDailyFromMinor: null,
  }
  await setPolicies(deps, approver, { orgId: approver.orgId, policies: [policy] })
  const beneficiary = await bankPayee(deps, initiator)
  const ask = (amount: number, about: string) =>
    initiate(deps, initiator, bankPayout(beneficiary, { amount, about }))
  const review = (by: Caller, paymentId: string, decision: 'approve' | 'reject', comments: string) =>
    reviewPayment(deps, by, { paymentId, decision, comments })

  await ask(650_000, 'Loan 1043')
  await review(approver, await ask(900_000, 'Loan 1044'), 'approve', 'Checked against the contract')
  await review(approver, await ask(2_750_000, 'Loan 1045'), 'reject', 'The contract is not signed')
  await cancelPayment(deps, initiator, { paymentId: await ask(700_000, 'Loan 1046') })

  const confirmed = await ask(1_400_000, 'Loan 1047')
  await review(approver, confirmed, 'approve', 'Checked against the contract')
  await reviewPayment(dispatchingLater(deps, confirmed), confirmer, {
    paymentId: confirmed,
    decision: 'approve',
    comments: 'Pay at the end of the month',
  })
}

/** Reschedules the job in the same commit; otherwise the worker would send the approved payout within milliseconds. */
function dispatchingLater(deps: Deps, paymentId: string): Deps {
  const due = { inMs: confirmedForDays * dayMs }
  const batchInOrg: Deps['db']['batchInOrg'] = (orgId, batch) =>
    deps.db.batchInOrg(orgId, [...batch, rescheduleStatement(orgId, paymentId, due)])
  return { ...deps, db: { ...deps.db, batchInOrg } }
}

/** Payments of a British shop: paid, declined, waiting for 3-D Secure, waiting for a transfer. */
export async function seedTradingPayments(seeding: Seeding, caller: Caller): Promise<void> {
  const start = (body: Initiation) => initiate(seeding.deps, caller, body)
  const paid = await start(card('GB', 'GBP', { amount: 25, number: '4242424242424242', about: 'Order 2001' }))
  await declined(start(card('GB', 'GBP', { amount: 480, number: '4000000000009995', about: 'Order 2002' })))
  await start(card('GB', 'GBP', { amount: 129, number: '4000002760003184', about: 'Order 2003' }))
  await start({
    ...base('GB', 'GBP', { amount: 3_200, about: 'Invoice 310' }),
    payment_method: 'bank_transfer',
    payer_details: { name: 'Hartley Interiors', email: 'accounts@hartley.test' },
    bank_details: { account_name: 'Hartley Interiors', account_number: '00012345', country: 'GB' },
    bank_account: { account_number: '00012345' },
  })
  await settle(seeding, caller, [paid])
}

async function initiate(deps: Deps, caller: Caller, body: Initiation): Promise<string> {
  const draft = await draftInitiation(deps, caller, initiateBody.parse(body))
  return (await initiatePayment(deps, caller, draft)).payment.paymentId
}

/** A refusal by the last provider is an error for the caller; the failed payment is stored all the same. */
async function declined(initiation: Promise<string>): Promise<void> {
  await initiation.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'ALL_PROVIDERS_FAILED') throw error
  })
}

/** Settles all pending transactions in the simulator at once, and polls the payments. */
async function settle(
  { deps, simulatorUrl }: Seeding,
  { orgId }: Caller,
  paymentIds: readonly string[],
): Promise<void> {
  const response = await fetch(`${simulatorUrl}/_settle`, { method: 'POST', body: '{"all":true}' })
  if (!response.ok) throw new Error(`the simulator did not settle: ${response.status}`)
  await Promise.all(paymentIds.map((paymentId) => advancePayment(deps, { orgId, paymentId })))
}

type Terms = { amount: number; about: string }

const base = (country: string, currency: string, { amount, about }: Terms) => ({
  amount,
  target_amount: amount,
  currency,
  target_currency: currency,
  direction: 'payin' as const,
  country,
  description: about,
  client_reference: about.toLowerCase().replaceAll(' ', '-'),
})

const networks = { UG: { currency: 'UGX', provider: 'MTN' }, KE: { currency: 'KES', provider: 'MPESA' } }

function mobileMoney(country: keyof typeof networks, terms: Terms & { phone: string }): Initiation {
  const { currency, provider } = networks[country]
  return {
    ...base(country, currency, terms),
    payment_method: 'mobile_money',
    payer_details: { name: 'Grace Nakato', email: 'grace@example.com', phone: terms.phone },
    mobile_money_details: { provider, phone_number: terms.phone },
  }
}

const card = (country: string, currency: string, terms: Terms & { number: string }): Initiation => ({
  ...base(country, currency, terms),
  payment_method: 'card',
  payer_details: { name: 'Ann Bello', email: 'ann@example.com' },
  card_details: { card_number: terms.number, expiry_month: '12', expiry_year: '2031', cvv: '123' },
})

async function mobileMoneyPayee(deps: Deps, caller: Caller, phone: string): Promise<string> {
  const body = createBeneficiaryBody.parse({
    account_type: 'mobile_money',
    country: 'UG',
    currency: 'UGX',
    fname: 'Grace',
    lname: 'Nakato',
    momo_details: { provider: 'MTN', phone_number: phone },
  })
  return (await createBeneficiary(deps, caller, toNewBeneficiary(body, caller.userId))).beneficiaryId
}

const account = { account_number: '0123456785', bank_code: '058', bank_name: 'Guaranty Trust Bank' }

async function bankPayee(deps: Deps, caller: Caller): Promise<string> {
  const body = createBeneficiaryBody.parse({
    account_type: 'bank',
    country: 'NG',
    currency: 'NGN',
    fname: 'Ngozi',
    lname: 'Okafor',
    bank_details: { account_name: 'Ngozi Okafor', ...account },
  })
  return (await createBeneficiary(deps, caller, toNewBeneficiary(body, caller.userId))).beneficiaryId
}

const bankPayout = (beneficiaryId: string, terms: Terms): Initiation => ({
  ...base('NG', 'NGN', terms),
  direction: 'payout',
  payment_method: 'bank_transfer',
  beneficiary_id: beneficiaryId,
  bank_details: { ...account, country: 'NG' },
  bank_account: account,
})
